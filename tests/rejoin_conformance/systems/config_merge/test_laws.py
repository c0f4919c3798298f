"""Config merge: which laws libsession does not claim, and what the laws cannot see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.law import Examination
from rejoin_conformance.systems.config_merge import LAWS
from rejoin_conformance.systems.config_merge.histories import HISTORIES
from support.faults import faults_of, faulty

FORGED = {"message:forged-rows", "message:forged-diff"}
NOT_CLAIMED_BY_LIBSESSION = {
    "no-lost-update",
    "untouched-leaves-stay",
    "replay-of-everything",
    "edit-survives-resolve",
}


def examined(profile: str, reading: str, count: int) -> Iterator[Examination]:
    for index in range(count):
        history = HISTORIES.generate(profile, history_seed(3, "config-merge", profile, index))
        yield HISTORIES.examine(history, reading)


def test_the_document_claims_every_law_and_libsession_all_that_need_no_lost_update() -> None:
    assert all("document" in law.claimed_by for law in LAWS.values())
    unclaimed = {law.name for law in LAWS.values() if "libsession" not in law.claimed_by}
    assert unclaimed == NOT_CLAIMED_BY_LIBSESSION


def test_libsession_loses_updates_in_the_ways_that_its_choice_points_explain() -> None:
    kinds: Counter[tuple[str, str]] = Counter()
    for examination in examined("racing", "libsession", 100):
        kinds.update((each.law, each.kind) for each in examination.violations)
    assert {law for law, _ in kinds} <= NOT_CLAIMED_BY_LIBSESSION
    assert kinds["no-lost-update", "element-lost:missing_set_diff_target"] > 0
    assert kinds["no-lost-update", "scalar-lost:missing_dict_diff_target"] > 0
    assert any(kind.endswith(":replay_cutoff") for _, kind in kinds)


def test_which_message_the_values_come_from_shows_in_forged_rows_alone() -> None:
    right = list(examined("adversarial", "document", 50))
    name = "a lagged diff takes its values from the lowest message that carries it"
    with faulty(faults_of("config-merge")[name]):
        wrong = list(examined("adversarial", "document", 50))
    differing = [
        (before, after)
        for before, after in zip(right, wrong, strict=True)
        if before.digest != after.digest
    ]
    assert differing
    assert all(after.violations == () for _, after in differing)
    assert all(before.coverage.keys() & FORGED for before, _ in differing)
    merges = sum(each.checked.get("no-lost-update", 0) for each in right)
    assert merges > 80
