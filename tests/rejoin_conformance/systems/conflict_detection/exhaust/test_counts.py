"""The counts of the searches, which a second search and the spec have too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import pytest

from rejoin import conflict_detection as cd
from rejoin_conformance.kit.locations import spec_directory
from rejoin_conformance.systems.conflict_detection.exhaust.group import Tally
from rejoin_conformance.systems.conflict_detection.exhaust.report import replayed, search_all
from rejoin_conformance.systems.conflict_detection.exhaust.searches import (
    KINDS,
    SEARCHES,
    Bounds,
    Search,
)
from support.conflict_detection_second_search import counted
from support.spreads import HERE

SIZES = [(2, 1), (2, 2), (2, 3), (2, 4), (3, 2), (3, 3)]
"""Clients and uploads."""
SEARCH = pytest.mark.full_run("search of conflict detection")
LARGE = {(3, 2): SEARCH, (3, 3): pytest.mark.long}
"""The sizes that not every run of the tests searches again."""
COUNTED = """
snapshots    repaired linked       2,027     780    11,760       0       0       0
snapshots    repaired not-linked   1,271     492     5,664       0       0       0
snapshots    literal  linked      10,304   1,944    61,098       0  11,112       0
snapshots    literal  not-linked   2,852     744    13,758       0   4,068       0
snapshots    literal+followed_version=stale linked     2,027 732 11,760 0 0 0
snapshots    literal+followed_version=stale not-linked 1,271 492  5,664 0 0 0
version-maps repaired linked       2,027     780    11,760       0       0       0
version-maps repaired not-linked   1,271     492     5,664       0       0       0
version-maps literal  linked      35,120  23,205   209,682  65,340  65,340  43,920
version-maps literal  not-linked   5,396   2,190    23,142   7,884   5,556   2,508
"""
"""Of three clients and three uploads: search; states, uploads, polls, false conflicts, stale and
same taken for conflict."""
PLAIN_IS_SLOW = (3, 3, "literal")
"""A size and a reading that the second search leaves out."""


@cache
def searched(clients: int, uploads: int) -> dict[Search, Tally]:
    return dict(search_all(SEARCHES, Bounds(clients, uploads), HERE))


def named(search: Search) -> tuple[str, str, str]:
    return search.design, search.reading.name, search.variant


def counts(tally: Tally) -> list[int]:
    kinds = {"false conflict": 0, "stale taken for conflict": 0, "same taken for conflict": 0}
    polls = tally.polls.total()
    return [tally.states, tally.uploads, polls, *{**kinds, **tally.mismatches()}.values()]


def printed(cells: Sequence[str]) -> list[int]:
    return [int(each.replace(",", "")) for each in cells]


def test_the_command_has_a_row_for_each_row_of_the_spec() -> None:
    assert [*map(named, SEARCHES)] == [search for search, _ in spec_rows()]


@SEARCH
def test_the_counts_of_three_clients_and_three_uploads_are_these() -> None:
    rows = [line.split() for line in COUNTED.splitlines() if line]
    found = {named(search): counts(tally) for search, tally in searched(3, 3).items()}
    assert found == {tuple(row[:3]): printed(row[3:]) for row in rows}


READINGS = {search.reading.name for search in SEARCHES}


def spec_rows() -> Iterator[tuple[tuple[str, ...], list[int]]]:
    """Yield the rows of the spec: three clients and four uploads."""
    rules = (spec_directory() / "conflict-detection" / "search-rules.md").read_text()
    for line in rules.splitlines():
        row = [cell.strip(" `").replace(" ", "-") for cell in line.split("|")[1:-1]]
        if len(row) == 9 and row[1] in READINGS:
            yield tuple(row[:3]), printed(row[3:])


@pytest.mark.long  # two and a half minutes
@pytest.mark.parametrize("reading", sorted(READINGS))
def test_the_spec_has_these_counts_for_three_clients_and_four_uploads(reading: str) -> None:
    searches = [search for search in SEARCHES if search.reading.name == reading]
    tallies = search_all(searches, Bounds(3, 4), HERE)
    found = {named(search): counts(tally) for search, tally in tallies.items()}
    assert found == {search: row for search, row in spec_rows() if search[1] == reading}


def plainly(search: Search, bounds: Bounds, tally: Tally) -> None:
    """Assert that the second search counts the same, and finds the same traces."""
    design = cd.SnapshotDesign if search.design == "snapshots" else cd.MapDesign
    second = counted(design(search.reading), bounds.nicknames, bounds.uploads)
    assert (second.states, second.uploads) == (tally.states, tally.uploads)
    assert second.polls == tally.polls
    traces = {pair: replayed(bounds, search, each)[0] for pair, each in tally.traces.items()}
    assert traces == {pair: each for pair, each in second.traces.items() if pair in KINDS}


@pytest.mark.parametrize(
    "size",
    [pytest.param(each, marks=LARGE.get(each, ())) for each in SIZES],
)
def test_a_second_search_counts_the_same(size: tuple[int, int]) -> None:
    assert len(searched(*size)) == len(SEARCHES)
    for search, tally in searched(*size).items():
        if (*size, search.reading.name) != PLAIN_IS_SLOW:
            plainly(search, Bounds(*size), tally)


def test_one_upload_of_two_clients_can_be_counted_by_hand() -> None:
    """Nobody has a version; or one made it and the other has it or not: five states. Where only its
    maker has it, one poll finds it; where both link it, two do. As printed, where both have the
    version, each of them may hold it as a conflict, or not: four states. In each, both polls take
    the same version for a conflict."""
    found = {named(search): counts(tally) for search, tally in searched(2, 1).items()}
    assert found["snapshots", "repaired", "linked"] == [5, 2, 2 * (1 + 2), 0, 0, 0]
    assert found["snapshots", "repaired", "not-linked"] == [5, 2, 2 * (1 + 1), 0, 0, 0]
    as_printed = [1 + 2 * (1 + 4), 2, 2 * (1 + 4 * 2), 0, 0, 2 * 4 * 2]
    assert found["version-maps", "literal", "linked"] == as_printed


def test_without_uploads_there_is_one_state_and_one_client_alone_only_edits() -> None:
    assert {tuple(counts(each)[:3]) for each in searched(3, 0).values()} == {(1, 0, 0)}
    assert {tuple(counts(each)[:3]) for each in searched(1, 6).values()} == {(7, 6, 0)}


def test_no_design_ever_lets_a_version_overwrite_what_it_does_not_follow() -> None:
    for size in [each for each in SIZES if each not in LARGE]:
        for tally in searched(*size).values():
            assert all(kind.endswith("conflict") for kind in tally.mismatches())


@pytest.mark.parametrize("clients", [1, 2, 3, 4, 5])
def test_a_step_has_one_byte(clients: int) -> None:
    steps = Bounds(clients, 1).steps
    assert len(steps) == clients * (1 + clients - 1 + 2 ** (clients - 1) - 1)
    assert len(steps) <= 256
