"""The model's names for keys, scalars and elements. The model only compares names for equality.

A short key that is a word is its own name. The name of every other key is `x_` and the key's bytes
in hex, because TLC prints keys without quotes. The name of an integer is its decimal digits. The
name of a string is `0x` and its bytes in hex. Long byte strings are named by their hash. Two
objects have the same name only if they are equal.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any, Final

from rejoin import config_merge as cm
from rejoin_conformance.kit.tla_values import Function, Value, function
from rejoin_conformance.systems.config_merge.histories.events import Scalar

LONGEST: Final = 24
"""The maximum number of bytes that a name spells out. Longer byte strings are hashed."""

_WORD: Final = re.compile(rb"[a-z][a-z0-9]*")

Data = Mapping[bytes, Any]


def key_name(key: bytes) -> str:
    """Return the name of a key."""
    if len(key) <= LONGEST and _WORD.fullmatch(key):
        return key.decode("ascii")
    return "x_" + _hex(key)


def scalar_name(scalar: Scalar) -> str:
    """Return the name of a scalar or an element."""
    return "0x" + _hex(scalar) if isinstance(scalar, bytes) else str(scalar)


def _hex(text: bytes) -> str:
    if len(text) <= LONGEST:
        return text.hex()
    return "hash_" + hashlib.blake2b(text, digest_size=16).hexdigest()


def key_of(name: str) -> bytes:
    """Return the key for a name that comes from the model."""
    return bytes.fromhex(name[2:]) if name.startswith("x_") else name.encode("ascii")


def scalar_of(name: str) -> Scalar:
    """Return the scalar or element for a name that comes from the model."""
    return bytes.fromhex(name[2:]) if name.startswith("0x") else int(name)


def data_value(data: Data) -> Value:
    """Return application data in the model's notation."""
    return function((key_name(key), _value(value)) for key, value in data.items())


def _value(value: Any) -> Value:
    if isinstance(value, (int, bytes)):
        return ("scalar", scalar_name(value))
    if isinstance(value, (set, frozenset)):
        return ("set", _elements(value))
    return ("dict", data_value(value))


def _elements(elements: Any) -> Value:
    return frozenset(scalar_name(element) for element in elements)


def diff_value(diff: Mapping[bytes, Any]) -> Value:
    """Return a diff in the model's notation."""
    return function((key_name(key), _change(change)) for key, change in diff.items())


def _change(change: Any) -> Value:
    if isinstance(change, bytes):
        return ("assign",) if change == cm.ASSIGNED else ("remove",)
    if isinstance(change, cm.SetDiff):
        return ("set", _elements(change.added), _elements(change.removed))
    return ("dict", diff_value(change))


def data_of(value: Value) -> dict[bytes, Any]:
    """Return the application data for a value of the model. All its names come from the model."""
    if not isinstance(value, Function):
        return {}
    return {key_of(str(name)): _content(inner) for name, inner in value.items()}


def _content(value: Value) -> Any:
    match value:
        case ("scalar", str(name)):
            return scalar_of(name)
        case ("set", frozenset(names)):
            return {scalar_of(str(name)) for name in names}
        case (_, inner):
            return data_of(inner)
        case _:
            raise ValueError("no value of application data")
