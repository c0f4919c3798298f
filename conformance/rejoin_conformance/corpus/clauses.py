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
_LINK: Final = re.compile(r"(?P<kept>`[^`]*`|\\.)|\[(?P<text>(?:\\.|[^]\\])+)\]\([^)]*\)")
"""A link with its text; or code or an escaped character, in which no link begins."""


@frozen
class Clause:
    """One normative statement: its ID, its level, its file and its text.

    text: Markdown on one line. A link is replaced by its text, because it leads from one page of
        the spec to another, which the reader of a clause alone does not have.
    """

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
    """Return the clauses in one file's text. The text of each is its paragraph."""
    return tuple(
        Clause(
            match["id"],
            match["level"],
            file,
            _without_links(re.split(r"\n\s*\n", text[match.end() :], maxsplit=1)[0]),
        )
        for match in _CLAUSE.finditer(text)
    )


def _without_links(paragraph: str) -> str:
    """Return a paragraph on one line, with the text of each link in its place."""
    line = " ".join(paragraph.split())
    return _LINK.sub(lambda found: found["kept"] or found["text"], line)
