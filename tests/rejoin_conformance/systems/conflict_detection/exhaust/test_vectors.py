"""The topic `mismatches` of the corpus has the traces that the search finds."""

from __future__ import annotations

from attrs import evolve

from rejoin import conflict_detection as cd
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.exhaust.mismatches import KINDS
from rejoin_conformance.systems.conflict_detection.exhaust.searches import Bounds, Search
from rejoin_conformance.systems.conflict_detection.exhaust.traces import replay, scenario_steps
from support.conflict_detection_search_alone import search_alone
from support.topics import topics_of

INPUTS: dict[str, JsonObject] = {
    draft.name: draft.input
    for topic in topics_of("conflict-detection")
    if topic.name == "mismatches"
    for draft in topic.drafts
}


def steps_of_vector(name: str) -> list[Json]:
    steps = INPUTS[name]["steps"]
    assert isinstance(steps, list)
    return steps


def traces(design: str, reading: cd.Reading, bounds: Bounds) -> dict[str, list[Json]]:
    """Kind of mismatch -> the steps that the search gives."""
    search = Search(design, reading)
    found = search_alone(search, bounds).traces
    return {
        str(KINDS[place]): [*scenario_steps(replay(search, bounds, trace))]
        for place, trace in found.items()
    }


def test_literal_snapshots_take_a_stale_version_for_a_conflict() -> None:
    bounds = Bounds(2, 2)
    assert traces("snapshots", cd.LITERAL, bounds) == {
        "stale taken for conflict": steps_of_vector("overtaken-peer-snapshots")
    }
    not_linked = evolve(cd.LITERAL, links_downloads=False)
    assert traces("snapshots", not_linked, bounds) == {
        "stale taken for conflict": steps_of_vector("overtaken-maker-snapshots")
    }


def test_literal_maps_have_false_conflicts_too() -> None:
    bounds = Bounds(2, 2)
    assert traces("version-maps", cd.LITERAL, bounds) == {
        "false conflict": steps_of_vector("next-version"),
        "stale taken for conflict": steps_of_vector("overtaken-peer-maps"),
        "same taken for conflict": steps_of_vector("one-version-linked-by-both"),
    }
    not_linked = evolve(cd.LITERAL, links_downloads=False)
    assert traces("version-maps", not_linked, bounds) == {
        "false conflict": steps_of_vector("next-version"),
        "stale taken for conflict": steps_of_vector("overtaken-maker-maps"),
        "same taken for conflict": steps_of_vector("one-version-polled-twice"),
    }


def test_an_equal_map_alone_has_a_trace_of_its_own() -> None:
    equal = evolve(cd.REPAIRED, equal_map=cd.LITERAL.equal_map)
    assert traces("version-maps", equal, Bounds(2, 2)) == {
        "same taken for conflict": steps_of_vector("one-version-linked-by-both")
    }


def test_a_comparison_of_every_entry_alone_has_a_trace_of_its_own() -> None:
    strict = evolve(cd.REPAIRED, map_comparison=cd.LITERAL.map_comparison)
    assert traces("version-maps", strict, Bounds(2, 2)) == {
        "false conflict": steps_of_vector("next-version-of-the-peer"),
        "stale taken for conflict": steps_of_vector("overtaken-maker-maps"),
    }


def test_a_resolution_that_copies_one_entry_alone_has_traces_of_its_own() -> None:
    copying = evolve(cd.REPAIRED, map_resolution=cd.LITERAL.map_resolution)
    assert traces("version-maps", copying, Bounds(3, 3)) == {
        "false conflict": steps_of_vector("resolution-seen-by-the-maker"),
        "stale taken for conflict": steps_of_vector("maker-seen-after-the-resolution"),
    }


def test_each_vector_is_such_a_trace() -> None:
    assert set(INPUTS) == {
        "overtaken-peer-snapshots",
        "overtaken-peer-maps",
        "overtaken-maker-snapshots",
        "overtaken-maker-maps",
        "one-version-linked-by-both",
        "one-version-polled-twice",
        "next-version",
        "next-version-of-the-peer",
        "resolution-seen-by-the-maker",
        "maker-seen-after-the-resolution",
    }
