"""The drawings of a question: the versions of files, with those at which two answers part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final, cast

from rejoin_conformance.contract.asked import Asked
from rejoin_conformance.contract.operation import Output
from rejoin_conformance.contract.step import steps_in
from rejoin_conformance.kit.dag_drawing import Drawing
from rejoin_conformance.kit.dag_of_json import drawing_of_nodes
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.operations import SCENARIO_STEPS

_LISTS: Final = ("versions", "snapshots")
"""The fields of inputs that list versions with their parents."""

_NAMED: Final = ("local", "remote", "later", "earlier")
"""The fields of inputs that name a version."""

_SHOWN: Final = 40
"""The maximum number of characters of a file's text in a drawing."""


def draw(asked: Asked, steps: Sequence[JsonObject]) -> Iterator[Drawing]:
    """Yield the drawings of a question's versions."""
    for field in _LISTS:
        versions = asked.input.get(field)
        if isinstance(versions, list):
            marked = {*_parting_names(asked)}
            drawing = drawing_of_nodes(field, versions, partial(_role, asked), marked)
            if drawing is not None and drawing.dag:
                yield drawing
    if isinstance(asked.input.get("clients"), list):
        yield from _of_scenario(asked, steps)


def _role(asked: Asked, version: JsonObject) -> str:
    """Return the field of the input that names a version, or an empty text."""
    return next((role for role in _NAMED if asked.input.get(role) == version["id"]), "")


def _parting_names(asked: Asked) -> Iterator[str]:
    """Yield the versions that one of two outputs lists and the other does not.

    If the outputs differ in anything else, it is about the version that the input compares.
    """
    if len(asked.outputs) == 2:
        one, other = asked.outputs
        for field in {*one} & {*other}:
            left, right = one[field], other[field]
            if isinstance(left, list) and isinstance(right, list):
                yield from {*map(str, left)} ^ {*map(str, right)}
            elif left != right:
                yield str(asked.input.get("remote", asked.input.get("later")))


def _of_scenario(asked: Asked, parting: Sequence[JsonObject]) -> Iterator[Drawing]:
    """Yield the version graph of each file. The action that made a version is its name: `#3`."""
    result = SCENARIO_STEPS.answer(asked.input, asked.reading)
    steps = steps_in(result.value) if isinstance(result, Output) else []
    marked = _marked(parting_action(asked.outputs, parting), steps)
    uploads: dict[str, dict[int, JsonObject]] = {}
    for each in steps:
        if each["step"] == "upload":
            uploads.setdefault(str(each["file"]), {})[_number(each)] = each
    for path, versions in sorted(uploads.items()):
        yield Drawing(
            path,
            {
                number: [each for each in _origins(step, "follows") if each in versions]
                for number, step in versions.items()
            },
            {number: f"#{number}" for number in versions},
            {number: _note(step) for number, step in versions.items()},
            frozenset(marked & {*versions}),
        )


def _note(step: JsonObject) -> str:
    text = step["text"]
    said = "deletes it" if text is None else f"writes {str(text)[:_SHOWN]!r}"
    return f"{step['client']} {said}"


def _marked(place: int | None, steps: Sequence[JsonObject]) -> set[int]:
    """Return the versions at which the answers part: those that this action sees or uploads."""
    found: set[int] = set()
    for each in steps:
        if place is not None and _number(each) == place:
            found.update(_origins(each, "origin"), {place} if each["step"] == "upload" else ())
    return found


def parting_action(outputs: Sequence[JsonObject], steps: Sequence[JsonObject]) -> int | None:
    """Return the index of the scenario's first step at which steps or outputs part, or None."""
    numbers = [_number(each) for each in steps if isinstance(each.get("number"), int)]
    if numbers:
        return min(numbers)
    if len(outputs) < 2:
        return None
    left, right = (cast("Any", each.get("steps")) for each in outputs[:2])
    pairs = enumerate(zip(left, right, strict=False))
    return next((place for place, (one, other) in pairs if one != other), None)


def _origins(step: JsonObject, field: str) -> list[int]:
    value: Json = step.get(field)
    listed = value if isinstance(value, list) else [value]
    return [each for each in listed if isinstance(each, int)]


def _number(step: JsonObject) -> int:
    return cast("int", step["number"])
