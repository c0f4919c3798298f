"""Describe the first difference between two outputs of an operation, in the protocol's terms.

This module decodes messages, data and diffs. So it can name the seqno, the path in the data, the
row (by its seqno and hash) or the signature that differs, instead of the position of a hex digit.
The observed output comes from an adapter: its hex may decode to any value, or may be invalid.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from attrs import evolve

from rejoin import bencode
from rejoin_conformance.contract.explanation import Difference, Parting
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.untrusted import shown_bytes, shown_line
from rejoin_conformance.systems.config_merge.operations.typed_tree import value_of

_NAMES: Final[Mapping[bytes, str]] = {
    b"#": "seqno",
    b"&": "data",
    b"<": "rows",
    b"=": "diff",
    b"~": "signature",
}
_SHOWN: Final = 160
_HASH_SHOWN: Final = 8
_TAG: Final = 16
_NONCE: Final = 24

Compare: TypeAlias = Callable[[bytes, bytes], Parting | None]


def explain(difference: Difference) -> str | None:
    """Return the first difference of two outputs, as three lines: where, expected, observed.

    Returns None if the JSON itself already shows the difference.
    """
    fields = _FIELDS.get(difference.operation, {})
    if difference.operation == "config-merge/scenario":
        return _rendered(_scenario(difference.expected, difference.observed))
    for name, compare in fields.items():
        expected, observed = difference.expected.get(name), difference.observed.get(name)
        if expected != observed:
            return _rendered(compare(name, expected, observed))
    return None


def _rendered(parting: Parting | None) -> str | None:
    return None if parting is None else parting.render()


def _of_bytes(compare: Compare) -> Callable[[str, Any, Any], Parting | None]:
    """Return a function that decodes two hex fields and compares their bytes."""

    def by_bytes(name: str, expected: Any, observed: Any) -> Parting | None:
        parting = compare(bytes.fromhex(expected), bytes.fromhex(observed))
        return None if parting is None else evolve(parting, path=_join(name, parting.path))

    return by_bytes


def _message(expected: bytes, observed: bytes) -> Parting | None:
    """Return the first difference between the plaintexts of two messages."""
    return _decoded(expected, observed, _message_values)


def _value(expected: bytes, observed: bytes) -> Parting | None:
    """Return the first difference between two encoded values: data, diffs or other values."""
    return _decoded(expected, observed, _values)


def _decoded(
    expected: bytes,
    observed: bytes,
    compare: Callable[[bencode.Value, bencode.Value], Parting | None],
) -> Parting | None:
    try:
        left = bencode.decode(expected)
    except bencode.BencodeError:
        return None
    try:
        right = bencode.decode(observed)
    except bencode.BencodeError as error:
        return Parting(
            "", _show(left), shown_bytes(observed), f"observed is no bt-encoding: {error}"
        )
    return compare(left, right)


def _message_values(expected: bencode.Value, observed: bencode.Value) -> Parting | None:
    if not isinstance(expected, dict) or not isinstance(observed, dict):
        return _values(expected, observed)
    for key in sorted({*expected, *observed}):
        name = _NAMES.get(key, f"unknown key {_key(key)}")
        if key not in expected or key not in observed:
            return _side_missing(name, expected.get(key), observed.get(key))
        left, right = expected[key], observed[key]
        if left != right:
            compare = _rows if key == b"<" else _values
            parting = compare(left, right)
            return None if parting is None else evolve(parting, path=_join(name, parting.path))
    return None


def _rows(expected: bencode.Value, observed: bencode.Value) -> Parting | None:
    """Return the first row that differs, named by its seqno and the first bytes of its hash."""
    if not isinstance(expected, list) or not isinstance(observed, list):
        return _values(expected, observed)
    note = f"{len(expected)} rows expected, {len(observed)} observed"
    for place in range(max(len(expected), len(observed))):
        left = expected[place] if place < len(expected) else None
        right = observed[place] if place < len(observed) else None
        if left == right:
            continue
        if left is None or right is None or _row_name(left) != _row_name(right):
            return Parting(f"[{place}]", _row_name(left), _row_name(right), note)
        parting = _values(_last(left), _last(right))
        if parting is None:
            return Parting(f"[{place}]", _show(left), _show(right))
        return evolve(parting, path=_join(f"{_row_name(left)}", parting.path))
    return None


def _row_name(row: bencode.Value | None) -> str | None:
    """Return the name of a row, such as `(125, 80f229c3...)`."""
    if isinstance(row, list) and len(row) == 3 and isinstance(row[1], bytes):
        return f"({_show(row[0])}, {row[1].hex()[:_HASH_SHOWN]}...)"
    return None if row is None else _show(row)


def _last(row: bencode.Value) -> bencode.Value:
    return row[-1] if isinstance(row, list) and row else row


def _values(expected: bencode.Value, observed: bencode.Value) -> Parting | None:
    """Return the first difference between two values, searching dicts but not lists."""
    path = ""
    while expected != observed or type(expected) is not type(observed):
        if not isinstance(expected, dict) or not isinstance(observed, dict):
            note = ""
            if isinstance(expected, list) and isinstance(observed, list):
                note = _list_note(expected, observed)
            return Parting(path, _show(expected), _show(observed), note)
        key = min(
            key
            for key in {*expected, *observed}
            if key not in expected or key not in observed or expected[key] != observed[key]
        )
        path = _join(path, _key(key))
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
) -> Parting:
    return Parting(
        path,
        None if expected is None else _show(expected),
        None if observed is None else _show(observed),
    )


def _stored_form(expected: bytes, observed: bytes) -> Parting | None:
    """Return which part of a stored form differs: length, nonce, ciphertext or tag."""
    if len(expected) != len(observed):
        return Parting("length", f"{len(expected)} bytes", f"{len(observed)} bytes")
    end = max(0, len(expected) - _NONCE)
    for name, part in (
        ("nonce", slice(end, None)),
        ("encrypted bytes", slice(0, max(0, end - _TAG))),
        ("tag", slice(max(0, end - _TAG), end)),
    ):
        if expected[part] != observed[part]:
            return Parting(name, _short_hex(expected[part]), _short_hex(observed[part]))
    return None


def _short_hex(data: bytes) -> str:
    text = data.hex()
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _typed_tree(name: str, expected: Any, observed: Any) -> Parting | None:
    parting = _values(value_of(expected), value_of(observed))
    return None if parting is None else evolve(parting, path=_join(name, parting.path))


def _lagged(name: str, expected: Any, observed: Any) -> Parting | None:
    """Compare the rows that `parse` reports, in the same way as the rows of a message."""
    parting = _rows(_reported(expected), _reported(observed))
    return None if parting is None else evolve(parting, path=_join(name, parting.path))


def _reported(rows: Any) -> bencode.Value:
    """Return reported rows as a message has them. A diff that cannot be decoded stays bytes."""
    return [[int(row["seqno"]), bytes.fromhex(row["hash"]), _diff_of(row["diff"])] for row in rows]


def _diff_of(text: str) -> bencode.Value:
    try:
        return bencode.decode(bytes.fromhex(text))
    except bencode.BencodeError:
        return bytes.fromhex(text)


def _ignored(name: str, expected: Any, observed: Any) -> Parting | None:
    """Return the first input message that one output ignores differently from the other."""
    wanted = {each["index"]: each["why"] for each in expected}
    found = {each["index"]: each["why"] for each in observed}
    for index in sorted({*wanted, *found}):
        if wanted.get(index) != found.get(index):
            return Parting(
                f"{name}, message {index} of the input",
                wanted.get(index, "survives"),
                found.get(index, "survives"),
            )
    return None


def _scenario(expected: JsonObject, observed: JsonObject) -> Parting | None:
    """Return the first step whose results differ, or a difference in the final state."""
    steps: Any = expected.get("steps", [])
    seen: Any = observed.get("steps", [])
    for place, (left, right) in enumerate(zip(steps, seen, strict=False)):
        for client in sorted({*left["heads"], *right["heads"]}):
            one, other = left["heads"].get(client), right["heads"].get(client)
            if one != other:
                note = _at_the_end(expected, observed, client)
                return Parting(f"step {place}, head of {client}", _head(one), _head(other), note)
        if left["stored"] != right["stored"]:
            note = f"{len(left['stored'])} stored expected, {len(right['stored'])} observed"
            missing = [each[:_HASH_SHOWN] for each in left["stored"] if each not in right["stored"]]
            extra = [each[:_HASH_SHOWN] for each in right["stored"] if each not in left["stored"]]
            return Parting(f"step {place}, what is stored", _listed(missing), _listed(extra), note)
    for name, compare in (("heads", _message), ("data", _value)):
        ours: Any = expected.get(name, {})
        theirs: Any = observed.get(name, {})
        for client in sorted({*ours, *theirs}):
            one, other = ours.get(client), theirs.get(client)
            if one != other and one is not None and other is not None:
                return _of_bytes(compare)(f"{name} of {client} at the end", one, other)
    return None


def _at_the_end(expected: JsonObject, observed: JsonObject, client: str) -> str:
    """Return the difference between a client's final heads, or an empty string if they agree."""
    ours: Any = expected["heads"]
    theirs: Any = observed["heads"]
    left, right = ours.get(client), theirs.get(client)
    if left is None or right is None:
        return ""
    parting = _message(bytes.fromhex(left), bytes.fromhex(right))
    if parting is None:
        return ""
    told = f"{parting.expected or '(nothing)'} expected, {parting.observed or '(nothing)'} observed"
    return f"whose message at the end differs at {parting.path}: {told}"


