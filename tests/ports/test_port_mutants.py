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


def entry(mutant: Mutant) -> Equivalent:
    file, line, kind, before, after, occurrence = mutant.change
    return Equivalent(
        file=file,
        line=line,
        kind=kind,
        before=before,
        after=after,
        occurrence=occurrence,
        argument="because",
    )


def test_equal_changes_of_a_line_are_numbered(mutants: tuple[Mutant, ...]) -> None:
    assert [(each.before, each.occurrence, each.fate) for each in mutants] == [
        ("a < 2", 0, KILLED),
        ("a < 2", 1, SURVIVED),
    ]


def test_each_survivor_needs_one_entry_with_an_argument_and_each_entry_its_survivor(
    mutants: tuple[Mutant, ...],
) -> None:
    survivor = entry(mutants[1])
    wrong: dict[str, tuple[Equivalent, ...]] = {
        "survives without an entry": (),
        "refuted": (survivor, entry(mutants[0])),
        "names no mutant": (survivor, evolve(survivor, after="a > 2")),
        "2 entries name the same mutant": (survivor, evolve(survivor, argument="another reason")),
        "no argument": (evolve(survivor, argument=" "),),
    }
    for said, entries in wrong.items():
        (fault,) = faults(mutants, entries)
        assert said in fault
    assert faults(mutants, [survivor]) == ()
    assert faults(mutants, [survivor, evolve(survivor, file="c.js")]) == ()  # c.js was not run


def test_a_mutant_that_random_vectors_alone_kill_is_listed_with_them() -> None:
    listed = [
        {**reported("Killed", 11), "killedBy": ["history-merge/merge/two-heads"]},
        {**reported("Killed", 19), "killedBy": ["history-merge/distilled/default-2"]},
    ]
    kills = random_kills({"files": {"b.js": {"source": SOURCE, "mutants": listed}}})
    assert dict(kills) == {
        "b.js:2:19: EqualityOperator a <= 2": ["history-merge/distilled/default-2"]
    }


def test_entries_name_lines_of_the_sources() -> None:
    for port in ("rust", "javascript"):
        for each in load_equivalent(port):
            source = (PORTS / port / each.file).read_text(encoding="utf-8")
            lines = {" ".join(line.split()) for line in source.splitlines()}
            assert each.line in lines or each.line.endswith("..."), each
