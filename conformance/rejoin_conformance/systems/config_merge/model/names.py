"""The names by which the model knows keys, scalars and elements: only their equality matters there.

A short key that is a word is its own name; every other one is its bytes in hex behind `x_`, for TLC
prints keys without quotes. An integer is its digits, a string its bytes in hex behind `0x`. Long
bytes are named by their hash. Two things have one name only if they are equal.
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
"""How many bytes a name tells; more are hashed."""

_WORD: Final = re.compile(rb"[a-z][a-z0-9]*")

Data = Mapping[bytes, Any]


def key_name(key: bytes) -> str:
    """The name of a key."""
    if len(key) <= LONGEST and _WORD.fullmatch(key):
        return key.decode("ascii")
    return "x_" + _hex(key)


def scalar_name(scalar: Scalar) -> str:
    """The name of a scalar or an element."""
    return "0x" + _hex(scalar) if isinstance(scalar, bytes) else str(scalar)


def _hex(text: bytes) -> str:
    if len(text) <= LONGEST:
        return text.hex()
    return "hash_" + hashlib.blake2b(text, digest_size=16).hexdigest()


def key_of(name: str) -> bytes:
    """The key of a name that the model made up."""
    return bytes.fromhex(name[2:]) if name.startswith("x_") else name.encode("ascii")


def scalar_of(name: str) -> Scalar:
    """The scalar or element of a name that the model made up."""
    return bytes.fromhex(name[2:]) if name.startswith("0x") else int(name)


def data_value(data: Data) -> Value:
    """Application data as the model writes them."""
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
    """A diff as the model writes it."""
    return function((key_name(key), _change(change)) for key, change in diff.items())


def _change(change: Any) -> Value:
    if isinstance(change, bytes):
        return ("assign",) if change == cm.ASSIGNED else ("remove",)
    if isinstance(change, cm.SetDiff):
        return ("set", _elements(change.added), _elements(change.removed))
    return ("dict", diff_value(change))


def data_of(value: Value) -> dict[bytes, Any]:
    """The application data that the model writes so; its names are those that it made up."""
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
