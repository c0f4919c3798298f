"""Application data and diffs as text.

Data: integers, "strings", [sets] and {dicts}, in the order in which they are encoded:

    {int1: 100, string1: "hello", good: [99, 456, "bar"], dictC: {x: {y: 1}}}

Diffs: `=k` for a key that is assigned, `-k` for one that is removed, the added and removed elements
of a set, and the diff of a dict:

    {=int1, -int0, good: +[123, "Foo"] -[456], dictC: {x: {-y}}}

A list of data is encoded as it stands, and any value may stand in a diff, so that invalid data and
diffs can be written too. Bytes that are not printable ASCII are written as escapes: "\\xff\\x00". A
repeated string is written with its number: "k"*129. Large integers are written beside a power of
two: 2^62-1.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Any, Final

from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Tree, as_bytes
from rejoin_conformance.systems.config_merge.notation.statements import Reader

_WORD: Final = re.compile(rb"[A-Za-z0-9_]+(-[A-Za-z0-9_]+)*")
_ESCAPED: Final = re.compile(rb'[^ -~]|["\\]')
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_UNBROKEN: Final = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^" ])+')
_INTEGER: Final = re.compile(r"2\^(?P<power>[0-9]+)(?P<more>[+-][0-9]+)?|[0-9]+")
_MOST_DIGITS: Final = 100
_LEAST_POWER: Final = 31
_MOST_BESIDE: Final = 99
"""The smallest power of two, and the largest offset, for which an integer is written with them."""
_LONGEST: Final = 100_000
_MOST_LEVELS: Final = 200
_REPEATED: Final = 12
"""The number of repetitions of at most 4 bytes from which a count is written instead."""

_LONGEST_BARE_KEY: Final = 40
_FURTHER: Final = "    "

WIDTH: Final = 96
"""The maximum width of a line, without the indentation of its paragraph."""

ASSIGNED: Final = b""
REMOVED: Final = b"-"


def read_value(reader: Reader, levels: int = 0) -> Tree:
    """Return the next value."""
    if reader.sees_kind("string"):
        return read_string(reader)
    if reader.take("["):
        return _items(reader, "]", lambda: read_value(reader, _deeper(reader, levels)))
    if reader.take("{"):
        return _dict(reader, lambda: _entry(reader, _deeper(reader, levels)))
    if reader.sees("-") or reader.sees_kind("word"):
        return read_integer(reader)
    raise reader.missing('a value: an integer, a "string", a [list] or a {dict}')


def read_dict(reader: Reader) -> Mapping[Any, Tree]:
    """Return the next dict."""
    if not reader.sees("{"):
        raise reader.missing("data in braces")
    value = read_value(reader)
    assert isinstance(value, Mapping)
    return value


def read_diff(reader: Reader, levels: int = 0) -> Tree:
    """Return the next diff: a dict, or another value instead."""
    if reader.take("{"):
        return _dict(reader, lambda: _change(reader, _deeper(reader, levels)))
    return read_value(reader, levels)


def read_integer(reader: Reader) -> int:
    """Return the next integer, of any size: decimal, or a power of two with an offset."""
    sign = -1 if reader.take("-") else 1
    match = _INTEGER.fullmatch(reader.next("word", "an integer").text)
    if match is None or len(match[0]) > _MOST_DIGITS or int(match["power"] or 0) > _MOST_DIGITS:
        raise reader.wrong("an integer")
    if match["power"] is None:
        return sign * int(match[0])
    return sign * (1 << int(match["power"])) + int(match["more"] or 0)


def is_integer(word: str) -> bool:
    """Return whether a word is an integer without its sign."""
    return _INTEGER.fullmatch(word) is not None


def integer_text(number: int) -> str:
    """Return the text that `read_integer` reads back."""
    power = round(math.log2(abs(number))) if number else 0
    more = number - (1 if number > 0 else -1) * 2**power
    if power < _LEAST_POWER or abs(more) > _MOST_BESIDE:
        return str(number)
    return f"{'' if number > 0 else '-'}2^{power}{f'{more:+}' if more else ''}"


def read_string(reader: Reader) -> bytes:
    """Return the next string, with its number of repetitions if it has one."""
    string = reader.next("string", "a string in quotes").string()
    if not reader.take("*"):
        return string
    number = read_integer(reader)
    if not 0 <= number * max(1, len(string)) <= _LONGEST:
        raise reader.wrong(f"a number of repetitions that make at most {_LONGEST} bytes")
    return string * number


def _items(reader: Reader, closing: str, read: Callable[[], Tree]) -> list[Tree]:
    found: list[Tree] = []
    if reader.take(closing):
        return found
    while True:
        found.append(read())
        if reader.take(closing):
            return found
        if not reader.take(","):
            raise reader.missing(f"`,` or `{closing}`")


def _dict(reader: Reader, read: Callable[[], tuple[bytes, Tree]]) -> dict[bytes, Tree]:
    found: dict[bytes, Tree] = {}
    if reader.take("}"):
        return found
    while True:
        key, value = read()
        if key in found:
            raise reader.wrong(f"each key once, not {key_text(key)} twice")
        found[key] = value
        if reader.take("}"):
            return found
        if not reader.take(","):
            raise reader.missing("`,` or `}`")


def _entry(reader: Reader, levels: int) -> tuple[bytes, Tree]:
    key = read_key(reader)
    reader.expect(":")
    return key, read_value(reader, levels)


def _change(reader: Reader, levels: int) -> tuple[bytes, Tree]:
    if reader.take("="):
        return read_key(reader), ASSIGNED
    if reader.take("-"):
        return read_key(reader), REMOVED
    key = read_key(reader)
    reader.expect(":")
    added = reader.take("+")
    if not added and not reader.sees("-", "["):
        return key, read_diff(reader, levels)
    lists: list[Tree] = [_listed(reader, levels) if added else []]
    lists.append(_listed(reader, levels) if reader.take("-") else [])
    return key, lists


def _listed(reader: Reader, levels: int) -> list[Tree]:
    reader.expect("[")
    return _items(reader, "]", lambda: read_value(reader, levels))


def _deeper(reader: Reader, levels: int) -> int:
    if levels == _MOST_LEVELS:
        raise reader.wrong(f"at most {_MOST_LEVELS} levels")
    return levels + 1


def read_key(reader: Reader) -> bytes:
    """Return the next key: a word or a string."""
    if reader.sees_kind("string"):
        return read_string(reader)
    return reader.next("word", "a key: a word or a string in quotes").text.encode()


def value_text(tree: Tree) -> str:
    """Return the text that `read_value` reads back."""
    if isinstance(tree, int):
        return integer_text(tree)
    if isinstance(tree, str | bytes):
        return string_text(as_bytes(tree))
    if isinstance(tree, Mapping):
        pairs = (f"{key_text(as_bytes(key))}: {value_text(item)}" for key, item in tree.items())
        return f"{{{', '.join(pairs)}}}"
    return f"[{', '.join(map(value_text, tree))}]"


def diff_text(tree: Tree) -> str:
    """Return the text that `read_diff` reads back."""
    if not isinstance(tree, Mapping):
        return value_text(tree)
    return f"{{{', '.join(_change_text(as_bytes(key), tree[key]) for key in tree)}}}"


def _change_text(key: bytes, change: Tree) -> str:
    name = key_text(key)
    if isinstance(change, str | bytes):
        mark = {ASSIGNED: "=", REMOVED: "-"}.get(as_bytes(change))
        return f"{name}: {value_text(change)}" if mark is None else f"{mark}{name}"
    pair = _pair_of_lists(change)
    if pair is not None:
        added, removed = pair
        parts = [f"+{value_text(added)}"] if added or not removed else []
        parts += [f"-{value_text(removed)}"] if removed or not added else []
        return f"{name}: {' '.join(parts)}"
    return f"{name}: {diff_text(change)}"


def _pair_of_lists(tree: Tree) -> tuple[list[Tree], list[Tree]] | None:
    """Return the two lists of a change that has the form of a set diff."""
    if not isinstance(tree, list | tuple) or len(tree) != 2:
        return None
    added, removed = tree
    return (added, removed) if isinstance(added, list) and isinstance(removed, list) else None


def string_text(string: bytes) -> str:
    """Return the text that `read_string` reads back."""
    for unit in range(1, 5):
        count, rest = divmod(len(string), unit)
        if not rest and count >= _REPEATED and string == string[:unit] * count:
            return f"{_quoted(string[:unit])}*{count}"
    return _quoted(string)


def _quoted(string: bytes) -> str:
    escaped = _ESCAPED.sub(lambda match: _escape(match[0]), string)
    return f'"{escaped.decode("ascii")}"'


def _escape(byte: bytes) -> bytes:
    return b"\\" + byte if byte in b'"\\' else b"\\x%02x" % byte[0]


def key_text(key: bytes) -> str:
    """Return the text that `read_key` reads back."""
    bare = len(key) <= _LONGEST_BARE_KEY and _WORD.fullmatch(key)
    return key.decode() if bare else string_text(key)


def wrapped(text: str, width: int = WIDTH) -> list[str]:
    """Return a statement on lines of at most `width` characters; further lines are indented.

    Lines are broken at spaces outside strings, after commas and where the fewest brackets are open.
    Text without a space stays on one line.
    """
    words = _UNBROKEN.findall(text)
    depths = [*accumulate((_depth(word) for word in words), initial=0)]
    lines: list[str] = []
    start = 0
    while start < len(words):
        end = _fitting(words, start, width - len(_FURTHER) * bool(lines))
        if end < len(words):
            places = range(max(start + 1, end - (end - start) // 2), end + 1)
            end = min(places, key=lambda place: (_cost(words, depths, place), -place))
        lines.append((_FURTHER if lines else "") + " ".join(words[start:end]))
        start = end
    return lines


def _cost(words: Sequence[str], depths: Sequence[int], place: int) -> tuple[bool, int]:
    """Return the cost of a line break: low after a comma, and outside brackets."""
    joined = words[place - 1].endswith(":") or (
        words[place - 1].isalpha() and words[place].startswith(("{", "("))
    )
    return joined or not (depths[place] == 0 or words[place - 1].endswith(",")), depths[place]


def _fitting(words: Sequence[str], start: int, width: int) -> int:
    """Return the index after the words from `start` that fit on a line; at least one does."""
    length = len(words[start])
    end = start + 1
    while end < len(words) and length + 1 + len(words[end]) <= width:
        length += 1 + len(words[end])
        end += 1
    return end


def _depth(word: str) -> int:
    """Return the number of brackets that a word opens minus those that it closes."""
    bare = _STRING.sub("", word)
    return sum(bare.count(each) for each in "[{(") - sum(bare.count(each) for each in "]})")
