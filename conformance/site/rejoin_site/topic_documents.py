"""The topics of each system as a document."""

from __future__ import annotations

from collections.abc import Iterator

from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.kit.text import counted
from rejoin_site.corpus import topics, vectors
from rejoin_site.docstrings import escaped


def topic_documents() -> dict[str, str]:
    """Return the documents: path in the site's source -> Markdown."""
    return {f"vectors/{system}.md": "\n".join(_all_topics(system)) for system in system_names()}


def _all_topics(system: str) -> Iterator[str]:
    title = system_named(system).title
    yield f"# Vectors of {title[0].lower()}{title[1:]}"
    yield ""
    yield (
        f"The corpus has {counted(len(vectors(system)), 'vector')} of this system. The page of a "
        "topic has each of its vectors: decoded, drawn if it has a graph, and with the steps of "
        "the reference. A large vector is shown as the corpus writes it."
    )
    yield ""
    yield "| Topic | Vectors | Contents |"
    yield "|---|--:|---|"
    for topic in topics(system):
        notes = escaped(topic.notes).replace("|", "\\|")
        link = f'<a href="{system}/{topic.name}.html">{topic.name}</a>'
        yield f"| {link} | {len(topic.vectors):,} | {notes} |"
