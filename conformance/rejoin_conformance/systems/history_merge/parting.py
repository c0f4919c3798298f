"""The drawings of a question: the nodes of its history, with those at which two answers part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rejoin_conformance.contract.asked import Asked
from rejoin_conformance.kit.dag_drawing import Drawing
from rejoin_conformance.kit.dag_of_json import drawing_of_nodes
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json

_LISTS: Final = ("nodes", "messages")
"""The fields of inputs that list nodes with their parents."""


def draw(asked: Asked, steps: Sequence[JsonObject]) -> Iterator[Drawing]:
    """Yield the drawing of a question's nodes."""
    for field in _LISTS:
        nodes = asked.input.get(field)
        if isinstance(nodes, list):
            every = [*nodes, *_message(asked)]
            marked = {*_marked(asked, steps, nodes)}
            drawing = drawing_of_nodes(field, every, _state_of, marked)
            if drawing is not None and drawing.dag:
                yield drawing


def _message(asked: Asked) -> Iterator[Json]:
    """Yield the message of `accept`, which is not among the nodes yet."""
    message = asked.input.get("message")
    if isinstance(message, dict):
        yield message


def _marked(asked: Asked, steps: Sequence[JsonObject], nodes: Sequence[Json]) -> Iterator[str]:
    """Yield the IDs of the nodes at which the steps or the outputs part."""
    if steps:
        for step in steps:
            node = step.get("node")
            yield from [node] if isinstance(node, str) else _names(step.get("nodes"))
        return
    if len(asked.outputs) == 2:
        one, other = asked.outputs
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
