"""Typed trees: decoded bt-values as JSON.

A node is an object with one field that names its type: `{"int":"7"}` (decimal, because JSON
numbers lose digits), `{"str":"6869"}` (hex), `{"list":[node, ...]}`, and
`{"dict":[["6b6579", node], ...]}` (pairs, because keys are bytes and their order matters).

Both directions recurse: the protocol bounds the nesting of a value, and JSON that of a tree.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from rejoin.bencode import Value
from rejoin.errors import RejoinError
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.schemas import DECIMAL, HEX, any_of, list_of, record

_ANYTHING: Final[JsonObject] = {}

_PAIRS: Final = "A dict, as pairs of key and value; in an output, in ascending order of the keys."

NODE: Final[JsonObject] = {
    "description": (
        'A node of a typed tree: {"int": decimal}, {"str": hex}, {"list": [node, ...]} or '
        '{"dict": [[hex, node], ...]}. The schema checks only the outermost node. Inner nodes have '
        "the same form."
    ),
    **any_of(
        record({"int": {"description": "An integer, as decimal text.", **DECIMAL}}),
        record({"str": {"description": "A string of bytes.", **HEX}}),
        record({"list": {"description": "A list of values.", **list_of(_ANYTHING)}}),
        record({"dict": {"description": _PAIRS, **list_of(_ANYTHING)}}),
    ),
}

_DECIMAL: Final = re.compile(r"0|-?[1-9][0-9]*")
_HEX: Final = re.compile(r"(?:[0-9a-f]{2})*")
_MOST_DIGITS: Final = 20
"""The digits of 2**64. A longer integer is out of range, and is not converted."""


class TypedTreeError(RejoinError):
    """JSON that is not a typed tree, or a typed tree without a bt-value."""


def tree_of(value: Value) -> JsonObject:
    """Return the typed tree of a decoded value."""
    if isinstance(value, int):
        return {"int": str(value)}
    if isinstance(value, bytes):
        return {"str": value.hex()}
    if isinstance(value, Mapping):
        return {"dict": [[key.hex(), tree_of(inner)] for key, inner in value.items()]}
    return {"list": [tree_of(item) for item in value]}


def value_of(tree: Json) -> Value:
    """Return the value of a typed tree. The keys of a dict can be in any order.

    Raises TypedTreeError with the code "input" if a node has another form, "not-encodable" if a
    dict has a key twice, and "integer-out-of-range" if an integer has more than 20 digits.
    """
    if not isinstance(tree, dict) or len(tree) != 1:
        raise _malformed("a node must be an object with one field")
    match tree:
        case {"int": content}:
            return _integer(content)
        case {"str": content}:
            return _string(content)
        case {"list": [*items]}:
            return [value_of(item) for item in items]
        case {"dict": [*items]}:
            pairs = [_pair(item) for item in items]
            if len({key for key, _ in pairs}) != len(pairs):
                raise TypedTreeError("not-encodable", "dict has a key twice")
            return {key: value_of(inner) for key, inner in pairs}
        case {"list": _} | {"dict": _}:
            raise _malformed(f"{next(iter(tree))} must be a list")
    raise _malformed("the field of a node must be int, str, list or dict")


def _integer(content: Json) -> int:
    if not isinstance(content, str) or not _DECIMAL.fullmatch(content):
        raise _malformed("int must be a decimal string")
    if len(content.lstrip("-")) > _MOST_DIGITS:
        raise TypedTreeError("integer-out-of-range", "the integer exceeds 64 bits")
    return int(content)


def _string(content: Json) -> bytes:
    if not isinstance(content, str) or not _HEX.fullmatch(content):
        raise _malformed("str and the keys of dict must be lower-case hex")
    return bytes.fromhex(content)


def _pair(pair: Json) -> tuple[bytes, Json]:
    if not isinstance(pair, list) or len(pair) != 2:
        raise _malformed("dict must be a list of pairs of a key and a node")
    return _string(pair[0]), pair[1]


def _malformed(message: str) -> TypedTreeError:
    return TypedTreeError("input", message)
