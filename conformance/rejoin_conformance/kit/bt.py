"""A small bt-encoder that also encodes invalid values, and the hash of encodings."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AnySet
from typing import Any, Final, TypeAlias

Scalar: TypeAlias = int | str | bytes
Tree: TypeAlias = "Scalar | Sequence[Tree] | Mapping[Any, Tree]"
"""A value for `bt`: text is encoded as UTF-8."""

_INTEGER: Final = re.compile(rb"i(-?[0-9]{1,40})e")
_LENGTH: Final = re.compile(rb"([0-9]{1,9}):")
_MOST_LEVELS: Final = 150


class Raw(bytes):
    """Bytes that stand in the encoding as they are: the way to plant a fault."""

    __slots__ = ()


def bt(tree: Tree) -> bytes:
    """Return the canonical encoding of a tree; `Raw` parts are copied unchanged."""
    if isinstance(tree, Raw):
        return bytes(tree)
    if isinstance(tree, int):
        return b"i%de" % tree
    if isinstance(tree, str | bytes):
        string = as_bytes(tree)
        return b"%d:%s" % (len(string), string)
    if isinstance(tree, Mapping):
        items = sorted((as_bytes(key), value) for key, value in tree.items())
        return b"d" + b"".join(bt(key) + bt(value) for key, value in items) + b"e"
    return b"l" + b"".join(bt(item) for item in tree) + b"e"


def blake2b(encoded: bytes) -> bytes:
    """Return the BLAKE2b hash of 32 bytes."""
    return hashlib.blake2b(encoded, digest_size=32).digest()


def elements(members: AnySet[Scalar]) -> list[int | bytes]:
    """Return the elements of a set in order: integers first, then strings byte by byte."""
    integers = sorted(member for member in members if isinstance(member, int))
    strings = sorted(as_bytes(member) for member in members if not isinstance(member, int))
    return [*integers, *strings]


def as_bytes(string: str | bytes) -> bytes:
    """Return the bytes that a text or byte string stands for."""
    return string.encode() if isinstance(string, str) else string


def unbt(encoded: bytes) -> Tree:
    """Return the tree that `bt` encodes to exactly these bytes.

    Raises ValueError if there is none, or if it is nested deeper than 150 levels.
    """
    tree, end = _tree_at(encoded, 0, _MOST_LEVELS)
    if end != len(encoded) or bt(tree) != encoded:
        raise ValueError("not the encoding of a tree")
    return tree


def _tree_at(encoded: bytes, start: int, levels: int) -> tuple[Tree, int]:
    """Return the tree at a place, and the place after it. Non-canonical forms are accepted."""
    if integer := _INTEGER.match(encoded, start):
        return int(integer[1]), integer.end()
    if length := _LENGTH.match(encoded, start):
        end = length.end() + int(length[1])
        return encoded[length.end() : end], end
    if encoded[start : start + 1] not in {b"l", b"d"} or not levels:
        raise ValueError("not the encoding of a tree")
    items: list[Tree] = []
    end = start + 1
    while encoded[end : end + 1] != b"e":
        item, end = _tree_at(encoded, end, levels - 1)
        items.append(item)
    if encoded[start : start + 1] == b"l":
        return items, end + 1
    if len(items) % 2 or not all(isinstance(key, bytes) for key in items[::2]):
        raise ValueError("not the encoding of a dict")
    return dict(zip(items[::2], items[1::2], strict=True)), end + 1
