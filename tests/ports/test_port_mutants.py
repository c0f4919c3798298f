"""Survivors of the ports' mutants need an argument, and an argument needs its survivor."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from javascript_mutants import from_stryker, random_kills
from port_mutants import (
    KILLED,
    SURVIVED,
    Equivalent,
    Mutant,
    faults,
    load_equivalent,
)
from scratch import PORTS

SOURCE = "const a = 1;\nconst b = a < 2 ? a < 2 : a;\n"


def reported(status: str, column: int) -> dict[str, Any]:
    return {
        "mutatorName": "EqualityOperator",
        "replacement": "a <= 2",
        "status": status,
        "location": {
            "end": {"column": column + 5, "line": 2},
            "start": {"column": column, "line": 2},
        },
    }


@pytest.fixture
def mutants() -> tuple[Mutant, ...]:
    listed = [reported("Survived", 19), reported("Killed", 11), reported("Ignored", 11)]
    return from_stryker({"files": {"b.js": {"source": SOURCE, "mutants": listed}}})


def entry(mutant: Mutant, argument: str = "because") -> Equivalent:
    file, line, kind, before, after, occurrence = mutant.change
    return Equivalent(
        file=file,
        line=line,
        kind=kind,
        before=before,
        after=after,
        occurrence=occurrence,
        argument=argument,
    )


def test_equal_changes_of_a_line_are_numbered(mutants: tuple[Mutant, ...]) -> None:
    assert [(each.before, each.occurrence, each.fate) for each in mutants] == [
        ("a < 2", 0, KILLED),
        ("a < 2", 1, SURVIVED),
    ]


def test_a_survivor_without_an_entry_is_a_fault(mutants: tuple[Mutant, ...]) -> None:
    (fault,) = faults(mutants, ())
    assert "survives without an entry" in fault


def test_a_survivor_with_an_entry_is_right(mutants: tuple[Mutant, ...]) -> None:
    assert faults(mutants, [entry(mutants[1])]) == ()


def test_an_entry_of_a_killed_mutant_is_refuted(mutants: tuple[Mutant, ...]) -> None:
    (fault,) = faults(mutants, [entry(mutants[1]), entry(mutants[0])])
    assert "refuted" in fault


def test_an_entry_of_no_mutant_is_a_fault(mutants: tuple[Mutant, ...]) -> None:
    (fault,) = faults(mutants, [entry(mutants[1]), evolve(entry(mutants[1]), after="a > 2")])
    assert "names no mutant" in fault


def test_an_entry_of_a_file_that_was_not_run_is_right(mutants: tuple[Mutant, ...]) -> None:
    other = evolve(entry(mutants[1]), file="c.js")
    assert faults(mutants, [entry(mutants[1]), other]) == ()


def test_two_entries_of_one_mutant_are_a_fault(mutants: tuple[Mutant, ...]) -> None:
    (fault,) = faults(mutants, [entry(mutants[1]), entry(mutants[1], argument="another reason")])
    assert "2 entries name the same mutant" in fault


def test_an_entry_without_an_argument_is_a_fault(mutants: tuple[Mutant, ...]) -> None:
    (fault,) = faults(mutants, [entry(mutants[1], argument=" ")])
    assert "no argument" in fault


def test_a_mutant_that_random_vectors_alone_kill_is_listed_with_them() -> None:
    listed = [
        {**reported("Killed", 11), "killedBy": ["history-merge/merge/two-heads"]},
        {**reported("Killed", 19), "killedBy": ["history-merge/distilled/default-2"]},
    ]
    kills = random_kills({"files": {"b.js": {"source": SOURCE, "mutants": listed}}})
    assert dict(kills) == {
        "b.js:2:19: EqualityOperator a <= 2": ["history-merge/distilled/default-2"]
    }


@pytest.mark.parametrize("port", ["rust", "javascript"])
def test_entries_name_lines_of_the_sources(port: str) -> None:
    for each in load_equivalent(port):
        source = (PORTS / port / each.file).read_text(encoding="utf-8")
        lines = {" ".join(line.split()) for line in source.splitlines()}
        assert each.line in lines or each.line.endswith("...")
