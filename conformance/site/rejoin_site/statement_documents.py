"""Each source document, statement by statement, as a document of the site."""

from __future__ import annotations

from collections.abc import Iterator

from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.corpus.statements import Backing, DocumentTrace, Statement, trace_document
from rejoin_conformance.kit.text import counted
from rejoin_site.docstrings import escaped


def statement_documents() -> dict[str, str]:
    """Return the documents: path in the site's source -> Markdown."""
    return {
        f"statements/{system}.md": "\n".join(_document(system, trace_document(system)))
        for system in system_names()
    }


def _document(system: str, traced: DocumentTrace) -> Iterator[str]:
    title = system_named(system).title
    statements = traced.document.statements
    prose = traced.only_prose()
    yield f"# Statements: {title[0].lower()}{title[1:]}"
    yield ""
    yield (
        f"The source document in {counted(len(statements), 'statement')}, in our words, with the "
        "clauses and errata that hold each of them, and the number of vectors, laws and proofs "
        f"behind these. No vector, law or proof backs {len(prose)} of the statements. The number "
        "before a statement is its line in the document, as plain text."
    )
    yield ""
    seen: set[int] = set()
    for each in statements:
        if each.line not in seen:
            yield f'<a id="line-{each.line}"></a>'
            yield ""
        seen.add(each.line)
        yield from _statement(traced, each)
    if traced.unnamed:
        yield "## Clauses and errata that the spec adds"
        yield ""
        yield ", ".join(traced.unnamed) + "."
    yield ""


def _statement(traced: DocumentTrace, statement: Statement) -> Iterator[str]:
    kind = f" *{statement.kind.capitalize()}.*" if statement.kind else ""
    yield f"**{statement.line}** {escaped(statement.gist)}{kind}"
    yield ""
    for name in statement.held_by:
        found = traced.backing.get(name, Backing())
        counts = (
            counted(found.vectors, "vector"),
            counted(found.laws, "law"),
            counted(found.proofs, "proof"),
        )
        yield f"- {name}: {', '.join(counts)}"
    for vector in statement.shown_by:
        yield f"- `{vector}`"
    yield ""
