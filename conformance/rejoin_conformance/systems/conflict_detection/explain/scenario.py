"""Explain where two outputs of a scenario differ: the step, the field of its report, the client."""

from __future__ import annotations

from enum import Enum
from typing import Any, Final

from rejoin_conformance.contract.explanation import FirstDifference
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json
from rejoin_conformance.kit.untrusted import shown_line
from rejoin_conformance.systems.conflict_detection.notation.steps import spelled_step

_WHAT: Final = {
    "classification": "the classification",
    "classifications": "the classification of",
    "files": "the files of",
    "versions": "the version of",
    "conflicts": "the conflicts of",
    "links": "the link of",
    "cached": "the number of cached snapshots of",
    "operations": "the number of remote operations:",
}
"""The fields of a step's report, the most informative first -> the start of the place's name."""


_NULL: Final = {"classification": "no classification", "links": "a deletion"}
"""Field -> the meaning of a null in it."""


class _Missing(Enum):
    """The value of a field that one side does not have."""

    HERE = "missing"


def step_difference(
    value: JsonObject, expected: JsonObject, observed: JsonObject
) -> FirstDifference | None:
    """Return the first step of a scenario whose report differs, with the first difference in it."""
    script: Any = value["steps"]
    left: Any = expected["steps"]
    right: Any = observed["steps"]
    if len(left) != len(right):
        return FirstDifference(
            "number of reports", str(len(left)), str(len(right)), "one report per step"
        )
    for place, (ours, theirs) in enumerate(zip(left, right, strict=True)):
        if ours == theirs:
            continue
        where = f"step {place} ({shown_line(spelled_step(script[place], named=True))})"
        for field, what in _WHAT.items():
            if ours.get(field) != theirs.get(field):
                names, one, other = _innermost(ours.get(field), theirs.get(field))
                path = f"{what} {', '.join(map(shown_line, names))}".rstrip()
                null = _NULL.get(field, "null")
                return FirstDifference(f"{where}: {path}", _text(one, null), _text(other, null))
    return None


def _innermost(
    expected: Json, observed: Json
) -> tuple[list[str], Json | _Missing, Json | _Missing]:
    """Return the names on the path to the first difference, and the values of both sides there.

    A side without such a field has `_Missing.HERE`, which is not a null.
    """
    names: list[str] = []
    while isinstance(expected, dict) and isinstance(observed, dict):
        left, right = expected, observed
        name = min(
            each
            for each in {*left, *right}
            if (each in left) != (each in right) or left.get(each) != right.get(each)
        )
        names.append(name)
        if name not in left or name not in right:
            return names, left.get(name, _Missing.HERE), right.get(name, _Missing.HERE)
        expected, observed = left[name], right[name]
    return names, expected, observed


def _text(value: Json | _Missing, null: str) -> str | None:
    if isinstance(value, _Missing):
        return None
    if value is None:
        return null
    return value if isinstance(value, str) else canonical_json(value)
