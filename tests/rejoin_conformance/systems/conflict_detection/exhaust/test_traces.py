"""Each repair is undone alone, and the traces to its mismatches are vectors of the corpus."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from attrs import evolve

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.choices import choice_points
from rejoin_conformance.systems.conflict_detection.exhaust.group import Tally
from rejoin_conformance.systems.conflict_detection.exhaust.report import report_of, search_all
from rejoin_conformance.systems.conflict_detection.exhaust.searches import Bounds, Search
from support.conflict_detection_second_search import counted
from support.spreads import HERE
from support.topics import topics_of

STALE, SAME, FALSE = "stale taken for conflict", "same taken for conflict", "false conflict"


def undone(point: str) -> cd.Reading:
    """Return the repaired reading with one choice point as printed."""
    return evolve(cd.REPAIRED, **{point: getattr(cd.LITERAL, point)})


@cache
def searched(search: Search, bounds: Bounds) -> Tally:
    return search_all([search], bounds, HERE)[search]


UNDONE = {
    ("followed_version", "snapshots"): {STALE: 11_112},
    ("followed_version", "version-maps"): {STALE: 11_112},
    ("map_comparison", "version-maps"): {FALSE: 10_116, STALE: 10_116},
    ("map_resolution", "version-maps"): {FALSE: 432, STALE: 432},
    ("equal_map", "version-maps"): {SAME: 33_120},
    ("snapshot_conflict_files", "snapshots"): {},
    ("map_missing_entry", "version-maps"): {},
    ("map_own_entry", "version-maps"): {},
    ("map_clean_up", "version-maps"): {},
}
"""Choice point as printed, design -> the mismatches of three clients and three uploads."""


def test_every_choice_point_is_undone() -> None:
    points = choice_points(cd.Reading)
    differing = {each for each in points if getattr(cd.REPAIRED, each) != getattr(cd.LITERAL, each)}
    assert {point for point, _ in UNDONE} == differing


@pytest.mark.full_run("search of conflict detection")
@pytest.mark.parametrize(("point", "design"), UNDONE)
def test_without_one_repair_these_mismatches_occur(point: str, design: str) -> None:
    tally = searched(Search(design, undone(point)), Bounds(3, 3))
    assert tally.mismatches() == UNDONE[point, design]


@pytest.mark.full_run("search of conflict detection")
def test_a_second_search_counts_the_same_where_a_resolution_copies_one_entry() -> None:
    reading = undone("map_resolution")
    tally = searched(Search("version-maps", reading), Bounds(3, 3))
    assert counted(cd.MapDesign(reading), "ABC", 3).polls == tally.polls


NOT_LINKED = evolve(cd.LITERAL, links_downloads=False)
VECTORS: list[tuple[str, cd.Reading, int, dict[str, str]]] = [
    ("snapshots", cd.LITERAL, 2, {STALE: "overtaken-peer-snapshots"}),
    ("snapshots", NOT_LINKED, 2, {STALE: "overtaken-maker-snapshots"}),
    (
        "version-maps",
        cd.LITERAL,
        2,
        {FALSE: "next-version", STALE: "overtaken-peer-maps", SAME: "one-version-linked-by-both"},
    ),
    (
        "version-maps",
        NOT_LINKED,
        2,
        {FALSE: "next-version", STALE: "overtaken-maker-maps", SAME: "one-version-polled-twice"},
    ),
    ("version-maps", undone("equal_map"), 2, {SAME: "one-version-linked-by-both"}),
    (
        "version-maps",
        undone("map_comparison"),
        2,
        {FALSE: "next-version-of-the-peer", STALE: "overtaken-maker-maps"},
    ),
    (
        "version-maps",
        undone("map_resolution"),
        3,
        {FALSE: "resolution-seen-by-the-maker", STALE: "maker-seen-after-the-resolution"},
    ),
]
"""Design, reading, clients and uploads; kind of mismatch -> the vector with the trace to it."""


def test_the_vectors_of_the_topic_mismatches_are_the_traces_of_the_search() -> None:
    (topic,) = (each for each in topics_of("conflict-detection") if each.name == "mismatches")
    inputs = {draft.name: draft.input for draft in topic.drafts}
    for design, reading, size, vectors in VECTORS:
        search, bounds = Search(design, reading), Bounds(size, size)
        report: Any = report_of(bounds, {search: searched(search, bounds)})
        found = report["searches"][0]["mismatches"]
        traces = {kind: each["trace"] for kind, each in found.items()}
        assert traces == {kind: inputs[name]["steps"] for kind, name in vectors.items()}
    assert {name for *_, vectors in VECTORS for name in vectors.values()} == {*inputs}


def test_only_a_mismatch_of_a_repaired_design_is_a_failure() -> None:
    literal, bounds = Search("version-maps", cd.LITERAL), Bounds(2, 2)
    tally = searched(literal, bounds)
    assert report_of(bounds, {literal: tally})["failed"] is False
    assert report_of(bounds, {Search("version-maps", cd.REPAIRED): tally})["failed"] is True
