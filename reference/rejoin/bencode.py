"""Canonical bt-encoding, in which messages are hashed, signed and compared.

There are four kinds of value: integers `i<decimal>e`, byte strings `<length>:<bytes>`, lists
`l...e`, and dicts `d<key><value>...e` whose keys are byte strings in ascending byte order. A value
has exactly one canonical encoding. Two clients that have the same value therefore have the same
bytes.

The decoder accepts hostile input. It is one loop with an explicit stack. It reads each byte a
bounded number of times, converts only short runs of digits, and stops at a fixed nesting depth. It
rejects input only with `BencodeError`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from rejoin.errors import RejoinError

Value: TypeAlias = "int | bytes | Sequence[Value] | Mapping[bytes, Value]"

MAX_NESTING: Final = 100
"""The largest number of lists and dicts that may be open at once; the outermost counts as 1."""

INTEGER_MIN: Final = -(2**63)
INTEGER_MAX: Final = 2**63 - 1

CODES: Final[Mapping[str, str]] = {
    "truncated": "the input ends inside a value",
    "unexpected-byte": "a byte that is not allowed at its place",
    "bad-integer": "an integer without digits, or with a byte that is not a digit",
    "integer-not-canonical": "an integer with a leading zero, or minus zero",
    "integer-out-of-range": "an integer outside -2**63 to 2**63 - 1",
    "bad-string-length": "a string length with a byte that is neither a digit nor a colon",
    "string-length-not-canonical": "a string length with a leading zero",
    "key-not-string": "a dict key that is not a byte string",
    "keys-not-ascending": "a dict key that does not sort after the previous key",
    "nesting-too-deep": "lists and dicts that nest deeper than the limit",
    "trailing-bytes": "bytes after the end of the value",
    "not-encodable": "a value that has no bt-encoding",
}
"""The codes of `BencodeError`, each with its meaning."""

_I, _L, _D, _E, _COLON, _MINUS, _ZERO, _NINE = b"ilde:-09"
_MAX_DIGITS: Final = 19  # digits of 2**63: a longer run is out of range without conversion


class BencodeError(RejoinError):
    """Bytes or a value that bt-encoding rejects, with a code from `CODES`.

    The position is the start of the faulty value or key. For a byte that is not allowed at its
    place, it is the offset of that byte. For input that ends too early, it is the length of the
    input.
    """


class Key(bytes):
    """The last step of a path that leads to a key of a dict and not to the key's value."""

    __slots__ = ()


def decode(encoded: bytes, *, lenient: bool = False) -> Value:
    """Return the value whose encoding is `encoded`, from the first byte to the last.

    encoded: bt-encoded bytes.
    lenient: as in `read_value`; bytes after the value are then ignored.
    The result consists of ints, bytes, lists and dicts. The items of a dict are in ascending order
    of their keys.
    Errors: `BencodeError` with a code from `CODES` and the position of the fault.

    Clauses: CM-BT-NO-TRAILING, CM-BT-TRUNCATED, CM-SECURITY-REFUSE-AT-ONCE
    Source: "Application-side config data"
    """
    value, end = read_value(encoded, 0, lenient=lenient)
    if end != len(encoded) and not lenient:
        raise BencodeError("trailing-bytes", "there are bytes after the value", end)
    return value


def encode(value: Value) -> bytes:
    """Return the canonical encoding of a value.

    value: ints, bytes, lists or tuples, and mappings, whose keys may be in any order.
    Errors: `BencodeError` with "not-encodable", "integer-out-of-range" or "nesting-too-deep".

    Clauses: CM-BT-ENCODE, CM-BT-ENCODE-REFUSED, CM-BT-DICT-ORDER
    Source: "Application-side config data"
    """
    parts: list[bytes] = []
    _encode_into(parts, value, 0)
    return b"".join(parts)


def encode_string(string: bytes) -> bytes:
    """Return the encoding of a byte string.

    Clauses: CM-BT-STRING, CM-BT-STRING-CANONICAL
    """
    return b"%d:%s" % (len(string), string)


def encode_integer(integer: int) -> bytes:
    """Return the encoding of an integer that is known to be in range.

    Clauses: CM-BT-INT, CM-BT-INT-CANONICAL
    """
    return b"i%de" % integer


