"""Where two answers part: the nodes of the history, and the folds that lead to a state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rejoin_conformance.contract.explanation import Difference
from rejoin_conformance.contract.parting import Parting, Question
from rejoin_conformance.kit.dag_drawing import Drawing
from rejoin_conformance.kit.dag_of_json import drawing_of_nodes
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json

_LISTS: Final = ("nodes", "messages")
"""The fields of inputs that list nodes with their parents."""


def _draw(question: Question) -> Iterator[Drawing]:
    for field in _LISTS:
        nodes = question.input.get(field)
        if isinstance(nodes, list):
            every = [*nodes, *_message(question)]
            marked = {*_marked(question, nodes)}
            drawing = drawing_of_nodes(field, every, _state_of, marked)
            if drawing is not None and drawing.dag:
                yield drawing


def _message(question: Question) -> Iterator[Json]:
    """Yield the message of `accept`, which is not among the nodes yet."""
    message = question.input.get("message")
    if isinstance(message, dict):
        yield message


def _marked(question: Question, nodes: Sequence[Json]) -> Iterator[str]:
    """Yield the IDs of the nodes at which the steps or the outputs part."""
    if question.steps:
        for step in question.steps:
            node = step.get("node")
            yield from [node] if isinstance(node, str) else _names(step.get("nodes"))
        return
    for one, *others in [question.outputs] if question.outputs else []:
        for other in others:
            yield from _names(one.get("nodes")) ^ _names(other.get("nodes"))
            yield from _parting_messages(one, other, nodes)


def _parting_messages(one: JsonObject, other: JsonObject, nodes: Sequence[Json]) -> Iterator[str]:
    """Yield the first message of a session after which two outputs differ."""
    left, right = one.get("steps"), other.get("steps")
    if isinstance(left, list) and isinstance(right, list):
        for node, *sides in zip(nodes, left, right, strict=False):
            if sides[0] != sides[1] and isinstance(node, dict):
                yield str(node.get("id"))
                return


def _names(listed: Json) -> set[str]:
    """Return the IDs in a list of IDs or of nodes."""
    found = listed if isinstance(listed, list) else []
    names = (each.get("id") if isinstance(each, dict) else each for each in found)
    return {each for each in names if isinstance(each, str)}


def _state_of(node: JsonObject) -> str:
    if "state" not in node:
        return ""
    state = node["state"]
    if isinstance(state, list):
        return f"{{{' '.join(map(str, state))}}}"
    return state if isinstance(state, str) else canonical_json(state)


def _leading(difference: Difference, steps: Sequence[JsonObject]) -> Sequence[int]:
    """Return the folds of the merged nodes, up to the last one that changes what differs.

    The steps of the merged nodes come after those of the sets that their origins need.
    """
    begin = max((place for place, each in enumerate(steps) if each["step"] == "order"), default=0)
    expected, observed = difference.expected.get("state"), difference.observed.get("state")
    end = len(steps) - 1
    if isinstance(expected, list) and isinstance(observed, list):
        differing = {*map(str, expected)} ^ {*map(str, observed)}
        end = _last_change(steps, begin, differing)
    return range(begin, end + 1)


def _last_change(steps: Sequence[JsonObject], begin: int, elements: set[str]) -> int:
    """Return the index of the last start or fold that adds or removes one of some elements."""
    last, before = begin, set[str]()
    for place in range(begin, len(steps)):
        state = steps[place].get("state")
        if steps[place]["step"] in {"start", "fold", "default"} and isinstance(state, list):
            after = {*map(str, state)} & elements
            last, before = (place, after) if after != before or last == begin else (last, before)
    return last


PARTING: Final = Parting(draw=_draw, leading=_leading)
"""Where two answers of this system part."""
