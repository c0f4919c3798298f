"""Read the clauses from the spec."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from attrs import frozen

from rejoin_conformance.contract.registry import system_names
from rejoin_conformance.kit.locations import spec_directory

_CLAUSE: Final = re.compile(
    r"^\s*(?:[-*] )?\*\*(?P<id>[A-Z]+(?:-[A-Z0-9]+)+)\*\* \((?P<level>MUST|SHOULD|MAY)\) ?",
    re.MULTILINE,
)


@frozen
class Clause:
    """One normative statement: its ID, its level, its file and its text."""

    id: str
    level: str
    file: str
    text: str


@cache
def clauses_of(system: str) -> tuple[Clause, ...]:
    """Return the clauses of a system, by file. An ID that occurs twice is listed twice."""
    folder = spec_directory() / system
    return tuple(
        clause
        for path in sorted(folder.glob("*.md"))
        for clause in clauses_in(path.read_text(encoding="utf-8"), path.name)
    )


@cache
def clause_named(system: str, name: str) -> Clause | None:
    """Return the clause of a system with that ID; None if the spec has no such clause.

    system: can come from a file that anyone wrote.
    """
    if system not in system_names():
        return None
    return next((clause for clause in clauses_of(system) if clause.id == name), None)


def clauses_in(text: str, file: str) -> tuple[Clause, ...]:
    """Return the clauses in one file's text, each with its paragraph on one line."""
    return tuple(
        Clause(
            match["id"],
            match["level"],
            file,
            " ".join(re.split(r"\n\s*\n", text[match.end() :], maxsplit=1)[0].split()),
        )
        for match in _CLAUSE.finditer(text)
    )
