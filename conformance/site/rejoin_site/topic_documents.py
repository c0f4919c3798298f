"""The vectors of each system as documents: one with all topics, and one for each topic."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import escape

from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.kit.counted import counted
from rejoin_site.corpus import CorpusTopic, topics, vectors
from rejoin_site.docstrings import escaped
from rejoin_site.html import linked
from rejoin_site.places import to_root, topic_document, vector_page

_ORPHAN = "---\norphan: true\n---\n\n"


def topic_documents() -> dict[str, str]:
    """Return the documents: path in the site's source -> Markdown."""
    documents: dict[str, str] = {}
    for system in system_names():
        documents[f"vectors/{system}.md"] = "\n".join(_all_topics(system))
        for topic in topics(system):
            documents[f"{topic_document(system, topic.name)}.md"] = _topic(system, topic)
    return documents


def _all_topics(system: str) -> Iterator[str]:
    title = system_named(system).title
    yield f"# Vectors of {title[0].lower()}{title[1:]}"
    yield ""
    yield (
        f"The corpus has {counted(len(vectors(system)), 'vector')} of this system. Each has a page "
        "of its own: decoded, drawn if it has a graph, and with the steps of the reference."
    )
    yield ""
    yield "| Topic | Vectors | Contents |"
    yield "|---|--:|---|"
    for topic in topics(system):
        notes = escaped(topic.notes).replace("|", "\\|")
        yield f"| [{topic.name}]({system}/{topic.name}.md) | {len(topic.vectors):,} | {notes} |"


def _topic(system: str, topic: CorpusTopic) -> str:
    root = to_root(topic_document(system, topic.name))
    rows = [
        f'<li><a href="{root}{vector_page(vector.id)}">{escape(vector.id.rpartition("/")[2])}</a> '
        f'<span class="quiet">{linked(vector.summary, root)}</span></li>'
        for vector in topic.vectors
    ]
    return "\n".join(
        [
            f"{_ORPHAN}# {topic.name}",
            "",
            f"[All topics](../{system}.md)",
            "",
            escaped(topic.notes),
            "",
            "```{raw} html",
            '<ul class="vectors">',
            *rows,
            "</ul>",
            "```",
            "",
        ]
    )
