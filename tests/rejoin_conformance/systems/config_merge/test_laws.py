"""The laws hold where they are claimed, and each of them fails when the reference is wrong."""

from __future__ import annotations

import inspect
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from types import FunctionType, ModuleType
from typing import Any

import pytest
from attrs import frozen

from rejoin.config_merge import (
    client,
    conflict_resolution,
    diff_updates,
    encryption,
    ignored_updates,
    non_conflicting_updates,
    outer_metadata,
)
from rejoin_conformance.histories import history_seed
from rejoin_conformance.laws import Examination
from rejoin_conformance.systems.config_merge import laws
from rejoin_conformance.systems.config_merge.histories import HISTORIES
from rejoin_conformance.systems.config_merge.histories.profiles import PROFILES
from rejoin_conformance.systems.config_merge.laws import LAWS

READINGS = ("document", "libsession")
FORGED = {"message:forged-rows", "message:forged-diff"}
NOT_CLAIMED_BY_LIBSESSION = {
    "no-lost-update",
    "untouched-leaves-stay",
    "replay-of-everything",
    "edit-survives-resolve",
}


def examined(profile: str, reading: str, count: int, *, seed: int = 3) -> Iterator[Examination]:
    for index in range(count):
        history = HISTORIES.generate(profile, history_seed(seed, "config-merge", profile, index))
        yield HISTORIES.examine(history, reading)


def test_every_law_has_a_name_a_statement_premises_and_clauses() -> None:
    assert len({law.name for law in LAWS}) == len(LAWS)
    for law in LAWS:
        assert law.statement.endswith(".")
        assert law.premises
        assert all(clause.startswith("CM-") for clause in law.clauses)
        assert law.clauses


def test_the_document_claims_every_law_and_libsession_all_that_need_no_lost_update() -> None:
    assert all("document" in law.claimed_by for law in LAWS)
    unclaimed = {law.name for law in LAWS if "libsession" not in law.claimed_by}
    assert unclaimed == NOT_CLAIMED_BY_LIBSESSION


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("profile", PROFILES)
def test_claimed_laws_hold(profile: str, reading: str) -> None:
    claimed = {law.name for law in LAWS if reading in law.claimed_by}
    for examination in examined(profile, reading, 6 if profile == "long" else 60):
        assert [each for each in examination.violations if each.law in claimed] == []


def test_every_law_is_checked() -> None:
    checked: Counter[str] = Counter()
    for examination in examined("default", "document", 80):
        checked.update(examination.checked)
    assert {law.name for law in LAWS} == set(checked)


def test_every_premise_fails_somewhere() -> None:
    vacuous: Counter[str] = Counter()
    for profile in ("default", "adversarial"):
        for examination in examined(profile, "document", 150):
            vacuous.update(examination.vacuous)
    with_premises = {law.name for law in LAWS if law.premises != "none"}
    assert with_premises - {laws.SAME_MESSAGES_SAME_BYTES.name} == set(vacuous)


def test_libsession_loses_updates_in_the_ways_that_its_choice_points_explain() -> None:
    kinds: Counter[tuple[str, str]] = Counter()
    for examination in examined("racing", "libsession", 400):
        kinds.update((each.law, each.kind) for each in examination.violations)
    assert {law for law, _ in kinds} <= NOT_CLAIMED_BY_LIBSESSION
    assert kinds["no-lost-update", "element-lost:missing_set_diff_target"] > 0
    assert kinds["no-lost-update", "scalar-lost:missing_dict_diff_target"] > 0
    assert any(kind.endswith(":replay_cutoff") for _, kind in kinds)


def test_evidence_is_an_operation_that_shows_the_loss() -> None:
    for examination in examined("racing", "libsession", 200):
        for violation in examination.violations:
            if violation.law == "no-lost-update":
                assert violation.evidence["operation"] == "config-merge/resolve"
                given: Any = violation.evidence["input"]
                assert len(given["messages"]) >= 2
                return
    raise AssertionError("no lost update was found")


