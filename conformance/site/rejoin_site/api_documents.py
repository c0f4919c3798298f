"""The API of `import rejoin` as documents: one for each module, and one that lists them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from rejoin_conformance.kit.counted import counted
from rejoin_site.definitions import Definition, ModuleSource, modules
from rejoin_site.docstrings import as_markdown, escaped
from rejoin_site.places import module_page

_ORPHAN = "---\norphan: true\n---\n\n"

_INTRODUCTION: Final = (
    "`import rejoin` is a literal reference: the steps of the documents are the steps of the "
    "functions. These pages are its docstrings. Each function names the clauses that it follows."
)


def api_documents() -> dict[str, str]:
    """Return the documents: path in the site's source -> Markdown."""
    documents = {f"api/{each.name}.md": _module(each) for each in modules()}
    return {"api/index.md": _index(), **documents}


@cache
def _known() -> dict[str, str]:
    """Return the place of each public definition and each module."""
    places = {each.name: module_page(each.name) for each in modules()}
    for module in modules():
        page = module_page(module.name)
        places |= {name: f"{page}#{name}" for name in module.places}
    return places


def function_place(name: str) -> str | None:
    """Return the place of a function by its dotted name; of its module if it is not public."""
    parts = name.split(".")
    for length in range(len(parts), 1, -1):
        place = _known().get(".".join(parts[:length]))
        if place is not None:
            return place
    return None


def _index() -> str:
    lines = [
        "# The API of the reference",
        "",
        _INTRODUCTION,
        "",
        "| Module | Contents | Public names |",
        "|---|---|--:|",
    ]
    for module in modules():
        first = escaped(" ".join(module.docstring.split("\n\n")[0].split())).replace("|", "\\|")
        number = counted(len(module.definitions), "name")
        lines.append(f"| [`{module.name}`]({module.name}.md) | {first} | {number} |")
    return "\n".join([*lines, ""])


def _module(module: ModuleSource) -> str:
    lines = [
        f"{_ORPHAN}# {module.name}",
        "",
        "[All modules](index.md)",
        "",
        f"```{{py:module}} {module.name}\n```",
        "",
        as_markdown(module.docstring, ()),
        "",
    ]
    for each in module.definitions:
        lines += _directive(each, fence=":" * 4)
    return "\n".join([*lines, ""])


def _directive(definition: Definition, fence: str) -> Iterator[str]:
    """Yield a definition as a directive, with what is inside it."""
    option = ""
    said = definition.signature
    if definition.kind in {"data", "property"}:
        written, _, value = said.partition(" = ")
        option = f":type: {written}" + (f"\n:value: {value}" if value else "")
        said = ""
    yield f"{fence}{{py:{definition.kind}}} {definition.name}{said}"
    if option:
        yield option
    yield ""
    yield as_markdown(definition.docstring, definition.names)
    yield ""
    for inner in definition.inside:
        yield from _directive(inner, fence=":" * 3)
    yield fence
    yield ""
