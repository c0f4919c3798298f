"""The examples of each source document, as documents: drawn, with links to the playground."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from markupsafe import Markup

from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.document_examples import NamedExample, document_examples
from rejoin_conformance.corpus.showing import drawings_for, names_in, question_of
from rejoin_conformance.kit.json_types import canonical_json
from rejoin_conformance.reports.rendering import dag_svg
from rejoin_site.docstrings import escaped
from rejoin_site.drawings import LEGEND
from rejoin_site.figures import vectors_of_errata
from rejoin_site.html import fill
from rejoin_site.names import titles_of_errata
from rejoin_site.places import erratum_place, playground, to_root, vector_page
from rejoin_site.vector_facts import vector_facts

Opens = Callable[[str], bool]


def example_documents(opens: Opens) -> dict[str, str]:
    """Return the documents: path in the site's source -> Markdown.

    opens: whether the playground opens a vector, by its ID.
    """
    return {
        f"examples/{system}.md": "\n".join(_document(system, opens)) for system in system_names()
    }


def picture_of(name: str) -> str:
    """Return the first drawing of a document's example as Markdown for the home page."""
    named = next(each for each in document_examples() if each.name == name)
    drawn = _drawings(named, named.whole() or named.vectors()[0])
    place = f"examples/{named.system.name}.html#example-{named.example.name}"
    return f'```{{raw}} html\n<a href="{place}" class="picture">{drawn[0]}</a>\n```'


def _document(system: str, opens: Opens) -> Iterator[str]:
    title = system_named(system).title
    yield f"# Examples: {title[0].lower()}{title[1:]}\n"
    yield (
        "Every example of the source document, as the vectors that play it, and the smallest "
        "example of each erratum, with the smallest one that the playground opens. A link with ▶ "
        f"opens the vector in the playground. {LEGEND}\n"
    )
    for named in document_examples():
        if named.system.name == system:
            yield from _example(named, opens)
    yield "## The smallest example of each erratum\n"
    yield '```{raw} html\n<ul class="vectors">'
    root = to_root(f"examples/{system}")
    titles = titles_of_errata(system)
    for name, vectors in vectors_of_errata().items():
        if name in titles:
            opened = next((each for each in vectors if opens(each.id)), vectors[0])
            shown = {vectors[0].id, opened.id}
            yield fill(
                "smallest.html",
                root,
                name=name,
                title=titles[name],
                place=erratum_place(system, name),
                vectors=[_links(each, opens) for each in vectors if each.id in shown],
            )
    yield "</ul>\n```\n"


def _example(named: NamedExample, opens: Opens) -> Iterator[str]:
    yield f"(example-{named.example.name})="
    yield f"## {named.example.name}\n"
    yield (
        f"{escaped(named.example.title)} ({named.place}). To see it in a terminal, run "
        f"`rejoin show {named.name}`.\n"
    )
    whole = named.whole()
    drawn = named.vectors() if whole is None else (whole,)
    vectors = [*([whole] if whole is not None else []), *named.vectors()]
    unique = {vector.id: vector for vector in vectors}
    root = to_root(f"examples/{named.system.name}")
    html = fill(
        "example.html",
        root,
        drawings={each: vector for vector in drawn for each in _drawings(named, vector)},
        facts=vector_facts(vectors[0]),
        vector=vectors[0].id,
        vectors=[_links(vector, opens) for vector in unique.values()],
    )
    yield f"```{{raw}} html\n{html}\n```\n"


def _drawings(named: NamedExample, vector: Vector) -> list[Markup]:
    """Return the drawings of the vector that an example is drawn as, with the document's names.

    Of the vector that has everything, they have only the messages that the example is about.
    """
    question = question_of(named.system, vector)
    drawn = drawings_for(question, vector.readings[0])
    about = _names_about(named, vector)
    return [dag_svg(each.only(about) if about else each) for each in drawn if len(each.dag) > 1]


def _names_about(named: NamedExample, vector: Vector) -> list[str]:
    """Return the names of the messages of a vector that the vectors of an example have too.

    Returns nothing if it is one of them.
    """
    names, messages = names_in(question_of(named.system, vector)), vector.input.get("messages")
    if names is None or not isinstance(messages, list) or vector in named.vectors():
        return []
    said = "".join(canonical_json(each.to_json()) for each in named.vectors())
    given = zip(names.definitions, messages, strict=True)
    return [name for name, message in given if str(message) in said]


def _links(vector: Vector, opens: Opens) -> dict[str, str]:
    opened = playground(vector.system, f"vector={vector.id}") if opens(vector.id) else ""
    return {
        "name": vector.id.partition("/")[2],
        "summary": vector.summary,
        "place": vector_page(vector.id),
        "opened": opened,
    }
