"""Faults: single changes to a valid message that make it invalid.

Each fault takes the decoded top-level dict of a message and N, and returns bytes. These bytes are
invalid by construction, independent of the reference: in every reading, or only in `document`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rejoin.bencode import encode

Outer = dict[bytes, Any]
Fault = Callable[[Outer, int], bytes]

ROW_HASH: Final = b"\x77" * 32
DICT_LEVELS: Final = 64
"""The maximum nesting depth of dicts in application data, including the outermost dict."""


def _last_byte_missing(outer: Outer, _window: int) -> bytes:
    return encode(outer)[:-1]


def _half_missing(outer: Outer, _window: int) -> bytes:
    encoded = encode(outer)
    return encoded[: len(encoded) // 2]


def _nothing(_outer: Outer, _window: int) -> bytes:
    return b""


def _list_instead_of_dict(outer: Outer, _window: int) -> bytes:
    return b"l" + encode(outer)[1:]


def _key_before_seqno(outer: Outer, _window: int) -> bytes:
    return encode({**outer, b"!": 1})


def _seqno_missing(outer: Outer, _window: int) -> bytes:
    return encode(_without(outer, b"#"))


def _seqno_negative(outer: Outer, _window: int) -> bytes:
    return encode({**outer, b"#": -1})


def _seqno_of_22_digits(outer: Outer, _window: int) -> bytes:
    return encode(outer).replace(encode(outer[b"#"]), b"i2100000000000000000000e", 1)


def _seqno_not_integer(outer: Outer, _window: int) -> bytes:
    return encode({**outer, b"#": b"7"})


def _data_missing(outer: Outer, _window: int) -> bytes:
    return encode(_without(outer, b"&"))


def _data_with(value: Any) -> Fault:
    def fault(outer: Outer, _window: int) -> bytes:
        return encode({**outer, b"&": {**outer[b"&"], b"!fault": value}})

    return fault


def _data_too_deep(outer: Outer, _window: int) -> bytes:
    value: Any = 1
    for _ in range(DICT_LEVELS):
        value = {b"n": value}
    return encode({**outer, b"&": {**outer[b"&"], b"!fault": value}})


def _key_too_long(outer: Outer, _window: int) -> bytes:
    return encode({**outer, b"&": {**outer[b"&"], b"k" * 129: 1}})


def _diff_with(value: Any) -> Fault:
    def fault(outer: Outer, _window: int) -> bytes:
        return encode({**outer, b"=": {**outer[b"="], b"!fault": value}})

    return fault


def _diff_missing(outer: Outer, _window: int) -> bytes:
    return encode({key: value for key, value in outer.items() if key < b"="})


def _row_of_own_seqno(outer: Outer, _window: int) -> bytes:
    return encode({**outer, b"<": [*outer[b"<"], [outer[b"#"], ROW_HASH, {}]]})


def _rows_descending(outer: Outer, window: int) -> bytes:
    # With N = 1 every row is expired, and the order of expired rows is not checked everywhere.
    below = outer[b"#"] - 1
    if window == 1 or below < 0:
        return _seqno_missing(outer, window)
    rows = [[below, ROW_HASH, {}], [below, b"\x00" * 32, {}]]
    return encode({**outer, b"<": rows})


def _row_with_short_hash(outer: Outer, window: int) -> bytes:
    below = outer[b"#"] - 1
    if window == 1 or below < 0:
        return _data_missing(outer, window)
    return encode({**outer, b"<": [[below, ROW_HASH[:-1], {}]]})


def _keys_descending(outer: Outer, _window: int) -> bytes:
    return b"d" + b"1:&" + encode(outer[b"&"]) + b"1:#" + encode(outer[b"#"]) + b"e"


def _signature_of_63_bytes(outer: Outer, _window: int) -> bytes:
    return encode({**outer, b"~": bytes(63)})


def _key_after_signature(outer: Outer, _window: int) -> bytes:
    return encode({**outer, b"\x7f": 1})


def bytes_after_the_end(outer: Outer, _window: int) -> bytes:
    """Append bytes after the message, which no signature covers."""
    return encode(outer) + b"e"


def _leading_zero(outer: Outer, _window: int) -> bytes:
    return encode(outer).replace(b"1:#i", b"1:#i0", 1)


def _without(outer: Outer, gone: bytes) -> Outer:
    return {key: value for key, value in outer.items() if key != gone}


BAD: Final[tuple[Fault, ...]] = (
    _last_byte_missing,
    _half_missing,
    _nothing,
    _list_instead_of_dict,
    _key_before_seqno,
    _seqno_missing,
    _seqno_negative,
    _seqno_of_22_digits,
    _seqno_not_integer,
    _data_missing,
    _data_with([]),
    _data_with({}),
    _data_with([[1]]),
    _data_with([2, 1]),
    _data_with([1, 1]),
    _data_with([b"s", 1]),
    _data_too_deep,
    _diff_with(7),
    _diff_with(b"+"),
    _diff_with([[1]]),
    _diff_with([[[], []], []]),
    _diff_missing,
    _row_of_own_seqno,
    _rows_descending,
    _row_with_short_hash,
    _keys_descending,
    _signature_of_63_bytes,
    _key_after_signature,
)
"""Invalid in every reading."""

BAD_IN_DOCUMENT: Final[tuple[Fault, ...]] = (
    _key_too_long,
    _diff_with([[1], [1]]),
    _diff_with({}),
    _diff_with([[], []]),
    bytes_after_the_end,
    _leading_zero,
)
"""Invalid in the reading `document`; the other may accept them."""
