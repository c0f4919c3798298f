"""Evidence of violations: states and merges, as operations with their input."""

from __future__ import annotations

from collections.abc import Sequence

from rejoin.history_merge import Node
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.history_merge.histories.run import Run, State


def shown(state: State) -> str:
    """A state for people."""
    return "{" + ", ".join(sorted(state)) + "}"


def merge_evidence(
    run: Run,
    numbers: tuple[int, ...],
    elements: State,
    *,
    order: Sequence[str] = (),
    operation: str = "history-merge/merge",
) -> JsonObject:
    """A merge as an operation with its input: only what is before it, and only some elements."""
    nodes = _nodes(run, numbers, elements)
    given: JsonObject = {"nodes": nodes, "merge": [*run.ids(numbers)]}
    if order:
        known = {message.post.id for message in run.in_past(run.past_of(numbers))}
        given["order"] = [name for name in order if name in known]
    return {"operation": operation, "input": given}


def split_evidence(
    run: Run, numbers: tuple[int, ...], elements: State, joining: Node[State], rest: list[str]
) -> JsonObject:
    """The merge of a new node over some of the messages, and of the rest of them."""
    nodes = [*_nodes(run, numbers, elements), _node(joining, elements)]
    given: JsonObject = {"nodes": nodes, "merge": [joining.id, *rest]}
    return {"operation": "history-merge/merge", "input": given}


def _nodes(run: Run, numbers: tuple[int, ...], elements: State) -> list[Json]:
    return [_node(message.node, elements) for message in run.in_past(run.past_of(numbers))]


def _node(node: Node[State], elements: State) -> JsonObject:
    return {
        "id": node.id,
        "parents": [*sorted(node.parents)],
        "state": [*sorted(node.state & elements)],
    }
