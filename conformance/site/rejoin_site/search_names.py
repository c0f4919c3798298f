"""What a search finds before pages: clauses, operations, topics, vectors and errata."""

from __future__ import annotations

from collections.abc import Iterator

from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.corpus.clauses import clauses_of
from rejoin_conformance.reports.rendering import prose
from rejoin_site.corpus import topics, vectors
from rejoin_site.names import titles_of_errata
from rejoin_site.packed import packed
from rejoin_site.places import clause_page, erratum_place, operation_place, topic_page, vector_page


def search_names() -> str:
    """Return the script with the names, which `static/site.js` searches: their texts are plain."""
    names = [(*name, prose(text).striptags()) for *name, text in _names()]
    return packed("rejoinNames", names)


def _names() -> Iterator[tuple[str, str, str, str]]:
    """Yield kind, name, place and text of each name, in the order in which a search lists them."""
    systems = all_systems()
    for system in systems:
        for clause in clauses_of(system.name):
            yield "clause", clause.id, clause_page(system.name, clause.id), clause.text
    for system in systems:
        for operation in system.operations:
            place = operation_place(system.name, operation.name)
            yield "operation", operation.name, place, operation.summary
    for system in systems:
        for topic in topics(system.name):
            name = f"{system.name}/{topic.name}"
            yield "topic", name, topic_page(name), topic.notes
    for system in systems:
        for vector in vectors(system.name).values():
            yield "vector", vector.id, vector_page(vector.id), vector.summary
    for system in systems:
        for name, title in titles_of_errata(system.name).items():
            yield "erratum", name, erratum_place(system.name, name), title
