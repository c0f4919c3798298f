"""Typed trees: decoded bt-values as JSON.

A node is an object with one field that names its type: `{"int":"7"}` (decimal, because JSON
numbers lose digits), `{"str":"6869"}` (hex), `{"list":[node, ...]}`, and
`{"dict":[["6b6579", node], ...]}` (pairs, because keys are bytes and their order counts).

Both directions walk with a list of what is still to do, so that no input decides how deep Python
recurses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, cast

from rejoin.bencode import Value
from rejoin.errors import RejoinError
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.schemas import DECIMAL, HEX, any_of, list_of, record

_ANYTHING: Final[JsonObject] = {}

NODE: Final[JsonObject] = {
    "description": (
        'A node of a typed tree: {"int": decimal}, {"str": hex}, {"list": [node, ...]} or '
        '{"dict": [[hex, node], ...]}. The schema looks at the outermost node only; inner ones '
        "have the same form."
    ),
    **any_of(
        record({"int": DECIMAL}),
        record({"str": HEX}),
        record({"list": list_of(_ANYTHING)}),
        record({"dict": list_of(_ANYTHING)}),
    ),
}

_DECIMAL: Final = re.compile(r"0|-?[1-9][0-9]*")
_HEX: Final = re.compile(r"(?:[0-9a-f]{2})*")
_MOST_DIGITS: Final = 20
"""Of 2**64; a longer run of digits is out of range unread."""


class TypedTreeError(RejoinError):
    """JSON that is no typed tree, or one that no bt-value corresponds to."""


def tree_of(value: Value) -> JsonObject:
    """The typed tree of a decoded value."""
    root: list[Json] = []
    pending: list[tuple[Value, list[Json]]] = [(value, root)]
    while pending:
        current, siblings = pending.pop()
        if isinstance(current, int):
            siblings.append({"int": str(current)})
        elif isinstance(current, bytes):
            siblings.append({"str": current.hex()})
        elif isinstance(current, Mapping):
            pairs: list[list[Json]] = [[key.hex()] for key in current]
            siblings.append({"dict": cast("list[Json]", pairs)})
            pending += zip(current.values(), pairs, strict=True)
        else:
            items: list[Json] = []
            siblings.append({"list": items})
            pending += [(item, items) for item in reversed(current)]
    return cast("JsonObject", root[0])


def value_of(tree: Json) -> Value:
    """The value that a typed tree stands for; dict keys may come in any order.

    Raises TypedTreeError with the code "typed-tree" where a node has another form or a dict has a
    key twice, and "integer-out-of-range" for an integer of more than 20 digits.
    """
    root: list[Value] = []
    pending: list[tuple[Json, list[Value] | dict[bytes, Value], bytes]] = [(tree, root, b"")]
    while pending:
        node, parent, key = pending.pop()
        name, content = _only_field(node)
        value: Value
        if name == "int":
            value = _integer(content)
        elif name == "str":
            value = _string(content)
        elif not isinstance(content, list):
            raise _malformed(f"{name} holds a list")
        elif name == "list":
            items: list[Value] = []
            value = items
            pending += [(item, items, b"") for item in reversed(content)]
        else:
            entries: dict[bytes, Value] = {}
            value = entries
            pairs = [_pair(pair) for pair in content]
            if len({name for name, _ in pairs}) != len(pairs):
                raise _malformed("a dict has a key twice")
            pending += [(inner, entries, name) for name, inner in reversed(pairs)]
        if isinstance(parent, dict):
            parent[key] = value
        else:
            parent.append(value)
    return root[0]


def _only_field(node: Json) -> tuple[str, Json]:
    if not isinstance(node, dict) or len(node) != 1:
        raise _malformed("a node is an object with one field")
    ((name, content),) = node.items()
    if name not in {"int", "str", "list", "dict"}:
        raise _malformed("a node is an int, str, list or dict")
    return name, content


def _integer(content: Json) -> int:
    if not isinstance(content, str) or not _DECIMAL.fullmatch(content):
        raise _malformed("int holds a decimal string")
    if len(content.lstrip("-")) > _MOST_DIGITS:
        raise TypedTreeError("integer-out-of-range", "the integer exceeds 64 bits")
    return int(content)


def _string(content: Json) -> bytes:
    if not isinstance(content, str) or not _HEX.fullmatch(content):
        raise _malformed("str and keys hold lower-case hex")
    return bytes.fromhex(content)


def _pair(pair: Json) -> tuple[bytes, Json]:
    if not isinstance(pair, list) or len(pair) != 2:
        raise _malformed("dict holds pairs of a key and a node")
    return _string(pair[0]), pair[1]


def _malformed(message: str) -> TypedTreeError:
    return TypedTreeError("typed-tree", message)
