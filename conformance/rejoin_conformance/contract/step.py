"""A step of an operation: what an implementation did on its way to the output.

An operation can show its work in another operation, which takes the same input and returns a list
of typed steps. In JSON, a step is an object with its type (`step`), the ID of the clause that it
follows (`clause`), and the fields of its type.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from rejoin_conformance.contract.differences import first_difference
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.schemas import one_of_texts, record

STEPS: Final = "steps"
"""The field of an output that lists the steps."""


def step_json(kind: str, clause: str, **fields: Json) -> JsonObject:
    """Return a step as JSON. kind: its type. clause: the ID that it names."""
    return {"step": kind, "clause": clause, **fields}


def step_schema(kind: str, clauses: str, **fields: tuple[JsonObject, str]) -> JsonObject:
    """Return the schema of the steps of one type.

    clauses: the IDs that such a step can name, separated by spaces. fields: the schema of each
        further field and its description.
    """
    described: dict[str, JsonObject] = {
        name: {"description": text, **schema} for name, (schema, text) in fields.items()
    }
    return record(
        {
            "step": {"description": "The type of the step.", "const": kind},
            "clause": {
                "description": "The ID of the clause that the step follows.",
                **one_of_texts(*clauses.split()),
            },
            **described,
        },
    )


def steps_in(output: JsonObject) -> list[JsonObject]:
    """Return the steps that an output lists, as far as they are objects in a list."""
    steps = output.get(STEPS)
    return [each for each in steps if isinstance(each, dict)] if isinstance(steps, list) else []


def first_parting(left: JsonObject, right: JsonObject) -> int | None:
    """Return the index of the first step in which two outputs differ, or None if none does."""
    pairs: enumerate[tuple[Json, Json]] = enumerate(zip_longest(steps_in(left), steps_in(right)))
    return next((place for place, (one, other) in pairs if one != other), None)


def leading(expected: JsonObject, observed: JsonObject, steps: Sequence[JsonObject]) -> list[int]:
    """Return the indices of the reference's steps that lead to the first difference of two outputs.

    If the outputs list a result for each action of a scenario, these are the steps of the first
    action whose result differs. Otherwise they are the steps up to the last one at which what
    differs comes, stays or goes, and all steps if none names it.
    """
    first = first_difference(expected, observed)
    if first is not None and first.path[:1] == (STEPS,) and len(first.path) > 1:
        return [number for number, each in enumerate(steps) if each.get("number") == first.path[1]]
    differing = {*texts_in(expected)} ^ {*texts_in(observed)}
    named = [{*texts_in(each)} & differing for each in steps]
    changes = [
        place
        for place, (one, other) in enumerate(zip([set(), *named], named, strict=False))
        if one or other
    ]
    return [*range(changes[-1] + 1 if changes else len(steps))]


def texts_in(value: Json) -> Iterator[str]:
    """Yield every text of a value, and every name of a field."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            yield each
        elif isinstance(each, dict):
            waiting += [*each, *each.values()]
        elif isinstance(each, list):
            waiting += each
