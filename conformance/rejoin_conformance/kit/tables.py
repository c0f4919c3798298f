"""Tables as text: each row has a name, a text, and further fields with names of their own.

walk: ours {local}   cached {cached}
summary: Return the snapshots that a client fetches,
and the classification.
graph: snapshots
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from rejoin_conformance.kit.phrases import Kind

_ROW: Final = re.compile(r"^(\S+):(.*)((?:\n {4}.*)*)", re.MULTILINE)
_FIELD: Final = re.compile(r"^ {4}(\S+): (.*(?:\n {8}.*)*)", re.MULTILINE)


def table(text: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the rows of a table: the name, the text, and the fields by their names."""
    for name, told, fields in _ROW.findall(text):
        yield name, told.strip(), {each: " ".join(v.split()) for each, v in _FIELD.findall(fields)}


_WORDS: Final = re.compile(r"^(\S+): (.*(?:\n .*)*)", re.MULTILINE)


def saying(text: str, kinds: Mapping[str, Kind]) -> dict[str, Kind]:
    """Return kinds with their words from a text: a name, a colon, and lines of words for each."""
    told = {name: " ".join(words.split()) for name, words in _WORDS.findall(text)}
    return {name: kind.saying(told.get(name, kind.words)) for name, kind in kinds.items()}
