"""A page for each vector."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.reports.bt_values import bt_values
from rejoin_site.corpus import topics
from rejoin_site.drawings import drawings_of
from rejoin_site.html import fill
from rejoin_site.places import playground, to_root, vector_page
from rejoin_site.shells import Shells
from rejoin_site.vector_facts import vector_facts

Opens = Callable[[str], bool]
"""Whether the playground opens a vector, by its ID."""


def vector_pages(system: str, shells: Shells, opens: Opens) -> Iterator[tuple[str, str]]:
    """Yield the page of each vector of a system: path in the site, text."""
    for topic in topics(system):
        vectors = topic.vectors
        for place, vector in enumerate(vectors):
            page = vector_page(vector.id)
            body = vector_body(vector, opens, (vectors[:place], vectors[place + 1 :]))
            yield page, shells.page(page, vector.id, body)


def vector_body(
    vector: Vector, opens: Opens, around: tuple[Sequence[Vector], Sequence[Vector]]
) -> str:
    """Return the text of a vector's page as HTML. around: the vectors before and after it."""
    system = system_named(vector.system)
    before, after = around
    return fill(
        "vector.html",
        to_root(vector_page(vector.id)),
        vector=vector,
        facts=vector_facts(vector),
        title=f"Vectors of {system.title}",
        readings=system.readings,
        opens=playground(vector.system, f"vector={vector.id}") if opens(vector.id) else None,
        drawings=[*drawings_of(vector)],
        values=bt_values({"question": vector.input, **_outputs(vector)}),
        previous=_neighbour(before[-1:]),
        next=_neighbour(after[:1]),
    )


def _outputs(vector: Vector) -> dict[str, JsonObject | None]:
    """Return the first reading's output, if it accepts the question."""
    output = vector.expected[vector.readings[0]].get("output")
    return {"answer": output} if isinstance(output, dict) else {}


def _neighbour(vectors: Sequence[Vector]) -> dict[str, str] | None:
    for vector in vectors:
        return {"place": vector_page(vector.id), "name": vector.id.rpartition("/")[2]}
    return None
