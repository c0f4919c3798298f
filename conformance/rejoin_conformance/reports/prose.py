"""The Markdown of a clause or of a law as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Final

from markupsafe import Markup

from rejoin_conformance.kit.untrusted import shown_line

_LONGEST: Final = 20_000
_MARKDOWN: Final = re.compile(
    r"`(?P<code>[^`]+)`|\\(?P<escape>[!-/:-@\[-`{-~])|\*(?P<em>[^*\s`\\][^*`\\]*)\*|.", re.DOTALL
)
"""Code, a character escaped by a backslash, emphasised text, or any other character."""


def prose(text: str, limit: int | None = None) -> Markup:
    """Return Markdown without links, such as a clause's text, as HTML.

    The function cuts the text at a word if it has more than `limit` characters.
    """
    marked = list(_characters(shown_line(text, _LONGEST)))
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
