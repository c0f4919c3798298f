"""A bt-encoder of a few lines that encodes what it is told, valid or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AnySet
from typing import Any, TypeAlias

Scalar: TypeAlias = int | str | bytes
Tree: TypeAlias = "Scalar | Sequence[Tree] | AnySet[Scalar] | Mapping[Any, Tree]"
"""What `bt` encodes: text stands for its UTF-8 bytes, a set for the sorted list of its elements."""


class Raw(bytes):
    """Bytes that stand in the encoding as they are: the way to plant a fault."""

    __slots__ = ()


def bt(tree: Tree) -> bytes:
    """The canonical encoding of a tree, except for what is `Raw` in it."""
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
    if isinstance(tree, AnySet):
        return bt(elements(tree))
    return b"l" + b"".join(bt(item) for item in tree) + b"e"


def elements(members: AnySet[Scalar]) -> list[int | bytes]:
    """The elements of a set in order: integers first, then strings byte by byte."""
    integers = sorted(member for member in members if isinstance(member, int))
    strings = sorted(as_bytes(member) for member in members if not isinstance(member, int))
    return [*integers, *strings]


def as_bytes(string: str | bytes) -> bytes:
    """The bytes that a text or byte string stands for."""
    return string.encode() if isinstance(string, str) else string
