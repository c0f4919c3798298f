"""Values of result files as text for a page: formatted, bounded and printable."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Final

from markupsafe import Markup

from rejoin_conformance.kit.json_types import Json, canonical_json
from rejoin_conformance.kit.untrusted import shown

_SHOWN: Final = 6000
_MARKDOWN: Final = re.compile(r"`([^`]+)`|\\([!-/:-@\[-`{-~])|(.)", re.DOTALL)
"""Code, a character escaped by a backslash, or any other character."""


def value_text(value: Json) -> str:
    """Return a JSON value as text: formatted if it is short, cut if it is long."""
    try:
        text = canonical_json(value)
        if len(text) <= _SHOWN:
            text = json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True)
    except RecursionError:
        return "(nested too deeply to be shown)"
    return shown(text, 2 * _SHOWN)


def text_shown(text: str) -> str:
    """Return text in a notation that is safe to show."""
    return shown(text, 2 * _SHOWN)


def observed_text(value: Json) -> str:
    """Return the observed output: nothing, a reply, or the beginning of a long reply."""
    if value is None:
        return "(no reply)"
    cut = value.get("truncated") if isinstance(value, dict) and len(value) == 1 else None
    if isinstance(cut, dict) and isinstance(cut.get("start"), str):
        length = cut.get("characters")
        whole = f" of {length:,} characters" if isinstance(length, int) else ""
        return shown(f"(the beginning{whole})\n{cut['start']}", _SHOWN)
    return value_text(value)


def prose(text: str, limit: int | None = None) -> Markup:
    """Return Markdown without links, such as a clause's text, as HTML.

    The function cuts the text at a word if it has more than `limit` characters.
    """
    marked = list(_characters(text))
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
