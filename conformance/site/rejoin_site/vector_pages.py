"""A page for each topic of the corpus, with all its vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_site.bt_values import bt_values
from rejoin_site.corpus import topics
from rejoin_site.drawings import LEGEND, drawings_of
from rejoin_site.html import fill
from rejoin_site.places import playground, to_root, topic_page
from rejoin_site.shells import Shells
from rejoin_site.vector_facts import vector_facts

Opens = Callable[[str], bool]
"""Whether the playground opens a vector, by its ID."""


def topic_pages(system: str, shells: Shells, opens: Opens) -> Iterator[tuple[str, str]]:
    """Yield the page of each topic of a system: path in the site, text."""
    for topic in topics(system):
        page = topic_page(f"{system}/{topic.name}")
        bodies = [vector_body(each, opens) for each in topic.vectors]
        body = fill(
            "topic.html",
            to_root(page),
            system=system,
            title=f"Vectors of {system_named(system).title}",
            topic=topic,
            legend=LEGEND,
            vectors=[*zip(topic.vectors, bodies, strict=True)],
        )
        yield page, shells.page(page, f"{system}/{topic.name}", body)


def vector_body(vector: Vector, opens: Opens) -> str:
    """Return what the page of its topic shows of a vector, as HTML."""
    facts = vector_facts(vector)
    return fill(
        "vector.html",
        to_root(topic_page(vector.id.rpartition("/")[0])),
        vector=vector,
        facts=facts,
        readings=system_named(vector.system).readings,
        opens=playground(vector.system, f"vector={vector.id}") if opens(vector.id) else None,
        drawings=[] if facts.large else [*drawings_of(vector)],
        values=[] if facts.large else bt_values({"question": vector.input, **_outputs(vector)}),
    )


def _outputs(vector: Vector) -> dict[str, JsonObject | None]:
    """Return the first reading's output, if it accepts the question."""
    output = vector.expected[vector.readings[0]].get("output")
    return {"answer": output} if isinstance(output, dict) else {}
