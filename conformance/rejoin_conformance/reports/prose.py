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
_MARKDOWN: Final = re.compile(r"`([^`]+)`|\\([!-/:-@\[-`{-~])|(.)", re.DOTALL)
"""Code, a character escaped by a backslash, or any other character."""


def prose(text: str, limit: int | None = None) -> Markup:
    """Return Markdown without links, such as a clause's text, as HTML.

    The function cuts the text at a word if it has more than `limit` characters.
    """
    marked = list(_characters(shown_line(text, _LONGEST)))
    if limit is not None and len(marked) > limit:
        marked = marked[:limit]
        while marked and marked.pop()[0] != " ":
            pass
        marked += [(each, False) for each in " ..."]
    runs = (
        (code, "".join(character for character, _ in run))
        for code, run in groupby(marked, key=itemgetter(1))
    )
    return Markup("").join(
        Markup("<code>{}</code>").format(run) if code else run for code, run in runs
    )


def _characters(text: str) -> Iterator[tuple[str, bool]]:
    """Yield every visible character, and whether it is code."""
    for found in _MARKDOWN.finditer(text):
        code, escape, plain = found.groups()
        yield from ((each, code is not None) for each in code or escape or plain)
