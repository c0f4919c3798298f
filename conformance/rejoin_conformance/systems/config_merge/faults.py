"""Faults: single changes to a valid message that make it invalid.

Each fault takes the decoded top-level dict of a message and N, and returns bytes. These bytes are
invalid by construction, independent of the reference: in every reading, or only in `document`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any, Final, TypeAlias

from rejoin.bencode import encode

Outer: TypeAlias = dict[bytes, Any]
Fault: TypeAlias = Callable[[Outer, int], bytes]

DICT_LEVELS: Final = 64
"""The maximum nesting depth of dicts in application data, including the outermost dict."""

AFTER_THE_END: Final = "bytes after the end"
"""The fault whose bytes no signature covers."""

_HASH: Final = b"\x77" * 32
_SHALLOW: Final[Any] = 1
_DEEP: Final[Any] = reduce(lambda inner, _: {b"n": inner}, range(DICT_LEVELS), _SHALLOW)


def _with(key: bytes, value: Any) -> Fault:
    """Return the fault that sets a top-level key."""
    return lambda outer, _: encode({**outer, key: value})


def _data(value: Any, key: bytes = b"!fault") -> Fault:
    """Return the fault that adds a value to the data."""
    return lambda outer, _: encode({**outer, b"&": {**outer[b"&"], key: value}})


def _diff(value: Any) -> Fault:
    """Return the fault that adds a value to the diff."""
    return lambda outer, _: encode({**outer, b"=": {**outer[b"="], b"!fault": value}})


def _without(gone: bytes) -> Fault:
    return lambda outer, _: encode({key: value for key, value in outer.items() if key != gone})


def _half(outer: Outer, _: int) -> bytes:
    encoded = encode(outer)
    return encoded[: len(encoded) // 2]


def _rows(instead: bytes, *hashes: bytes) -> Fault:
    """Return the fault that lists rows of the previous seqno with these hashes.

    instead: the key to leave out if N = 1, when every row is expired and not checked everywhere, or
    if there is no previous seqno.
    """

    def fault(outer: Outer, window: int) -> bytes:
        below = outer[b"#"] - 1
        if window == 1 or below < 0:
            return _without(instead)(outer, window)
        return encode({**outer, b"<": [[below, digest, {}] for digest in hashes]})

    return fault


def _replaced(old: Callable[[Outer], bytes], new: bytes) -> Fault:
    return lambda outer, _: encode(outer).replace(old(outer), new, 1)


BAD: Final[Mapping[str, Fault]] = {
    "last byte missing": lambda outer, _: encode(outer)[:-1],
    "half missing": _half,
    "nothing": lambda *_: b"",
    "list instead of dict": lambda outer, _: b"l" + encode(outer)[1:],
    "key before seqno": _with(b"!", 1),
    "seqno missing": _without(b"#"),
    "seqno negative": _with(b"#", -1),
    "seqno of 22 digits": _replaced(lambda outer: encode(outer[b"#"]), b"i2100000000000000000000e"),
    "seqno not integer": _with(b"#", b"7"),
    "data missing": _without(b"&"),
    "empty list in data": _data([]),
    "empty dict in data": _data({}),
    "list in a set": _data([[1]]),
    "set descending": _data([2, 1]),
    "element twice": _data([1, 1]),
    "string before integer": _data([b"s", 1]),
    "data too deep": _data(_DEEP),
    "integer in diff": _diff(7),
    "unknown text in diff": _diff(b"+"),
    "one list in diff": _diff([[1]]),
    "list in a set diff": _diff([[[], []], []]),
    "diff missing": lambda outer, _: encode({key: outer[key] for key in outer if key < b"="}),
    "row of own seqno": lambda outer, _: encode(
        {**outer, b"<": [*outer[b"<"], [outer[b"#"], _HASH, {}]]}
    ),
    "rows descending": _rows(b"#", _HASH, b"\x00" * 32),
    "row with short hash": _rows(b"&", _HASH[:-1]),
    "keys descending": lambda outer, _: (
        b"d1:&" + encode(outer[b"&"]) + b"1:#" + encode(outer[b"#"]) + b"e"
    ),
    "signature of 63 bytes": _with(b"~", bytes(63)),
    "key after signature": _with(b"\x7f", 1),
}
"""Invalid in every reading."""

BAD_IN_DOCUMENT: Final[Mapping[str, Fault]] = {
    "key too long": _data(1, b"k" * 129),
    "element added and removed": _diff([[1], [1]]),
    "empty dict in diff": _diff({}),
    "empty set diff": _diff([[], []]),
    AFTER_THE_END: lambda outer, _: encode(outer) + b"e",
    "leading zero": _replaced(lambda _: b"1:#i", b"1:#i0"),
}
"""Invalid in the reading `document`; the other may accept them."""