def test_examining_twice_gives_the_same() -> None:
    once = list(examined("default", "libsession", 10))
    assert once == list(examined("default", "libsession", 10))
    assert len({each.digest for each in once}) == 10


@frozen
class Mutant:
    """A wrong reference: in the source of one function, one piece of text stands for another.

    found_by: the laws that must notice.
    """

    name: str
    module: ModuleType
    function: str
    text: str
    wrong: str
    found_by: tuple[str, ...]


MUTANTS = (
    Mutant(
        "the replay set is processed in descending order",
        conflict_resolution,
        "merge",
        "in sorted(replay)]",
        "in sorted(replay, reverse=True)]",
        ("no-lost-update", "merge-form", "replay-of-everything"),
    ),
    Mutant(
        "the current data start as those of the lowest message",
        conflict_resolution,
        "merge",
        "highest = ranked[-1]",
        "highest = ranked[0]",
        ("untouched-leaves-stay", "merge-form"),
    ),
    Mutant(
        "entries of newseqno - N are not replayed",
        conflict_resolution,
        "merge",
        "row.rank[0] >= oldest",
        "row.rank[0] > oldest",
        ("no-lost-update",),
    ),
    Mutant(
        "the messages' own diffs are not replayed",
        conflict_resolution,
        "merge",
        "(message.row, message.data) for message in ranked}",
        "(message.row, message.data) for message in ranked[-1:]}",
        ("no-lost-update", "merge-form", "idempotence"),
    ),
    Mutant(
        "lagged diffs are not replayed",
        conflict_resolution,
        "merge",
        "for row in message.lagged:",
        "for row in ():",
        ("no-lost-update",),
    ),
    Mutant(
        "the messages are merged in the order in which they came",
        conflict_resolution,
        "merge",
        "ranked = sorted(survivors, key=by_rank)",
        "ranked = list(survivors)",
        ("order-independence",),
    ),
    Mutant(
        "a merge keeps no unknown keys",
        conflict_resolution,
        "merge",
        'unknown=highest.unknown if reading.unknown_keys_on_merge == "highest" else ()',
        "unknown=()",
        ("merge-form",),
    ),
    Mutant(
        "ties are broken by the lower hash",
        conflict_resolution,
        "merge",
        "ranked = sorted(survivors, key=by_rank)",
        "ranked = sorted(survivors, key=lambda m: (m.seqno, bytes(255 - b for b in m.hash)))",
        ("untouched-leaves-stay", "merge-form"),
    ),
    Mutant(
        "included messages are not ignored",
        ignored_updates,
        "set_aside",
        "elif rank in included:",
        "elif False:",
        ("ignored-exactly",),
    ),
    Mutant(
        "the window of stale messages is one too wide",
        ignored_updates,
        "set_aside",
        "within(window, rank[0], largest)",
        "within(window + 1, rank[0], largest)",
        ("ignored-exactly", "deletion-loses-nothing"),
    ),
    Mutant(
        "duplicates survive",
        ignored_updates,
        "set_aside",
        "if rank in seen:",
        "if False:",
        ("repeats-change-nothing",),
    ),
    Mutant(
        "the survivors stay in the order in which they came",
        ignored_updates,
        "set_aside",
        "survivors.sort(key=by_rank)",
        "pass",
        ("order-independence",),
    ),
    Mutant(
        "rows that are out of the window are carried on",
        non_conflicting_updates,
        "follow",
        "rows_within(window,",
        "rows_within(window + 1,",
        ("update-form",),
    ),
    Mutant(
        "a merge carries on rows that are out of the window",
        conflict_resolution,
        "merge",
        "rows_within(window,",
        "rows_within(window + 1,",
        ("merge-form",),
    ),
    Mutant(
        "elements that were removed from a set are not recorded",
        diff_updates,
        "change_between",
        "removed=had - has",
        "removed=NO_ELEMENTS",
        ("diff-and-apply", "update-form"),
    ),
    Mutant(
        "empty sets and dicts are not removed",
        diff_updates,
        "apply_entry",
        "reading.prune_after_each_entry and",
        "False and",
        ("ciphertext-opens", "bad-messages-spoil-nothing"),
    ),
    Mutant(
        "an edit is forgotten when the client resolves",
        client,
        "resolve_known",
        "if local is not None:",
        "if (local := None) is not None:",
        ("edit-survives-resolve",),
    ),
    Mutant(
        "a push deletes everything that the client knows",
        client,
        "obsoleted_by",
        "known.rank in included",
        "True",
        ("deletes-only-obsolete",),
    ),
    Mutant(
        "a push deletes the message that it stores",
        client,
        "push",
        "delete=obsoleted_by(message, client)",
        "delete=(storage_id(ciphertext),)",
        ("deletes-only-obsolete", "exchange-converges"),
    ),
    Mutant(
        "merges are not pushed",
        client,
        "_message_to_push",
        "return None if client.head_is_stored else head",
        "return None",
        ("exchange-converges",),
    ),
    Mutant(
        "the nonce differs from call to call",
        encryption,
        "encrypt",
        "nonce_of(plaintext, reading=reading, domain=domain)",
        "__import__('os').urandom(NONCE_LENGTH)",
        ("same-messages-same-bytes", "exchange-converges"),
    ),
    Mutant(
        "keys after the signature are accepted",
        outer_metadata,
        "_parse_outer",
        "if key > SIGNATURE:",
        "if False:",
        ("bad-messages-spoil-nothing",),
    ),
    Mutant(
        "unknown keys are lost in parsing",
        outer_metadata,
        "_parse_outer",
        "unknown=tuple(unknown)",
        "unknown=()",
        ("canonical-form",),
    ),
)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name.replace(" ", "-"))
def test_a_wrong_reference_is_found(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    _install(mutant, monkeypatch)
    missing = set(mutant.found_by)
    for profile in ("tiny", "racing", "adversarial", "partitioned"):
        for examination in examined(profile, "document", 150):
            missing -= {violation.law for violation in examination.violations}
            if not missing:
                return
    raise AssertionError(f"no history breaks {', '.join(sorted(missing))}")


def test_which_message_the_values_come_from_shows_in_forged_rows_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    right = list(examined("racing", "document", 100))
    lowest_first = Mutant(
        "a lagged diff takes its values from the lowest message that carries it",
        conflict_resolution,
        "merge",
        "for message in reversed(ranked):",
        "for message in ranked:",
        (),
    )
    _install(lowest_first, monkeypatch)
    differing = [
        (before, after)
        for before, after in zip(right, examined("racing", "document", 100), strict=True)
        if before.digest != after.digest
    ]
    assert all(after.violations == () for _, after in differing)
    assert all(before.coverage.keys() & FORGED for before, _ in differing)
    merges = sum(each.checked.get("no-lost-update", 0) for each in right)
    assert merges > 100


def test_every_law_finds_a_wrong_reference() -> None:
    found = {name for mutant in MUTANTS for name in mutant.found_by}
    assert found == {law.name for law in LAWS}


def _install(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the wrong function in place of the right one, wherever that is known by name."""
    right = getattr(mutant.module, mutant.function)
    source = inspect.getsource(right)
    assert source.count(mutant.text) == 1
    wrong = _compiled(source.replace(mutant.text, mutant.wrong), mutant.function, right)
    for name, module in list(sys.modules.items()):
        if name.startswith("rejoin.") and getattr(module, mutant.function, None) is right:
            monkeypatch.setattr(module, mutant.function, wrong)


def _compiled(source: str, name: str, right: FunctionType) -> Callable[..., object]:
    """The function of that source, among the same global names as the right one."""
    code = compile("from __future__ import annotations\n" + source, f"<wrong {name}>", "exec")
    names: dict[str, Any] = {}
    exec(code, right.__globals__, names)
    wrong: Callable[..., object] = names[name]
    return wrong
