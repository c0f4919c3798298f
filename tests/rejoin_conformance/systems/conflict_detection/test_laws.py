"""Every law can fail: a fault is planted in the reference, and some history shows it."""

from __future__ import annotations

import pytest

from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.systems.conflict_detection.laws import LAWS
from rejoin_conformance.systems.conflict_detection.system import SYSTEM
from support.faults import faults_of, faulty

FAULTS = faults_of("conflict-detection")
HARD_TO_SHOW: dict[str, tuple[str, int]] = {
    "the rest of the history is not fetched": ("long", 40),
    "an offline resolution is forgotten": ("partitioned", 200),
}
"""What takes another profile, or more histories, than the rest."""


def unbroken(laws: frozenset[str], profile: str = "default", histories: int = 120) -> set[str]:
    """Those of the laws that none of the first histories breaks in the reading `repaired`."""
    left = set(laws)
    for index in range(histories):
        seed = history_seed(1, "conflict-detection", profile, index)
        history = SYSTEM.histories.generate(profile, seed)
        left -= {each.law for each in SYSTEM.histories.examine(history, "repaired").violations}
        if not left:
            break
    return left


@pytest.mark.parametrize("name", [name for name, each in FAULTS.items() if each.laws])
def test_a_faulty_reference_breaks_these_laws(name: str) -> None:
    with faulty(FAULTS[name]):
        assert unbroken(FAULTS[name].laws, *HARD_TO_SHOW.get(name, ())) == set()


def test_every_fault_that_is_hard_to_show_is_in_the_list() -> None:
    assert HARD_TO_SHOW.keys() <= FAULTS.keys()


def test_every_law_is_broken_by_some_faulty_reference() -> None:
    assert set().union(*(each.laws for each in FAULTS.values())) == {law.name for law in LAWS}


def test_laws_have_names_and_clauses_of_their_own() -> None:
    assert len({law.name for law in LAWS}) == len(LAWS)
    assert all(law.clauses and law.premises and law.statement for law in LAWS)