def _encode_into(parts: list[bytes], value: Value, nesting: int) -> None:
    """Append the encoding of `value` to `parts`; `nesting` lists and dicts are open around it."""
    if isinstance(value, bytes):
        parts.append(encode_string(value))
    elif isinstance(value, int) and not isinstance(value, bool):
        if not INTEGER_MIN <= value <= INTEGER_MAX:
            raise BencodeError("integer-out-of-range", f"{value} does not fit in 64 bits")
        parts.append(encode_integer(value))
    elif nesting == MAX_NESTING:
        message = f"lists and dicts nest more than {MAX_NESTING} deep"
        raise BencodeError("nesting-too-deep", message)
    elif isinstance(value, (list, tuple)):
        parts.append(b"l")
        for item in value:
            _encode_into(parts, item, nesting + 1)
        parts.append(b"e")
    elif isinstance(value, Mapping):
        if not all(isinstance(key, bytes) for key in value):
            raise BencodeError("not-encodable", "a dict has a key that is not bytes")
        parts.append(b"d")
        for key in sorted(value):
            parts.append(encode_string(key))
            _encode_into(parts, value[key], nesting + 1)
        parts.append(b"e")
    else:
        raise BencodeError("not-encodable", f"{type(value).__name__} has no bt-encoding")


def position_of(encoded: bytes, path: Sequence[bytes | int], *, start: int = 0) -> int:
    """Return the offset at which a part of a well-formed value begins, to locate an error.

    encoded: bytes that contain the encoding of the value; leading zeros are accepted.
    path: the steps from the value inward: a key for each dict and an index for each list. A last
        step of class `Key` leads to that key itself.
    start: the offset of the value.
    """
    position = start
    for step in path:
        position += 1
        if isinstance(step, int):
            for _ in range(step):
                _, position = read_value(encoded, position, lenient=True)
            continue
        key_position = position
        key, position = read_value(encoded, position, lenient=True)
        while key != step:
            _, key_position = read_value(encoded, position, lenient=True)
            key, position = read_value(encoded, key_position, lenient=True)
        if isinstance(step, Key):
            return key_position
    return position


def read_value(
    encoded: bytes, start: int, *, nesting: int = 0, lenient: bool = False
) -> tuple[Value, int]:
    """Return the value that begins at `start`, and the offset after it.

    nesting: the number of lists and dicts that are open around `start`.
    lenient: accept leading zeros and minus zero. The other rules still apply.
    Errors: as in `decode`, except "trailing-bytes".

    Clauses: CM-BT-DEPTH, CM-BT-TRUNCATED
    Source: "Application-side config data"
    """
    try:
        return _read_value(encoded, start, MAX_NESTING - nesting, lenient)
    except IndexError:
        raise BencodeError("truncated", "the input ends inside a value", len(encoded)) from None


def skip_value(encoded: bytes, start: int) -> int:
    """Return the offset after the value that begins at `start`, of which nothing is kept.

    Only the form that determines the end is checked: the kind of each value, digits and lengths,
    strings as keys, and a value for each key. Order, range, leading zeros and depth do not matter.
    Errors: `BencodeError` with a code of this form, and a position.

    Clauses: CM-BT-TRUNCATED, CM-BT-LIST, CM-BT-DICT
    """
    try:
        return _skip_value(encoded, start)
    except IndexError:
        raise BencodeError("truncated", "the input ends inside a value", len(encoded)) from None


def _skip_value(encoded: bytes, start: int) -> int:
    """Return the same as `skip_value`; raise IndexError if the input is too short.

    `outer` has one byte for each open container: `l` for a list, `d` for a dict in which a key is
    due, and `i` for a dict in which a value is due.
    """
    outer = bytearray()
    position = start
    while True:
        byte = encoded[position]
        due = outer[-1] if outer else _I
        if _ZERO <= byte <= _NINE:
            _, position = _string_bounds(encoded, position, lenient=True)
            if position > len(encoded):
                raise IndexError
        elif byte == _E and due != _I:
            outer.pop()
            position += 1
        elif due == _D:
            raise BencodeError("key-not-string", "a dict key is not a byte string", position)
        elif byte == _I:
            position = _digits_end(encoded, position) + 1
        elif byte in (_D, _L):
            outer.append(byte)
            position += 1
            continue
        else:
            raise BencodeError("unexpected-byte", "no value begins with this byte", position)
        if not outer:
            return position
        if outer[-1] != _L:
            outer[-1] = _I if outer[-1] == _D else _D


