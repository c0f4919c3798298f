"""The bt-encoded values in JSON as text: each one beside its hex."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final

from attrs import frozen

from rejoin import bencode
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.text import shown

_HEX: Final = re.compile(r"(?:[0-9a-f]{2})+")
_LONGEST: Final = 8_000
"""The maximum number of hex digits to decode, and of characters of a value to show."""
_HEX_SHOWN: Final = 1_000
_WIDTH: Final = 100
_MOST: Final = 8
_DEEPEST: Final = 40
"""The depth of JSON after which it is not searched."""


@frozen
class BtValue:
    """A list or a dict that some bytes encode. place: its path in the JSON, such as `message`."""

    place: str
    hex: str
    text: str


def bt_values(sides: Mapping[str, JsonObject | None]) -> list[BtValue]:
    """Return the first encoded lists and dicts in some JSON. sides: its name -> JSON."""
    found = (each for name, side in sides.items() for each in _values(name, side, 0))
    return [*islice(found, _MOST)]


def _values(place: str, value: Json, depth: int) -> Iterator[BtValue]:
    if isinstance(value, str):
        text = _text_of(value)
        if text is not None:
            cut = "" if len(value) <= _HEX_SHOWN else f"... ({len(value):,} digits)"
            yield BtValue(place, value[:_HEX_SHOWN] + cut, text)
    elif depth < _DEEPEST and isinstance(value, dict):
        for name, each in value.items():
            yield from _values(f"{place}.{name}", each, depth + 1)
    elif depth < _DEEPEST and isinstance(value, list):
        for number, each in enumerate(value):
            yield from _values(f"{place}[{number}]", each, depth + 1)


def _text_of(encoded: str) -> str | None:
    """Return the list or the dict that hex encodes as text, or None if it encodes none."""
    if len(encoded) > _LONGEST or not _HEX.fullmatch(encoded):
        return None
    try:
        value = bencode.decode(bytes.fromhex(encoded), lenient=True)
    except bencode.BencodeError:
        return None
    if isinstance(value, int | bytes):
        return None
    spelled = _spelled(value)
    text = json.dumps(spelled)
    return text if len(text) <= _WIDTH else shown(json.dumps(spelled, indent=2), _LONGEST)


def _spelled(value: bencode.Value) -> Json:
    """Return a value as JSON: byte strings as text if they are printable, else as hex."""
    if isinstance(value, bytes):
        printable = value.isascii() and value.decode("ascii").isprintable()
        return value.decode("ascii") if printable else f"<{value.hex()}>"
    if isinstance(value, Mapping):
        return {str(_spelled(key)): _spelled(each) for key, each in value.items()}
    return value if isinstance(value, int) else [*map(_spelled, value)]
