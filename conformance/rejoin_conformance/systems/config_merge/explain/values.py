"""The first difference between two messages or other decoded values, with its path in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from attrs import evolve

from rejoin import bencode
from rejoin_conformance.contract.explanation import FirstDifference
from rejoin_conformance.kit.untrusted import shown_bytes, shown_line

_NAMES: Final[Mapping[bytes, str]] = {
    b"#": "seqno",
    b"&": "data",
    b"<": "rows",
    b"=": "diff",
    b"~": "signature",
}
SHOWN: Final = 160
"""The maximum number of characters to show of a value, and of digits to show of bytes."""

HASH_SHOWN: Final = 8
"""The number of hex digits to show of a hash."""


def of_messages(expected: bytes, observed: bytes) -> FirstDifference | None:
    """Return the first difference between the plaintexts of two messages."""
    return _by_decoding(expected, observed, _decoded_messages)


def of_values(expected: bytes, observed: bytes) -> FirstDifference | None:
    """Return the first difference between two encoded values: data, diffs or other values."""
    return _by_decoding(expected, observed, decoded_difference)


def _by_decoding(
    expected: bytes,
    observed: bytes,
    compare: Callable[[bencode.Value, bencode.Value], FirstDifference | None],
) -> FirstDifference | None:
    try:
        left = bencode.decode(expected)
    except bencode.BencodeError:
        return None
    try:
        right = bencode.decode(observed)
    except bencode.BencodeError as error:
        return FirstDifference(
            "",
            _show(left),
            shown_bytes(observed),
            f"the observed value is not valid bt-encoding: {error}",
        )
    return compare(left, right)


def _decoded_messages(expected: bencode.Value, observed: bencode.Value) -> FirstDifference | None:
    if not isinstance(expected, dict) or not isinstance(observed, dict):
        return decoded_difference(expected, observed)
    for key in sorted({*expected, *observed}):
        name = _NAMES.get(key, f"unknown key {_key(key)}")
        if key not in expected or key not in observed:
            return _side_missing(name, expected.get(key), observed.get(key))
        left, right = expected[key], observed[key]
        if left != right:
            compare = of_rows if key == b"<" else decoded_difference
            first = compare(left, right)
            return None if first is None else evolve(first, path=join(name, first.path))
    return None


def of_rows(expected: bencode.Value, observed: bencode.Value) -> FirstDifference | None:
    """Return the first row that differs, named by its seqno and the first bytes of its hash."""
    if not isinstance(expected, list) or not isinstance(observed, list):
        return decoded_difference(expected, observed)
    note = f"{len(expected)} rows expected, {len(observed)} observed"
    for place in range(max(len(expected), len(observed))):
        left = expected[place] if place < len(expected) else None
        right = observed[place] if place < len(observed) else None
        if left == right:
            continue
        if left is None or right is None or _row_name(left) != _row_name(right):
            return FirstDifference(f"[{place}]", _row_name(left), _row_name(right), note)
        first = decoded_difference(_last(left), _last(right))
        if first is None:
            return FirstDifference(f"[{place}]", _show(left), _show(right))
        return evolve(first, path=join(f"{_row_name(left)}", first.path))
    return None


def _row_name(row: bencode.Value | None) -> str | None:
    """Return the name of a row, such as `(125, 80f229c3...)`."""
    if isinstance(row, list) and len(row) == 3 and isinstance(row[1], bytes):
        return f"({_show(row[0])}, {row[1].hex()[:HASH_SHOWN]}...)"
    return None if row is None else _show(row)


def _last(row: bencode.Value) -> bencode.Value:
    return row[-1] if isinstance(row, list) and row else row


def decoded_difference(expected: bencode.Value, observed: bencode.Value) -> FirstDifference | None:
    """Return the first difference between two values, searching dicts but not lists."""
    path = ""
    while expected != observed or type(expected) is not type(observed):
        if not isinstance(expected, dict) or not isinstance(observed, dict):
            note = ""
            if isinstance(expected, list) and isinstance(observed, list):
                note = _list_note(expected, observed)
            return FirstDifference(path, _show(expected), _show(observed), note)
        key = min(
            key
            for key in {*expected, *observed}
            if key not in expected or key not in observed or expected[key] != observed[key]
        )
        path = join(path, _key(key))
        if key not in expected or key not in observed:
            return _side_missing(path, expected.get(key), observed.get(key))
        expected, observed = expected[key], observed[key]
    return None


def _list_note(expected: list[bencode.Value], observed: list[bencode.Value]) -> str:
    """Return which elements are missing on one side, or that only the order differs."""
    missing = [item for item in expected if item not in observed]
    extra = [item for item in observed if item not in expected]
    parts = [f"lacks {_show(missing)}"] if missing else []
    parts += [f"has {_show(extra)} too many"] if extra else []
    return f"observed {' and '.join(parts)}" if parts else "the elements differ in order or number"


def _side_missing(
    path: str, expected: bencode.Value | None, observed: bencode.Value | None
) -> FirstDifference:
    return FirstDifference(
        path,
        None if expected is None else _show(expected),
        None if observed is None else _show(observed),
    )


def _show(value: bencode.Value) -> str:
    """Return a value on one line, shortened: integers, quoted strings, [lists] and {dicts}."""
    if isinstance(value, int):
        return str(value)
    if isinstance(value, bytes):
        return shown_bytes(value)
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(key)}: {_show(item)}" for key, item in value.items())
        text = f"{{{inner}}}"
    else:
        text = f"[{', '.join(_show(item) for item in value)}]"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def _key(key: bytes) -> str:
    """Return a key as a step of a path: without quotes if it is a plain word, else in quotes."""
    text = shown_line(key.decode("latin-1"))
    return text if text.isascii() and text.isalnum() else shown_bytes(key)


def join(*steps: str) -> str:
    """Return the path made of these steps; empty steps are left out."""
    """Return the path made of these steps; empty steps are left out."""
    return ".".join(step for step in steps if step).replace(".[", "[")
