"""The first difference between two outputs of a scenario: the step, and the client or the store."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from rejoin_conformance.contract.explanation import FirstDifference
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.explain.values import (
    HASH_SHOWN,
    join,
    of_messages,
    of_values,
)


def of_scenarios(expected: JsonObject, observed: JsonObject) -> FirstDifference | None:
    """Return the first step whose results differ, else the first difference of the final states."""
    steps: Any = expected.get("steps", [])
    seen: Any = observed.get("steps", [])
    for place, (left, right) in enumerate(zip(steps, seen, strict=False)):
        for client in sorted({*left["heads"], *right["heads"]}):
            one, other = left["heads"].get(client), right["heads"].get(client)
            if one != other:
                note = _at_the_end(expected, observed, client)
                return FirstDifference(
                    f"step {place}, head of {client}", _head(one), _head(other), note
                )
        if left["stored"] != right["stored"]:
            note = f"{len(left['stored'])} stored expected, {len(right['stored'])} observed"
            missing = [each[:HASH_SHOWN] for each in left["stored"] if each not in right["stored"]]
            extra = [each[:HASH_SHOWN] for each in right["stored"] if each not in left["stored"]]
            return FirstDifference(
                f"step {place}, stored messages", _listed(missing), _listed(extra), note
            )
    for name, compare in (("heads", of_messages), ("data", of_values)):
        ours: Any = expected.get(name, {})
        theirs: Any = observed.get(name, {})
        for client in sorted({*ours, *theirs}):
            one, other = ours.get(client), theirs.get(client)
            if one != other and one is not None and other is not None:
                first = compare(bytes.fromhex(one), bytes.fromhex(other))
                where = f"{name} of {client} at the end"
                return None if first is None else evolve(first, path=join(where, first.path))
    return None


def _at_the_end(expected: JsonObject, observed: JsonObject, client: str) -> str:
    """Return the difference between a client's final heads, or an empty string if they agree."""
    ours: Any = expected["heads"]
    theirs: Any = observed["heads"]
    left, right = ours.get(client), theirs.get(client)
    if left is None or right is None:
        return ""
    first = of_messages(bytes.fromhex(left), bytes.fromhex(right))
    if first is None:
        return ""
    wanted, found = first.expected or "(nothing)", first.observed or "(nothing)"
    return f"whose final message differs at {first.path}: {wanted} expected, {found} observed"


def _head(head: Any) -> str | None:
    return None if head is None else f"({head['seqno']}, {head['hash'][:HASH_SHOWN]}...)"


def _listed(names: list[str]) -> str | None:
    return ", ".join(f"{name}..." for name in names) or None
