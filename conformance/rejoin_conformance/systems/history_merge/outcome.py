"""What a history shows: its coverage, its outcome, the evidence of broken laws."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Final

from rejoin.history_merge import HistoryMergeError, Node
from rejoin_conformance.contract.law import Ledger
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.history_merge.merges import State
from rejoin_conformance.systems.history_merge.run import Message, Run


def shown(state: Iterable[str]) -> str:
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
        known = {message.id for message in run.in_past(run.past_of(numbers))}
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


def cover(run: Run, ledger: Ledger) -> None:
    """Count the shapes, the events and the decided clauses of a history."""
    roots = [message for message in run.messages if not message.parents]
    ledger.cover(
        f"shape:messages:{_rounded(len(run.messages))}",
        f"shape:heads:{len(run.merges.heads())}",
        f"shape:depth:{_rounded(_depth(run.messages))}",
        f"shape:roots:{len(roots)}",
    )
    for message in run.messages:
        kind, parents = message.post["kind"], len(message.parents)
        ledger.cover(f"event:{kind}", f"shape:parents:{parents}")
        if message.state != message.departed:
            ledger.decide("HM-ACCEPT-STATE")
        elif kind != "talk":
            ledger.cover("ignored:changes-nothing")
        if parents > 1:
            ledger.decide("HM-MERGE-FOLD")
        elif not parents and message.number:
            ledger.decide("HM-ACCEPT-ROOT")
    for operations in run.operations.values():
        ledger.cover(
            f"shape:additions:{_rounded(len(operations.additions))}",
            f"shape:removals:{_rounded(len(operations.removals))}",
        )


def _depth(messages: Sequence[Message]) -> int:
    """Return the number of messages of the longest chain. messages: each after its parents."""
    depths: dict[str, int] = {}
    for message in messages:
        depth = 0
        for parent in message.parents:
            depth = max(depth, depths[parent])
        depths[message.id] = depth + 1
    return max(depths.values(), default=0)


def _rounded(number: int) -> int:
    """Return a number below 8 unchanged, and a larger one rounded down to a power of two."""
    return number if number < 8 else 1 << (number.bit_length() - 1)


LAST: Final = 6
"""The number of final messages of a history from which every pair is merged."""


def outcome_of(run: Run) -> JsonObject:
    """Return the outcome of a history that has been run to its end.

    held: the members after each message, and at the end. The names of its fields sort by time.
    decided: the merge of every two of the last messages, or the code of the refusal. It is refused
    if one of the two is before the other.
    """
    held: JsonObject = {
        f"message {message.number:03}, {message.id}": [*sorted(message.state)]
        for message in run.messages
    }
    held["the end"] = [*sorted(run.merges.members())]
    last = [message.id for message in run.messages[-LAST:]]
    decided: JsonObject = {
        f"merge of {one} and {other}": _merged(run, (one, other))
        for one, other in combinations(last, 2)
    }
    return {"held": held, "decided": decided}


def _merged(run: Run, names: tuple[str, ...]) -> Json:
    try:
        return [*sorted(run.merges.merge(names))]
    except HistoryMergeError as error:
        return error.code
