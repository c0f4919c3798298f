"""The vectors that change under another reading or a changed rule, as a document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rejoin_conformance.corpus.clauses import clause_named
from rejoin_conformance.corpus.moved import MovedClause, MovedVectors
from rejoin_conformance.kit.document import Block, Code, Fold, Items, Line, Span, Text

_LONGEST: Final = 1000
"""The number of characters of one difference that are shown."""


def moved_vectors(found: MovedVectors) -> Iterator[Fold]:
    """Yield each vector that changes, with the difference."""
    for each in found.moved:
        observed = [Code(each.observed[:_LONGEST])] if each.observed else []
        yield Fold(f"CHANGED {each.vector.id}  [{', '.join(each.vector.clauses)}]", observed)


def moved_clauses(found: MovedVectors) -> Iterator[Fold]:
    """Yield the clauses of the vectors that change: those of the changed code, then the others."""
    for whose, is_changed in (("clauses of the changed code", True), ("other clauses", False)):
        rows = [
            f"{each.clause}  {each.moved} of {each.asked}"
            for each in found.clauses
            if each.is_changed is is_changed
        ]
        if found.moved and rows:
            yield Fold(f"{whose}, by the share of their vectors that change", [Items(rows)])


def page_vectors(found: MovedVectors) -> Iterator[Fold]:
    """Yield the same for a page: with what each vector shows, and links to its clauses."""
    listed = {each.clause for each in found.clauses}
    for each in found.moved:
        vector = each.vector
        links = [clause_link(name) for name in vector.clauses if name in listed]
        blocks: list[Block] = [Text(vector.summary), Items(links)]
        blocks += [Code(each.observed[:_LONGEST])] if each.observed else []
        yield Fold((Span(vector.id, "code"),), blocks, anchor=f"vector-{vector.id}")


def page_clauses(found: MovedVectors, system: str, most: int | None) -> Iterator[Fold]:
    """Yield the same for a page: with the text of each clause, and links to its vectors.

    most: the number of links for each clause; None for all.
    """
    for each in found.clauses:
        share = f"  {each.moved} of {each.asked} vectors change"
        code = ", in the changed code" if each.is_changed else ""
        title = (Span(each.clause, "code"), share + code)
        yield Fold(title, [*_clause(each, found, system, most)], anchor=f"clause-{each.clause}")


def clause_link(name: str) -> Span:
    """Return the name of a clause that leads to its part of the page."""
    return Span(name, "code", f"#clause-{name}")


def _clause(
    each: MovedClause, found: MovedVectors, system: str, most: int | None
) -> Iterator[Block]:
    clause = clause_named(system, each.clause)
    if clause is not None:
        yield Text(Span(clause.text, "prose"))
    names = [moved.vector.id for moved in found.moved if each.clause in moved.vector.clauses]
    links: list[Line] = [Span(name, "code", f"#vector-{name}") for name in names[:most]]
    links += ["..."] if len(links) < len(names) else []
    yield Items(links) if links else Text("None of its vectors changes.")
