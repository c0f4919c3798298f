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
from rejoin_conformance.contract.asked import Asked
from rejoin_conformance.contract.explanation import FirstDifference
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.systems.config_merge.explain.scenario import of_scenarios
from rejoin_conformance.systems.config_merge.explain.values import (
    SHOWN,
    decoded_difference,
    join,
    of_messages,
    of_rows,
    of_values,
)
from rejoin_conformance.systems.config_merge.typed_tree import value_of

_TAG: Final = 16
_NONCE: Final = 24

Compare: TypeAlias = Callable[[bytes, bytes], FirstDifference | None]


def explain(difference: Asked) -> str | None:
    """Return the first difference of two outputs, as three lines: where, expected, observed.

    Returns None if the JSON itself already shows the difference.
    """
    fields = _FIELDS.get(difference.operation, {})
    if difference.operation == "config-merge/scenario":
        return _rendered(of_scenarios(difference.expected_output, difference.observed_output))
    for name, compare in fields.items():
        expected, observed = (
            difference.expected_output.get(name),
            difference.observed_output.get(name),
        )
        if expected != observed:
            return _rendered(compare(name, expected, observed))
    return None


def _rendered(first: FirstDifference | None) -> str | None:
    return None if first is None else first.render()


def _of_bytes(compare: Compare) -> Callable[[str, Any, Any], FirstDifference | None]:
    """Return a function that decodes two hex fields and compares their bytes."""

    def by_bytes(name: str, expected: Any, observed: Any) -> FirstDifference | None:
        first = compare(bytes.fromhex(expected), bytes.fromhex(observed))
        return None if first is None else evolve(first, path=join(name, first.path))

    return by_bytes


def _stored_form(expected: bytes, observed: bytes) -> FirstDifference | None:
    """Return which part of a stored form differs: length, nonce, ciphertext or tag."""
    if len(expected) != len(observed):
        return FirstDifference("length", f"{len(expected)} bytes", f"{len(observed)} bytes")
    end = max(0, len(expected) - _NONCE)
    for name, part in (
        ("nonce", slice(end, None)),
        ("encrypted bytes", slice(0, max(0, end - _TAG))),
        ("tag", slice(max(0, end - _TAG), end)),
    ):
        if expected[part] != observed[part]:
            return FirstDifference(name, _short_hex(expected[part]), _short_hex(observed[part]))
    return None


def _short_hex(data: bytes) -> str:
    text = data.hex()
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def _typed_tree(name: str, expected: Any, observed: Any) -> FirstDifference | None:
    first = decoded_difference(value_of(expected), value_of(observed))
    return None if first is None else evolve(first, path=join(name, first.path))


def _lagged(name: str, expected: Any, observed: Any) -> FirstDifference | None:
    """Compare the rows that `parse` reports, in the same way as the rows of a message."""
    first = of_rows(_reported(expected), _reported(observed))
    return None if first is None else evolve(first, path=join(name, first.path))


def _reported(rows: Any) -> bencode.Value:
    """Return reported rows as a message has them. A diff that cannot be decoded stays bytes."""
    return [[int(row["seqno"]), bytes.fromhex(row["hash"]), _diff_of(row["diff"])] for row in rows]


def _diff_of(text: str) -> bencode.Value:
    try:
        return bencode.decode(bytes.fromhex(text))
    except bencode.BencodeError:
        return bytes.fromhex(text)


def _ignored(name: str, expected: Any, observed: Any) -> FirstDifference | None:
    """Return the first input message that one output ignores differently from the other."""
    wanted = {each["index"]: each["why"] for each in expected}
    found = {each["index"]: each["why"] for each in observed}
    for index in sorted({*wanted, *found}):
        if wanted.get(index) != found.get(index):
            return FirstDifference(
                f"{name}, message {index} of the input",
                wanted.get(index, "survives"),
                found.get(index, "survives"),
            )
    return None


def _plain(name: str, expected: Json, observed: Json) -> FirstDifference | None:
    return FirstDifference(name, str(expected), str(observed))


_FIELDS: Final[Mapping[str, Mapping[str, Callable[[str, Any, Any], FirstDifference | None]]]] = {
    "config-merge/decode": {"value": _typed_tree},
    "config-merge/encode": {"encoded": _of_bytes(of_values)},
    "config-merge/parse": {
        "seqno": _plain,
        "data": _of_bytes(of_values),
        "diff": _of_bytes(of_values),
        "lagged": _lagged,
        "hash": _plain,
    },
    "config-merge/diff": {"diff": _of_bytes(of_values)},
    "config-merge/apply-diff": {"data": _of_bytes(of_values)},
    "config-merge/resolve": {
        "ignored": _ignored,
        "merged": _plain,
        "message": _of_bytes(of_messages),
    },
    "config-merge/update": {"message": _of_bytes(of_messages)},
    "config-merge/sign": {"message": _of_bytes(of_messages)},
    "config-merge/encrypt": {"ciphertext": _of_bytes(_stored_form)},
}
"""Operation -> its fields and their comparison functions, most informative field first."""
