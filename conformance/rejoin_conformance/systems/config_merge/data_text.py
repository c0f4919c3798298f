"""Values, diffs and bytes as text.

Data: integers, "strings", [sets] and {dicts}, in the order in which they are encoded:

    {int1: 100, string1: "hello", good: [99, 456, "bar"], dictC: {x: {y: 1}}}

Diffs: `=k` for a key that is assigned, `-k` for one that is removed, the added and removed elements
of a set, and the diff of a dict:

    {=int1, -int0, good: +[123, "Foo"] -[456], dictC: {x: {-y}}}

A list is encoded as it stands, and any value may stand in a diff, so invalid data and diffs can be
written too. `{d: _, k: 1}*9 {k: 0}` is a dict with 9 more around it.

A string is any expression of bytes (`bytes_text`). `raw` before one means bytes that stand in the
encoding as they are: raw "i007e".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from rejoin_conformance.kit.bt import Raw, Tree, as_bytes
from rejoin_conformance.kit.phrases import filled
from rejoin_conformance.systems.config_merge.bytes_text import (
    is_string,
    read_integer,
    read_number,
    read_part,
    string_text,
)
from rejoin_conformance.systems.config_merge.statements import Statement

T = TypeVar("T")

ASSIGNED: Final = b""
REMOVED: Final = b"-"
WIDTH: Final = 96
"""The maximum width of a line, without the indentation of its paragraph."""

_WORD: Final = re.compile(rb"[A-Za-z0-9_]+(-[A-Za-z0-9_]+)*")
_UNBROKEN: Final = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^" ])+')
_MOST_LEVELS: Final = 200
_LONGEST_BARE_KEY: Final = 40
_FURTHER: Final = "    "
_HOLE: Final = object()


def read_value(text: Statement, levels: int = 0) -> Any:
    """Take a value."""
    if is_string(text):
        return read_part(text)
    if text.takes("raw"):
        return Raw(read_part(text))
    if text.takes("["):
        elements = _items(text, "]", lambda: _inner(text, read_value, levels))
        return _repeated(text, elements, elements, read_value)
    if text.takes("{"):
        return _dict(text, lambda: _entry(text, read_value, levels), read_value)
    if text.next.kind == "bare" or text.would_take("-"):
        return read_integer(text)
    return text.fail('a value: an integer, a "string", a [list] or a {dict}')


def read_diff(text: Statement, levels: int = 0) -> Any:
    """Take a diff: a dict, or another value instead."""
    if text.takes("{"):
        return _dict(text, lambda: _change(text, levels), read_diff)
    return read_value(text, levels)


def read_data(text: Statement) -> Any:
    """Take data in braces, or raw bytes in their place."""
    return read_value(text) if text.would_take("raw") else read_dict(text)


def read_dict(text: Statement) -> Any:
    """Take data in braces."""
    return read_value(text) if text.would_take("{") else text.fail("data in braces")


def read_tree(text: Statement, levels: int = 0) -> Any:
    """Take a value as a typed tree, whose dicts have their keys in any order and number."""
    if is_string(text):
        return {"str": read_part(text).hex()}
    if text.takes("["):
        elements = _items(text, "]", lambda: _inner(text, read_tree, levels))
        return _repeated(text, {"list": elements}, elements, read_tree)
    if text.takes("{"):
        pairs = _items(text, "}", lambda: _entry(text, read_tree, levels), once=False)
        listed = [[key.hex(), value] for key, value in pairs]
        return _repeated(text, {"dict": listed}, [pair[1] for pair in listed], read_tree)
    return {"int": str(read_integer(text))}


def _dict(text: Statement, item: Callable[[], tuple[bytes, Any]], read: Callable[..., Any]) -> Any:
    pairs = dict(_items(text, "}", item))
    return _repeated(text, pairs, pairs.values(), read)


def _repeated(text: Statement, made: Any, items: Any, read: Callable[[Any], Any]) -> Any:
    """Return a value, or if one of its items is the hole `_`, as many of it as a number says."""
    if not any(item is _HOLE for item in items):
        return made
    if not text.takes("*"):
        text.fail("`*` and a number, because of `_`")
    times = read_number(text, _MOST_LEVELS, "levels")
    inner = read(text)
    for _ in range(times):
        inner = _with(made, inner)
    return inner


def _with(made: Any, inner: Any) -> Any:
    if isinstance(made, dict):
        return {key: _with(value, inner) for key, value in made.items()}
    if isinstance(made, list):
        return [_with(value, inner) for value in made]
    return inner if made is _HOLE else made


def _inner(text: Statement, read: Callable[[Any, int], Any], levels: int) -> Any:
    if levels == _MOST_LEVELS:
        text.refuse(f"at most {_MOST_LEVELS} levels")
    return _HOLE if text.takes("_") else read(text, levels + 1)


def _items(text: Statement, closing: str, read: Callable[[], T], *, once: bool = True) -> list[T]:
    """Take items up to a bracket. once: whether a key may come once only, if these are pairs."""
    found: list[T] = []
    keys = set()
    while not (not found and text.takes(closing)):
        item = read()
        found.append(item)
        if isinstance(item, tuple):
            if item[0] in keys and once:
                text.refuse(f"each key once, not {key_text(item[0])} twice")
            keys.add(item[0])
        if text.takes(closing):
            break
        if not text.takes(","):
            text.fail(f"`,` or `{closing}`")
    return found


def _entry(text: Statement, read: Callable[..., Any], levels: int) -> tuple[bytes, Any]:
    key = read_key(text)
    text.need(":")
    return key, _inner(text, read, levels)


def _change(text: Statement, levels: int) -> tuple[bytes, Tree]:
    if text.takes("="):
        return read_key(text), ASSIGNED
    if text.takes("-"):
        return read_key(text), REMOVED
    key = read_key(text)
    text.need(":")
    added = text.takes("+")
    if not added and not text.would_take("-", "["):
        return key, _inner(text, read_diff, levels)
    lists: list[Tree] = [_listed(text, levels) if added else []]
    lists.append(_listed(text, levels) if text.takes("-") else [])
    return key, lists


def _listed(text: Statement, levels: int) -> list[Tree]:
    text.need("[")
    return _items(text, "]", lambda: read_value(text, levels + 1))


def read_key(text: Statement) -> bytes:
    """Take a key: a word or a string."""
    if is_string(text) and not text.would_take("hex"):
        return read_part(text)
    if text.next.kind != "bare":
        text.fail("a key: a word or a string in quotes")
    return str(text.take()).encode()


def value_text(tree: Tree) -> str:
    """Return the text that `read_value` reads back."""
    if isinstance(tree, int):
        return str(tree)
    if isinstance(tree, str | bytes):
        return string_text(as_bytes(tree))
    if isinstance(tree, Mapping):
        pairs = (f"{key_text(as_bytes(key))}: {value_text(item)}" for key, item in tree.items())
        return f"{{{', '.join(pairs)}}}"
    return f"[{', '.join(map(value_text, tree))}]"


def tree_text(tree: Any) -> str:
    """Return the text that `read_tree` reads back."""
    match tree:
        case {"int": number}:
            return str(number)
        case {"str": string}:
            return string_text(bytes.fromhex(string))
        case {"list": items}:
            return f"[{', '.join(map(tree_text, items))}]"
    pairs = (f"{key_text(bytes.fromhex(key))}: {tree_text(item)}" for key, item in tree["dict"])
    return f"{{{', '.join(pairs)}}}"


def diff_text(tree: Tree) -> str:
    """Return the text that `read_diff` reads back."""
    if not isinstance(tree, Mapping):
        return value_text(tree)
    return f"{{{', '.join(_change_text(as_bytes(key), tree[key]) for key in tree)}}}"


def _change_text(key: bytes, change: Tree) -> str:
    name = key_text(key)
    match change:
        case b"":
            return f"={name}"
        case b"-":
            return f"-{name}"
        case [list(added), list(removed)]:
            parts = [f"+{value_text(added)}"] if added or not removed else []
            parts += [f"-{value_text(removed)}"] if removed or not added else []
            return f"{name}: {' '.join(parts)}"
    return f"{name}: {diff_text(change)}"


def key_text(key: bytes) -> str:
    """Return the text that `read_key` reads back."""
    bare = len(key) <= _LONGEST_BARE_KEY and _WORD.fullmatch(key)
    return key.decode() if bare else string_text(key)


def wrapped(text: str, width: int = WIDTH) -> list[str]:
    """Return a statement on lines of at most `width` characters; further lines are indented.

    A string stays on one line.
    """
    first, *rest = filled(_UNBROKEN.findall(text), " ", width - len(_FURTHER))
    return [first, *(_FURTHER + line for line in rest)]
