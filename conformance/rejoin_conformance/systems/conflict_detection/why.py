"""Why an output is wrong: a line of reason, and the drawing of the versions with what differs.

A classification follows from the path between two versions, or from the entries in which two maps
differ. The observed output comes from an adapter, so it can be anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from rejoin_conformance.contract.asked import Asked
from rejoin_conformance.contract.explanation import explain_json
from rejoin_conformance.contract.operation import Output
from rejoin_conformance.contract.step import first_parting, steps_in
from rejoin_conformance.kit.dag_drawing import Drawing, drawing_of_nodes
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.untrusted import shown_line
from rejoin_conformance.systems.conflict_detection.operations import SCENARIO_STEPS

_LISTS: Final = ("versions", "snapshots")
"""The fields of inputs that list versions with their parents."""
_NAMED: Final = ("local", "remote", "later", "earlier")
"""The fields of inputs that name a version."""
_SHOWN: Final = 40
"""The maximum number of characters of a file's text in a drawing."""
_LONGEST_PATH: Final = 12
_ENDS: Final = 3
"""The most versions of a path that is told whole, and how many of each end of a longer one are."""


def explain(asked: Asked) -> str | None:
    """Return the first difference of two outputs with its reason, or None if there is no reason."""
    value: Any = asked.input
    match asked.operation.partition("/")[2]:
        case "follows":
            reason = _relation(value["versions"], value["later"], value["earlier"])
        case "classify-snapshot" | "walk" if value["local"] is not None:
            reason = _relation(value["snapshots"], value["remote"], value["local"])
        case "classify-version-map" if value["local"] is not None:
            reason = _entries(value["local"], value["remote"])
        case _:
            return None
    outputs = asked.expected_output, asked.observed_output
    return f"{explain_json(*outputs, asked.labels)}\n  {reason}"


def _relation(versions: Any, one: str, other: str) -> str:
    """Return how two versions are related, with a path from the later to the earlier one."""
    parents = {each["id"]: each["parents"] for each in versions}
    path = _path(parents, one, other) or _path(parents, other, one)
    if len(path) == 1:
        return "both are the same version"
    names = [*map(shown_line, path)]
    if not names:
        return f"neither of {shown_line(one)} and {shown_line(other)} follows the other"
    between = [*names[:_ENDS], f"... {len(names) - 2 * _ENDS:,} more", *names[-_ENDS:]]
    way = names if len(names) <= _LONGEST_PATH else between
    return f"{names[0]} follows {names[-1]}: {' -> '.join(way)}"


def _path(parents: Mapping[str, list[str]], later: str, earlier: str) -> list[str]:
    """Return a path of parents from a later version to an earlier one; empty if there is none."""
    paths, seen = [[later]], {later}
    for path in paths:
        if path[-1] == earlier:
            return path
        for parent in parents.get(path[-1], ()):
            if parent not in seen:
                seen.add(parent)
                paths.append([*path, parent])
    return []


def _entries(ours: Mapping[str, int], theirs: Mapping[str, int]) -> str:
    """Return the entries in which two version maps differ."""
    said = []
    for name, larger, smaller in (("theirs", theirs, ours), ("ours", ours, theirs)):
        more = [each for each in sorted(larger) if larger[each] > smaller.get(each, 0)]
        said += [f"{name} is larger at {', '.join(map(shown_line, more))}"] if more else []
    return "; ".join(said) or "no entry differs; a missing entry counts as 0"


def draw(asked: Asked, steps: Sequence[JsonObject]) -> Iterator[Drawing]:
    """Yield the drawings of a question's versions, with those at which steps or outputs part."""
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
    """Yield the versions that only one of two outputs lists.

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


def _of_scenario(asked: Asked, parting: Sequence[Any]) -> Iterator[Drawing]:
    """Yield the version graph of each file. The action that made a version is its name: `#3`.

    Marked are the versions that the first parting action sees or uploads.
    """
    result = SCENARIO_STEPS.answer(asked.input, asked.reading)
    steps: list[Any] = steps_in(result.value) if isinstance(result, Output) else []
    numbers = [each["number"] for each in parting if isinstance(each.get("number"), int)]
    place: Any = min(numbers, default=None)
    if place is None and len(asked.outputs) == 2:
        place = first_parting(*asked.outputs)
    parted = [each for each in steps if each["number"] == place]
    marked = {each.get("origin", place if each["step"] == "upload" else None) for each in parted}
    uploads: dict[str, dict[int, Any]] = {}
    for each in steps:
        if each["step"] == "upload":
            uploads.setdefault(each["file"], {})[each["number"]] = each
    for path, versions in sorted(uploads.items()):
        yield Drawing(
            path,
            {
                n: [each for each in step["follows"] if each in versions]
                for n, step in versions.items()
            },
            {number: f"#{number}" for number in versions},
            {number: _note(step) for number, step in versions.items()},
            frozenset(marked & {*versions}),
        )


def _note(step: Any) -> str:
    said = "deletes it" if step["text"] is None else f"writes {step['text'][:_SHOWN]!r}"
    return f"{step['client']} {said}"
