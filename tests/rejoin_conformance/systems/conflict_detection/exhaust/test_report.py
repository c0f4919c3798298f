"""The report shows each kind of mismatch by its shortest trace."""

from __future__ import annotations

from rejoin_conformance.systems.conflict_detection.exhaust.report import report_of
from rejoin_conformance.systems.conflict_detection.exhaust.report_text import render
from rejoin_conformance.systems.conflict_detection.exhaust.searches import Bounds
from support.conflict_detection_search_alone import search_alone
from support.conflict_detection_searches import search_of

BOUNDS = Bounds(2, 2)
LITERAL_MAPS = search_of("version-maps", "literal", "linked")
REPAIRED_MAPS = search_of("version-maps", "repaired", "linked")


def test_a_report_has_a_line_for_each_search_and_a_trace_for_each_kind() -> None:
    searches = (REPAIRED_MAPS, LITERAL_MAPS)
    report = report_of(BOUNDS, {each: search_alone(each, BOUNDS) for each in searches})
    lines = render(report).splitlines()
    assert lines[:2] == ["Every interleaving of 2 clients and up to 2 uploads", ""]
    assert [line.split("  ")[0] for line in lines[2:5]] == ["design", *["version-maps"] * 2]
    assert [line.split()[1:] for line in lines[3:5]] == [
        ["repaired", "linked", "19", "10", "32", "0", "0", "0", "0"],
        ["literal", "linked", "49", "30", "92", "80", "24", "24", "32"],
    ]
    assert lines[5:] == [
        "",
        "false conflict: the shortest trace in version-maps, literal, linked",
        "      1  A edits: A1",
        "      2  B polls A, finds A1: overwrite",
        "      3  A edits: A2",
        "      4  B polls A, finds A2: conflict, expected overwrite: false conflict",
        "",
        "    o  A1   (A 1)",
        "    o  A2  <- A1   (A 2)",
        "",
        "    A has A2",
        "    B has A1 and conflict files with A2 of A",
        "",
        "stale taken for conflict: the shortest trace in version-maps, literal, linked",
        "      1  A edits: A1",
        "      2  B polls A, finds A1: overwrite",
        "      3  A edits: A2",
        "      4  A polls B, finds A1: conflict, expected stale: stale taken for conflict",
        "",
        "    o  A1   (A 1)",
        "    o  A2  <- A1   (A 2)",
        "",
        "    A has A2 and conflict files with A1 of B",
        "    B has A1",
        "",
        "same taken for conflict: the shortest trace in version-maps, literal, linked",
        "      1  A edits: A1",
        "      2  B polls A, finds A1: overwrite",
        "      3  A polls B, finds A1: conflict, expected same: same taken for conflict",
        "",
        "    o  A1   (A 1)",
        "",
        "    A has A1 and conflict files with A1 of B",
        "    B has A1",
    ]


def test_a_trace_is_written_as_the_steps_of_a_scenario() -> None:
    report = report_of(BOUNDS, {LITERAL_MAPS: search_alone(LITERAL_MAPS, BOUNDS)})
    searches = report["searches"]
    assert isinstance(searches, list)
    assert isinstance(searches[0], dict)
    kinds = searches[0]["mismatches"]
    assert isinstance(kinds, dict)
    false_conflict = kinds["false conflict"]
    assert isinstance(false_conflict, dict)
    assert false_conflict["trace"] == [
        {"client": "A", "edit": "A1"},
        {"client": "B", "poll": "A"},
        {"client": "A", "edit": "A2"},
        {"client": "B", "poll": "A"},
    ]


def test_mismatches_of_a_literal_reading_are_not_failures() -> None:
    tally = search_alone(LITERAL_MAPS, BOUNDS)
    assert report_of(BOUNDS, {LITERAL_MAPS: tally})["failed"] is False


def test_a_mismatch_of_a_repaired_design_is_a_failure() -> None:
    tally = search_alone(LITERAL_MAPS, BOUNDS)
    assert report_of(BOUNDS, {REPAIRED_MAPS: tally})["failed"] is True
