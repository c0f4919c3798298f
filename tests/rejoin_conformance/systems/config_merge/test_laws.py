"""The laws hold where they are claimed, and each of them fails when the reference is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.law import Examination
from rejoin_conformance.systems.config_merge.histories import HISTORIES
from rejoin_conformance.systems.config_merge.laws import LAWS
from rejoin_conformance.systems.config_merge.profiles import PROFILES
from support.faults import faults_of, faulty

FAULTS = faults_of("config-merge")
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


def by_the_reference(profile: str, reading: str, count: int) -> Iterator[Examination]:
    """Yield what `examined` yields, but examine each history only once for all tests."""
    return (_by_the_reference(profile, reading, index) for index in range(count))


@cache
def _by_the_reference(profile: str, reading: str, index: int) -> Examination:
    history = HISTORIES.generate(profile, history_seed(3, "config-merge", profile, index))
    return HISTORIES.examine(history, reading)


def test_the_document_claims_every_law_and_libsession_all_that_need_no_lost_update() -> None:
    assert all("document" in law.claimed_by for law in LAWS)
    unclaimed = {law.name for law in LAWS if "libsession" not in law.claimed_by}
    assert unclaimed == NOT_CLAIMED_BY_LIBSESSION


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("profile", PROFILES)
def test_claimed_laws_hold(profile: str, reading: str) -> None:
    claimed = {law.name for law in LAWS if reading in law.claimed_by}
    for examination in by_the_reference(profile, reading, {"long": 2, "large": 1}.get(profile, 20)):
        assert [each for each in examination.violations if each.law in claimed] == []


def test_every_law_is_checked_and_finds_a_wrong_reference() -> None:
    checked: Counter[str] = Counter()
    for examination in by_the_reference("default", "document", 20):
        checked.update(examination.checked)
    found = {law for fault in FAULTS.values() for law in fault.laws}
    assert {law.name for law in LAWS} == set(checked) == found


def test_every_premise_fails_somewhere() -> None:
    vacuous: Counter[str] = Counter()
    for profile in ("default", "adversarial"):
        for examination in by_the_reference(profile, "document", 40):
            vacuous.update(examination.vacuous)
    with_premises = {law.name for law in LAWS if law.premises != "none"}
    assert with_premises - {"same-messages-same-bytes"} == set(vacuous)


def test_libsession_loses_updates_in_the_ways_that_its_choice_points_explain() -> None:
    kinds: Counter[tuple[str, str]] = Counter()
    for examination in by_the_reference("racing", "libsession", 100):
        kinds.update((each.law, each.kind) for each in examination.violations)
    assert {law for law, _ in kinds} <= NOT_CLAIMED_BY_LIBSESSION
    assert kinds["no-lost-update", "element-lost:missing_set_diff_target"] > 0
    assert kinds["no-lost-update", "scalar-lost:missing_dict_diff_target"] > 0
    assert any(kind.endswith(":replay_cutoff") for _, kind in kinds)


@pytest.mark.parametrize("name", [name for name, each in FAULTS.items() if each.laws])
def test_a_wrong_reference_is_found(name: str) -> None:
    missing = {*FAULTS[name].laws}
    with faulty(FAULTS[name]):
        for profile in ("tiny", "racing", "adversarial", "partitioned"):
            for examination in examined(profile, "document", 150):
                missing -= {violation.law for violation in examination.violations}
                if not missing:
                    return
    raise AssertionError(f"no history breaks {', '.join(sorted(missing))}")


def test_which_message_the_values_come_from_shows_in_forged_rows_alone() -> None:
    right = list(by_the_reference("adversarial", "document", 50))
    name = "a lagged diff takes its values from the lowest message that carries it"
    with faulty(FAULTS[name]):
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
