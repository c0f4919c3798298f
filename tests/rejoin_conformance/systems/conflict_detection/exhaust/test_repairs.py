"""The repairs that the designs need: each is undone alone, and the search shows the effect."""

from __future__ import annotations

from typing import Final

import pytest
from attrs import evolve

from rejoin import conflict_detection as cd
from rejoin_conformance.systems.conflict_detection.exhaust.report import mismatches
from rejoin_conformance.systems.conflict_detection.exhaust.searches import Bounds, Search
from rejoin_conformance.systems.conflict_detection.exhaust.traces import replay
from support.conflict_detection_enumeration import enumerate_plainly
from support.conflict_detection_search_alone import search_alone
from support.conflict_detection_searches import steps_in_words

BOUNDS: Final = Bounds(3, 3)

UNDONE: Final = {
    "followed_version": evolve(cd.REPAIRED, followed_version=cd.LITERAL.followed_version),
    "snapshot_conflict_files": evolve(
        cd.REPAIRED, snapshot_conflict_files=cd.LITERAL.snapshot_conflict_files
    ),
    "map_comparison": evolve(cd.REPAIRED, map_comparison=cd.LITERAL.map_comparison),
    "map_missing_entry": evolve(cd.REPAIRED, map_missing_entry=cd.LITERAL.map_missing_entry),
    "map_own_entry": evolve(cd.REPAIRED, map_own_entry=cd.LITERAL.map_own_entry),
    "equal_map": evolve(cd.REPAIRED, equal_map=cd.LITERAL.equal_map),
    "map_resolution": evolve(cd.REPAIRED, map_resolution=cd.LITERAL.map_resolution),
    "map_clean_up": evolve(cd.REPAIRED, map_clean_up=cd.LITERAL.map_clean_up),
}
"""The repaired reading with one field as printed."""


def kinds(design: str, reading: cd.Reading) -> dict[str, int]:
    return mismatches(search_alone(Search(design, reading), BOUNDS))


def test_a_design_that_knows_no_stale_versions_takes_them_for_conflicts() -> None:
    reading = UNDONE["followed_version"]
    assert kinds("snapshots", reading) == {"stale taken for conflict": 11_112}
    assert kinds("version-maps", reading) == kinds("snapshots", reading)


def test_maps_whose_every_entry_must_grow_miss_overwrites_and_stale_versions() -> None:
    assert kinds("version-maps", UNDONE["map_comparison"]) == {
        "false conflict": 10_116,
        "stale taken for conflict": 10_116,
    }


def test_a_resolution_that_copies_one_entry_forgets_what_the_other_client_had_seen() -> None:
    search = Search("version-maps", UNDONE["map_resolution"])
    tally = search_alone(search, BOUNDS)
    assert mismatches(tally) == {"false conflict": 432, "stale taken for conflict": 432}
    plain = enumerate_plainly(search, BOUNDS.clients, BOUNDS.uploads)
    assert plain.polls["overwrite", "conflict"] == plain.polls["stale", "conflict"] == 432
    (first, second) = (
        steps_in_words(replay(search, BOUNDS, trace)) for _, trace in sorted(tally.traces.items())
    )
    assert first == (
        "A edits",
        "B edits",
        "C polls A",
        "B polls C",
        "B resolves C",
        "A polls B",
    )
    assert second == (*first[:-1], "B polls A")


def test_maps_that_are_not_the_same_if_they_are_equal_conflict_with_themselves() -> None:
    assert kinds("version-maps", UNDONE["equal_map"]) == {"same taken for conflict": 33_120}


@pytest.mark.parametrize(
    ("design", "field"),
    [
        ("snapshots", "snapshot_conflict_files"),
        ("version-maps", "map_missing_entry"),
        ("version-maps", "map_own_entry"),
        ("version-maps", "map_clean_up"),
    ],
)
def test_the_other_points_alone_change_no_classification(design: str, field: str) -> None:
    assert kinds(design, UNDONE[field]) == {}
