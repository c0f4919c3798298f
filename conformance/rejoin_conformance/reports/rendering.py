"""The templates of this package, and Markdown in them.

They escape all text, because it can come from anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from rejoin_conformance.kit.document import plain_text, spans
from rejoin_conformance.kit.untrusted import shown, shown_line

_LONGEST_PROSE: Final = 20_000
_MARKDOWN: Final = re.compile(
    r"`(?P<code>[^`]+)`|\\(?P<escape>[!-/:-@\[-`{-~])|\*(?P<em>[^*\s`\\][^*`\\]*)\*|.", re.DOTALL
)
"""Code, a character escaped by a backslash, emphasised text, or any other character."""


def prose(text: str, limit: int | None = None) -> Markup:
    """Return Markdown without links, such as a clause's text, as HTML.

    The function cuts the text at a word if it has more than `limit` characters.
    """
    marked = list(_characters(shown_line(text, _LONGEST_PROSE)))
    if limit is not None and len(marked) > limit:
        marked = marked[:limit]
        while marked and marked.pop()[0] != " ":
            pass
        marked += [(each, "") for each in " ..."]
    runs = (
        (tag, "".join(character for character, _ in run))
        for tag, run in groupby(marked, key=itemgetter(1))
    )
    return Markup("").join(
        Markup("<{}>{}</{}>").format(tag, run, tag) if tag else run for tag, run in runs
    )


def _characters(text: str) -> Iterator[tuple[str, str]]:
    """Yield every visible character, and its tag: `code`, `em` or none."""
    for found in _MARKDOWN.finditer(text):
        kind = found.lastgroup or ""
        tag = kind if kind != "escape" else ""
        yield from ((each, tag) for each in found[kind or 0])


_LONGEST: Final = 12_000
"""The number of characters of one block of code that a page shows."""


@cache
def templates() -> Environment:
    """Return the templates with their filters."""
    environment = Environment(
        loader=PackageLoader(__package__),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    filters: dict[str, Callable[..., object]] = {
        "line": lambda text, limit=300: shown_line(str(text), limit),
        "shown": lambda text: shown(text, _LONGEST),
        "prose": prose,
        "spans": spans,
        "plain": plain_text,
        "kind": lambda block: type(block).__name__,
        "comma": lambda number: f"{number:,}",
    }
    environment.filters |= filters
    return environment


def fragment(template: str, **values: Any) -> Markup:
    """Return a part of a page, which must not be escaped again."""
    text = templates().get_template(template).render(**values)
    return Markup(text + "\n")  # noqa: S704 - the template escaped it


@cache
def inline(name: str) -> Markup:
    """Return a file of the templates' folder to write into a page as it is."""
    path = files(__package__).joinpath("templates", name)
    return Markup(path.read_text(encoding="utf-8"))  # noqa: S704 - a file of this package
