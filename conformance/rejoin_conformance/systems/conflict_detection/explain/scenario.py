"""Say where two reports of a scenario part: after which step, at which client, in what."""

from __future__ import annotations

from typing import Any, Final

from rejoin_conformance.contract.explanation import Parting
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json
from rejoin_conformance.kit.untrusted import shown_line
from rejoin_conformance.systems.conflict_detection.notation.steps import spelled_step

_WHAT: Final = {
    "classification": "what the poll finds",
    "classifications": "what the poll finds of",
    "files": "the files of",
    "versions": "the version of",
    "conflicts": "the conflicts of",
    "links": "the link of",
    "cached": "the snapshots cached by",
    "operations": "the remote operations, by kind:",
}
"""The fields of a step's report, the most telling first, as a sentence begins."""


def step_parting(value: JsonObject, expected: JsonObject, observed: JsonObject) -> Parting | None:
    """The first step of a scenario whose report differs, and the first thing in it that does."""
    script: Any = value["steps"]
    left: Any = expected["steps"]
    right: Any = observed["steps"]
    if len(left) != len(right):
        return Parting("steps", str(len(left)), str(len(right)), "one for each step is due")
    for place, (ours, theirs) in enumerate(zip(left, right, strict=True)):
        if ours == theirs:
            continue
        where = f"step {place} ({shown_line(spelled_step(script[place], named=True))})"
        for field, what in _WHAT.items():
            if ours.get(field) != theirs.get(field):
                names, one, other = _innermost(ours.get(field), theirs.get(field))
                path = f"{what} {', '.join(map(shown_line, names))}".rstrip()
                return Parting(f"{where}: {path}", _text(one), _text(other))
    return None


def _innermost(expected: Json, observed: Json) -> tuple[list[str], Json, Json]:
    """The names that lead to the first difference, and what stands there on either side."""
    names: list[str] = []
    while isinstance(expected, dict) and isinstance(observed, dict):
        left, right = expected, observed
        name = min(
            each
            for each in {*left, *right}
            if (each in left) != (each in right) or left.get(each) != right.get(each)
        )
        names.append(name)
        expected, observed = left.get(name), right.get(name)
    return names, expected, observed


def _text(value: Json) -> str | None:
    if value is None:
        return None
    return value if isinstance(value, str) else canonical_json(value)
