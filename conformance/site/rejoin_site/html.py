"""HTML of the pages that the generator of the texts does not make: templates, names as links."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

from rejoin_conformance.kit.text import counted
from rejoin_site.names import pieces
from rejoin_site.places import PARTS, vector_page

_CODE: Final = re.compile(r"`([^`]+)`")
_TEXT_LINK: Final = re.compile(r"(?P<page>[^:#]*)\.md(?P<anchor>#.*)?")


def fill(template: str, root: str, **values: Any) -> str:
    """Return a template, filled in. root: the way from the page to the root of the site."""
    return _environment().get_template(template).render(root=root, **values)


def linked(text: str, root: str) -> Markup:
    """Return a plain text as HTML, with names as links."""
    return Markup().join(
        escape(piece.text)
        if piece.place is None
        else Markup('<a class="name" href="{}">{}</a>').format(root + piece.place, piece.text)
        for piece in pieces(text)
    )


def coded(text: str, root: str | None = None) -> Markup:
    """Return a plain text as HTML: code between backticks, and names as links, if root is given."""
    return Markup().join(
        Markup("<code>{}</code>").format(part)
        if place % 2
        else escape(part)
        if root is None
        else linked(part, root)
        for place, part in enumerate(_CODE.split(text))
    )


def inline(markdown: str, root: str, folder: str = "") -> Markup:
    """Return one paragraph of Markdown as HTML, with names as links.

    folder: the folder of the text in the site, for its links to other texts.
    """
    children = _markdown().parseInline(markdown)[0].children or []
    return Markup().join(_rendered(children, root, folder))


def _rendered(tokens: Iterable[Token], root: str, folder: str) -> Iterable[Markup]:
    inside_link = False
    for token in tokens:
        match token.type:
            case "text" if not inside_link:
                yield linked(token.content, root)
            case "code_inline":
                content = escape(token.content) if inside_link else linked(token.content, root)
                yield Markup("<code>{}</code>").format(content)
            case "link_open":
                inside_link = True
                place = _place(str(token.attrGet("href")), root, folder)
                yield Markup('<a href="{}">').format(place)
            case "link_close":
                inside_link = False
                yield Markup("</a>")
            case _:
                # Its own renderer escapes the text of every other token.
                yield Markup(_markdown().renderer.render([token], _markdown().options, {}))


def _place(link: str, root: str, folder: str) -> str:
    found = _TEXT_LINK.fullmatch(link)
    if found is None:
        return link
    return f"{root}{folder}{found['page']}.html{found['anchor'] or ''}"


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(PARTS / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters["linked"] = linked
    environment.filters["coded"] = coded
    environment.filters["inline"] = inline
    environment.filters["count"] = counted
    environment.filters["place"] = vector_page
    environment.filters["comma"] = lambda number: f"{number:,}"
    return environment
