"""The evidence of violations: merges as operations with their input."""

from __future__ import annotations

from collections.abc import Sequence

from rejoin.history_merge import Node
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.history_merge.histories.run import Run, State


def shown(state: State) -> str:
    """Return a state as text: `{a, b}`."""
    return "{" + ", ".join(sorted(state)) + "}"


def merge_evidence(
    run: Run,
    numbers: tuple[int, ...],
    elements: State,
    *,
    order: Sequence[str] = (),
    operation: str = "history-merge/merge",
) -> JsonObject:
    """Return a merge as an operation with its input.

    The input has only the messages up to the merge, and only the elements in `elements`.
    """
    nodes = _nodes(run, numbers, elements)
    given: JsonObject = {"nodes": nodes, "merge": [*run.ids(numbers)]}
    if order:
        known = {message.post.id for message in run.in_past(run.past_of(numbers))}
        given["order"] = [name for name in order if name in known]
    return {"operation": operation, "input": given}


def split_evidence(
    run: Run, numbers: tuple[int, ...], elements: State, joining: Node[State], rest: list[str]
) -> JsonObject:
    """Return the merge of a new node over a part of the messages, and of the other messages."""
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
