"""Tables as text: each row has a name, a text, and further fields with names of their own.

    walk: ours {local}   cached {cached}
        summary: Return the snapshots that a client fetches,
            and the classification.
        graph: snapshots

A line that fits nowhere is an error, so that a misspelt row does not vanish.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from rejoin_conformance.kit.phrases import Kind

_ROW: Final = re.compile(r"^(\S+):(.*)((?:\n {4}.*)*)", re.MULTILINE)
_FIELD: Final = re.compile(r"^ {4}(\S+): (.*(?:\n {8}.*)*)", re.MULTILINE)
_WORDS: Final = re.compile(r"^(\S+): (.*(?:\n .*)*)", re.MULTILINE)


def table(text: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the rows of a table: the name, the text, and the fields by their names.

    Raises ValueError with the first line that belongs to no row.
    """
    for name, told, fields in whole(_ROW, text):
        yield name, told.strip(), {each: " ".join(v.split()) for each, v in whole(_FIELD, fields)}


def saying(text: str, kinds: Mapping[str, Kind]) -> dict[str, Kind]:
    """Return kinds with their words from a text: a name, a colon, and lines of words for each.

    Raises ValueError with the first line that belongs to no kind.
    """
    told = {name: " ".join(words.split()) for name, words in whole(_WORDS, text)}
    return {name: kind.saying(told.get(name, kind.words)) for name, kind in kinds.items()}


def whole(pattern: re.Pattern[str], text: str) -> list[tuple[str, ...]]:
    """Return the groups of each match of a pattern, which together are the whole text.

    Raises ValueError with the first line that is in no match.
    """
    rest = pattern.sub("", text).strip()
    if rest:
        raise ValueError(f"a table of text has a line of no row: {rest.partition(chr(10))[0]!r}")
    return pattern.findall(text)
