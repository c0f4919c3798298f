"""Explain where two outputs of an operation differ, in the terms of the history merge.

For sets of nodes or members, the explanation names the first missing or extra one and gives the
reason from the history: the nodes that it is before, or the merged states that contain it. The
observed output comes from an adapter, so it can name nodes and members that do not exist.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from rejoin_conformance.contract.asked import Asked
from rejoin_conformance.contract.explanation import FirstDifference
from rejoin_conformance.kit.json_types import canonical_json
from rejoin_conformance.kit.untrusted import shown_line
from rejoin_conformance.systems.history_merge.explain.reasons import (
    Reason,
    comparable,
    graph_in,
    listed,
    path_between,
    why_ancestor,
    why_carried,
    why_common,
    why_common_to_all,
    why_in_states,
    why_maximal,
    why_merged,
)


def explain(difference: Asked) -> str | None:
    """Return the first difference of two outputs as three lines: place, expected, observed.

    Returns None if the JSON explains the difference as well.
    """
    name = difference.operation.partition("/")[2]
    if name == "session":
        return _rendered(_session(difference))
    if name == "operational-edges":
        return _rendered(
            _edges(difference.expected_output["edges"], difference.observed_output["edges"])
        )
    if name == "transitive-reduction":
        return _rendered(_reduction(difference))
    if name in ("before", "is-anti-chain"):
        return _rendered(_answer(difference, name))
    for field, reason in _SETS.get(name, {}).items():
        first = _of_sets(difference, field, reason)
        if first is not None:
            return first.render()
    return None


def _rendered(first: FirstDifference | None) -> str | None:
    return None if first is None else first.render()


def _of_sets(difference: Asked, field: str, reason: Reason) -> FirstDifference | None:
    expected: Any = difference.expected_output[field]
    observed: Any = difference.observed_output[field]
    if expected == observed:
        return None
    if not isinstance(expected, list) or not isinstance(observed, list):
        return FirstDifference(field, canonical_json(expected), canonical_json(observed))
    note = _first_stray(expected, observed, lambda each: reason(difference.input, each))
    return FirstDifference(field, listed(expected), listed(observed), note)


def _first_stray(expected: Any, observed: Any, reason: Callable[[str], str]) -> str:
    """Return a note on the first missing or extra name and its reason, or on the order."""
    stray = min({*expected} ^ {*observed}, default=None)
    if stray is None:
        return "the same names in another order or repeated; a set is a sorted list without repeats"
    what = "missing" if stray in expected else "extra"
    return f"{shown_line(stray)} is {what}: {reason(stray)}"


def _session(difference: Asked) -> FirstDifference | None:
    """Return the first message whose acceptance differs, or after which the state differs."""
    messages: Any = difference.input["messages"]
    left: Any = difference.expected_output["steps"]
    right: Any = difference.observed_output["steps"]
    if len(left) != len(right):
        return FirstDifference(
            "number of steps", str(len(left)), str(len(right)), "one step per message"
        )
    for place, (ours, theirs) in enumerate(zip(left, right, strict=True)):
        message = messages[place]
        where = f"message {place}, {message['id']} with parents {listed(message['parents'])}"
        if ours["accepted"] != theirs["accepted"]:
            sides = [_accepted(side["accepted"]) for side in (ours, theirs)]
            return FirstDifference(where, *sides)
        if ours["state"] != theirs["state"]:
            return FirstDifference(
                f"the state after {where}", _state(ours["state"]), _state(theirs["state"])
            )
    return None


def _edges(expected: Any, observed: Any) -> FirstDifference | None:
    """Return the first node whose operational edge differs."""
    left, right = ({edge["node"]: edge for edge in side} for side in (expected, observed))
    for node in sorted({*left, *right}):
        if left.get(node) != right.get(node):
            where = f"the edge at {shown_line(node)}"
            return FirstDifference(where, _edge(left, node), _edge(right, node))
    if expected == observed:
        return None
    return FirstDifference("order of the edges", "by ascending ID", "another order")


def _edge(edges: Mapping[str, Any], node: str) -> str | None:
    edge = edges.get(node)
    if edge is None:
        return None
    kind = "virtual, " if edge["virtual"] else ""
    return f"{kind}inserts {listed(edge['inserted'])}, deletes {listed(edge['deleted'])}"


def _reduction(difference: Asked) -> FirstDifference | None:
    """Return the first node whose parents differ."""
    left: Any = difference.expected_output["nodes"]
    right: Any = difference.observed_output["nodes"]
    ours, theirs = ({node["id"]: node["parents"] for node in side} for side in (left, right))
    graph = graph_in(difference.input)
    for node in sorted({*ours, *theirs}):
        if ours.get(node) != theirs.get(node):
            stray = {*ours.get(node, ())} ^ {*theirs.get(node, ())}
            note = "".join(
                f"{parent} is before {other}, another parent of the node"
                for parent, other in comparable(graph, {*stray, *ours.get(node, ())})[:1]
            )
            where = f"the parents of {shown_line(node)}"
            return FirstDifference(where, _parents(ours, node), _parents(theirs, node), note)
    return None


def _parents(nodes: Mapping[str, Any], node: str) -> str | None:
    return listed(nodes[node]) if node in nodes else None


def _answer(difference: Asked, name: str) -> FirstDifference:
    """Return the difference of a yes or no, with the nodes that decide it."""
    graph, value = graph_in(difference.input), difference.input
    if name == "before":
        field, relation = "before", f"{value['earlier']} <= {value['later']}"
        path = path_between(graph, str(value["earlier"]), str(value["later"]))
        note = " <- ".join(path) or "no path of parents leads from the later to the earlier node"
    else:
        among: Any = value["among"]
        field, relation = "anti_chain", f"{listed(among)} is an anti-chain"
        pairs = comparable(graph, {*among})
        note = f"{pairs[0][0]} is before {pairs[0][1]}" if pairs else "no node is before another"
    expected, observed = difference.expected_output[field], difference.observed_output[field]
    return FirstDifference(relation, canonical_json(expected), canonical_json(observed), note)


_MERGED: Final[Mapping[str, Reason]] = {"state": why_merged}
_SETS: Final[Mapping[str, Mapping[str, Reason]]] = {
    "ancestors": {"nodes": why_ancestor},
    "maximal": {"nodes": why_maximal},
    "common-ancestors": {"nodes": why_common},
    "common-to-all": {"nodes": why_common_to_all},
    "three-way-merge": {"state": why_in_states("origin", "left", "right")},
    "diff": {
        "inserted": why_in_states("origin", "changed"),
        "deleted": why_in_states("origin", "changed"),
    },
    "apply-diff": {"state": why_in_states("state", "inserted", "deleted")},
    "union-of-events": {"union": why_carried},
    "merge": _MERGED,
    "merge-temporary-nodes": _MERGED,
    "merge-recurse-fold": _MERGED,
    "merge-reduced": _MERGED,
    "merge-check-continues": _MERGED,
    "merge-check-returns": _MERGED,
    "members": _MERGED,
}
"""Operation -> its fields that are sets -> the reason why a name is in the set or not."""


def _state(state: Any) -> str:
    return listed(state) if isinstance(state, list) else canonical_json(state)


def _accepted(accepted: bool) -> str:  # noqa: FBT001 - the flag is the value to show
    return "accepted" if accepted else "refused"
