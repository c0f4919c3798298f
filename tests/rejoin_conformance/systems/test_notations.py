"""Random histories of every system are read from text as they are rendered."""

from __future__ import annotations

import pytest

from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.corpus.paragraph import notation_of


def _differing(name: str, histories: int) -> list[tuple[str, int]]:
    """(profile, index) of the histories that are read otherwise, among so many of all profiles."""
    system, profiles = system_named(name), [*system_named(name).histories.profiles]
    notation = notation_of(system)
    found = []
    for number in range(histories):
        profile, index = profiles[number % len(profiles)], number // len(profiles)
        history = system.histories.generate(profile, history_seed(1, name, profile, index))
        if notation.parse_history(notation.render_history(history)) != history:
            found.append((profile, index))
    return found


@pytest.mark.parametrize("system", system_names())
def test_random_histories_are_read_as_they_are_rendered(system: str) -> None:
    assert _differing(system, 100) == []


@pytest.mark.long
@pytest.mark.parametrize("system", system_names())
def test_ten_thousand_random_histories_are_read_as_they_are_rendered(system: str) -> None:
    assert _differing(system, 10_000) == []
