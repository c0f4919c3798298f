"""A page for each clause."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.vector import Vector
from rejoin_site.api_documents import function_place
from rejoin_site.clause_facts import ClauseFacts, clause_facts
from rejoin_site.corpus import vectors as vectors_of
from rejoin_site.html import fill
from rejoin_site.places import clause_page, playground, to_root
from rejoin_site.shells import Shells


def clause_pages(
    system: str, shells: Shells, opens: Callable[[str], bool]
) -> Iterator[tuple[str, str]]:
    """Yield the page of each clause of a system: path in the site, text."""
    vectors = vectors_of(system)
    for facts in clause_facts(system):
        name = facts.trace.clause.id
        page = clause_page(system, name)
        yield page, shells.page(page, name, clause_body(system, facts, vectors, opens))


def clause_body(
    system: str, facts: ClauseFacts, vectors: dict[str, Vector], opens: Callable[[str], bool]
) -> str:
    """Return the text of a clause's page as HTML. vectors: those of the system, by ID."""
    clause = facts.trace.clause
    root = to_root(clause_page(system, clause.id))
    first = next((each for each in facts.trace.vectors if opens(each)), None)
    return fill(
        "clause.html",
        root,
        system=system,
        title=system_named(system).title,
        clause=clause,
        page=f"spec/{system}/{clause.file.removesuffix('.md')}.html",
        facts=facts,
        vectors=_named(facts.trace.vectors, vectors),
        generated=_named(facts.trace.generated, vectors),
        example=None if first is None else {"place": playground(system, f"vector={first}")},
        functions=[
            (name, None if place is None else root + place)
            for name in facts.trace.functions
            for place in [function_place(name)]
        ],
        previous=_neighbour(system, facts.previous),
        next=_neighbour(system, facts.next),
    )


def _named(names: Sequence[str], vectors: dict[str, Vector]) -> list[Vector]:
    return [vectors[name] for name in names]


def _neighbour(system: str, name: str | None) -> dict[str, str] | None:
    return None if name is None else {"place": clause_page(system, name), "name": name}