def _head(head: Any) -> str | None:
    return None if head is None else f"({head['seqno']}, {head['hash'][:_HASH_SHOWN]}...)"


def _listed(names: list[str]) -> str | None:
    return ", ".join(f"{name}..." for name in names) or None


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
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _key(key: bytes) -> str:
    """Return a key as a step of a path: without quotes if it is a plain word, else in quotes."""
    text = shown_line(key.decode("latin-1"))
    return text if text.isascii() and text.isalnum() else shown_bytes(key)


def _join(*steps: str) -> str:
    return ".".join(step for step in steps if step).replace(".[", "[")


def _plain(name: str, expected: Json, observed: Json) -> Parting | None:
    return Parting(name, str(expected), str(observed))


_FIELDS: Final[Mapping[str, Mapping[str, Callable[[str, Any, Any], Parting | None]]]] = {
    "config-merge/decode": {"value": _typed_tree},
    "config-merge/encode": {"encoded": _of_bytes(_value)},
    "config-merge/parse": {
        "seqno": _plain,
        "data": _of_bytes(_value),
        "diff": _of_bytes(_value),
        "lagged": _lagged,
        "hash": _plain,
    },
    "config-merge/diff": {"diff": _of_bytes(_value)},
    "config-merge/apply-diff": {"data": _of_bytes(_value)},
    "config-merge/resolve": {
        "ignored": _ignored,
        "merged": _plain,
        "message": _of_bytes(_message),
    },
    "config-merge/update": {"message": _of_bytes(_message)},
    "config-merge/sign": {"message": _of_bytes(_message)},
    "config-merge/encrypt": {"ciphertext": _of_bytes(_stored_form)},
}
"""Operation -> its fields and their comparison functions, most informative field first."""