def _read_value(  # noqa: PLR0915 (one loop without calls reads four times as fast)
    encoded: bytes,
    start: int,
    deepest: int,
    lenient: bool,  # noqa: FBT001 (private, and on the hottest path)
) -> tuple[Value, int]:
    """Return the same as `read_value`; raise IndexError if the input is too short.

    Each turn of the loop reads one string or integer, or opens or closes a list or dict. The open
    container is `mapping`, or `items` if `mapping` is None. `outer` is the stack of the containers
    around it. Inside a dict, `key` is the last key, and `key_due` is true if a key must follow.

    Clauses: CM-BT-LIST, CM-BT-DICT, CM-BT-DICT-ORDER, CM-BT-DEPTH
    """
    outer: list[tuple[dict[bytes, Value] | None, list[Value], bytes]] = []
    mapping: dict[bytes, Value] | None = None
    items: list[Value] = []
    key, key_due = b"", False
    position, size = start, len(encoded)
    value: Value
    while True:
        byte = encoded[position]
        if _ZERO <= byte <= _NINE:
            string_start = position
            if encoded[position + 1] == _COLON:  # most strings have fewer than ten bytes
                position += 2
                end = position + byte - _ZERO
            else:
                position, end = _string_bounds(encoded, position, lenient=lenient)
            if end > size:
                raise IndexError
            string = encoded[position:end]
            position = end
            if key_due:
                if string <= key and mapping:
                    raise BencodeError(
                        "keys-not-ascending", "the key does not sort after the last", string_start
                    )
                key, key_due = string, False
                continue
            value = string
        elif byte == _E:
            if not outer or (mapping is not None and not key_due):
                raise BencodeError("unexpected-byte", "an `e` instead of a value", position)
            value = items if mapping is None else mapping
            mapping, items, key = outer.pop()
            key_due = False
            position += 1
        elif key_due:
            raise BencodeError("key-not-string", "a dict key is not a byte string", position)
        elif byte == _I:
            value, position = _read_integer(encoded, position, lenient)
        elif byte in (_D, _L):
            if len(outer) == deepest:
                message = f"lists and dicts nest more than {MAX_NESTING} deep"
                raise BencodeError("nesting-too-deep", message, position)
            outer.append((mapping, items, key))
            key_due = byte == _D
            mapping, items = {} if key_due else None, []
            position += 1
            continue
        else:
            raise BencodeError("unexpected-byte", "no value begins with this byte", position)

        if mapping is not None:
            mapping[key] = value
            key_due = True
        elif outer:
            items.append(value)
        else:
            return value, position


def _string_bounds(encoded: bytes, start: int, *, lenient: bool) -> tuple[int, int]:
    """Return the offsets at which the bytes of the string at `start` begin and end.

    Raises IndexError if the input is too short.

    Clauses: CM-BT-STRING, CM-BT-STRING-CANONICAL
    """
    colon = start + 1
    while _ZERO <= encoded[colon] <= _NINE:
        colon += 1
    if encoded[colon] != _COLON:
        raise BencodeError("bad-string-length", "no colon after a string length", colon)
    digits = encoded[start:colon]
    if lenient:
        digits = digits.lstrip(b"0") or b"0"
    elif encoded[start] == _ZERO and len(digits) > 1:
        message = "the string length has a leading zero"
        raise BencodeError("string-length-not-canonical", message, start)
    if len(digits) > _MAX_DIGITS:
        raise IndexError
    return colon + 1, colon + 1 + int(digits)


def _read_integer(
    encoded: bytes,
    start: int,
    lenient: bool,  # noqa: FBT001 (private, and on the hottest path)
) -> tuple[int, int]:
    """Return the integer at `start`, and the offset after it.

    Raises IndexError if the input is too short.

    Clauses: CM-BT-INT, CM-BT-INT-CANONICAL, CM-BT-INT-RANGE
    """
    end = encoded.find(b"e", start, start + _MAX_DIGITS)
    if end != -1:
        digits = encoded[start + 1 : end]
        if digits.isdigit() and (digits[0] != _ZERO or end == start + 2):
            return int(digits), end + 1  # the usual case: short, canonical, not negative
    end = _digits_end(encoded, start)
    first_digit = start + 2 if encoded[start + 1] == _MINUS else start + 1
    digits = encoded[first_digit:end]
    if lenient:
        digits = digits.lstrip(b"0") or b"0"
    elif encoded[first_digit] == _ZERO and end - start > 2:
        message = "the integer has a leading zero, or is minus zero"
        raise BencodeError("integer-not-canonical", message, start)
    if len(digits) > _MAX_DIGITS:
        raise BencodeError("integer-out-of-range", "the integer does not fit in 64 bits", start)
    integer = int(digits) if first_digit == start + 1 else -int(digits)
    if not INTEGER_MIN <= integer <= INTEGER_MAX:
        raise BencodeError("integer-out-of-range", "the integer does not fit in 64 bits", start)
    return integer, end + 1


def _digits_end(encoded: bytes, start: int) -> int:
    """Return the offset of the `e` of the integer at `start`.

    Raises IndexError if the input is too short.

    Clauses: CM-BT-INT
    """
    first_digit = start + 2 if encoded[start + 1] == _MINUS else start + 1
    end = first_digit
    while _ZERO <= encoded[end] <= _NINE:
        end += 1
    if encoded[end] != _E or end == first_digit:
        raise BencodeError("bad-integer", "an integer is not digits up to an `e`", end)
    return end
