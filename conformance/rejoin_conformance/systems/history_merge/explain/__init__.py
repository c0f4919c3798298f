"""Say in the protocol's terms where two outputs of an operation part.

A set of nodes or members is told by the first one that is missing or too much, with what the
history says of it: what it is before, in which of the merged states it is. The observed output
comes from an adapter: it may name nodes and members that there are not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

from rejoin.history_merge import Graph, before, graph_of
from rejoin_conformance.contract.explanation import Difference, Parting
from rejoin_conformance.kit.json_types import JsonObject, canonical_json
from rejoin_conformance.kit.untrusted import shown_line
from rejoin_conformance.systems.history_merge.operations.fields import nodes_field

Reason: TypeAlias = Callable[[JsonObject, str], str]
"""(input, a node or a member that one side lacks) -> what the input says of it."""

_SHOWN: Final = 160


def explain(difference: Difference) -> str | None:
    """The first difference of two outputs, as three lines: where and why, expected, observed.

    None where nothing is to be said beyond the JSON itself.
    """
    name = difference.operation.partition("/")[2]
    if name == "session":
        return _rendered(_session(difference))
    if name == "operational-edges":
        return _rendered(_edges(difference.expected["edges"], difference.observed["edges"]))
    if name == "transitive-reduction":
        return _rendered(_reduction(difference))
    if name in ("before", "is-anti-chain"):
        return _rendered(_answer(difference, name))
    for field, reason in _SETS.get(name, {}).items():
        parting = _of_sets(difference, field, reason)
        if parting is not None:
            return parting.render()
    return None


def _rendered(parting: Parting | None) -> str | None:
    return None if parting is None else parting.render()


def _of_sets(difference: Difference, field: str, reason: Reason) -> Parting | None:
    expected: Any = difference.expected[field]
    observed: Any = difference.observed[field]
    if expected == observed:
        return None
    if not isinstance(expected, list) or not isinstance(observed, list):
        return Parting(field, canonical_json(expected), canonical_json(observed))
    note = _first_stray(expected, observed, lambda each: reason(difference.input, each))
    return Parting(field, _listed(expected), _listed(observed), note)


def _first_stray(expected: Any, observed: Any, reason: Callable[[str], str]) -> str:
    """What is missing or too much first, by name, and why it is; or that the order is another."""
    stray = min({*expected} ^ {*observed}, default=None)
    if stray is None:
        return "the same in another order, or twice; a set is a sorted list"
    what = "missing" if stray in expected else "too much"
    return f"{shown_line(stray)} is {what}: {reason(stray)}"


def _session(difference: Difference) -> Parting | None:
    """The first message that is accepted otherwise, or after which the state is another."""
    messages: Any = difference.input["messages"]
    left: Any = difference.expected["steps"]
    right: Any = difference.observed["steps"]
    if len(left) != len(right):
        return Parting("steps", str(len(left)), str(len(right)), "one for each message")
    for place, (ours, theirs) in enumerate(zip(left, right, strict=True)):
        message = messages[place]
        where = f"message {place}, {message['id']} over {_listed(message['parents'])}"
        if ours["accepted"] != theirs["accepted"]:
            told = [_accepted(side["accepted"]) for side in (ours, theirs)]
            return Parting(where, *told)
        if ours["state"] != theirs["state"]:
            return Parting(
                f"the state after {where}", _state(ours["state"]), _state(theirs["state"])
            )
    return None


def _edges(expected: Any, observed: Any) -> Parting | None:
    """The first node at which something else was changed, or something where nothing was."""
    left, right = ({edge["node"]: edge for edge in side} for side in (expected, observed))
    for node in sorted({*left, *right}):
        if left.get(node) != right.get(node):
            where = f"the edge at {shown_line(node)}"
            return Parting(where, _edge(left, node), _edge(right, node))
    return Parting("edges", "by ascending ID", "in another order") if expected != observed else None


def _edge(edges: Mapping[str, Any], node: str) -> str | None:
    edge = edges.get(node)
    if edge is None:
        return None
    kind = "virtual, " if edge["virtual"] else ""
    return f"{kind}inserts {_listed(edge['inserted'])}, deletes {_listed(edge['deleted'])}"


def _reduction(difference: Difference) -> Parting | None:
    """The first node that has other parents."""
    left: Any = difference.expected["nodes"]
    right: Any = difference.observed["nodes"]
    ours, theirs = ({node["id"]: node["parents"] for node in side} for side in (left, right))
    graph = _graph(difference.input)
    for node in sorted({*ours, *theirs}):
        if ours.get(node) != theirs.get(node):
            stray = {*ours.get(node, ())} ^ {*theirs.get(node, ())}
            note = "".join(
                f"{parent} is before {other}, another parent of it"
                for parent, other in _comparable(graph, {*stray, *ours.get(node, ())})[:1]
            )
            where = f"the parents of {shown_line(node)}"
            return Parting(where, _parents(ours, node), _parents(theirs, node), note)
    return None


def _parents(nodes: Mapping[str, Any], node: str) -> str | None:
    return _listed(nodes[node]) if node in nodes else None


def _answer(difference: Difference, name: str) -> Parting:
    """Which nodes are before each other, where yes and no are confused."""
    graph, value = _graph(difference.input), difference.input
    if name == "before":
        field, relation = "before", f"{value['earlier']} <= {value['later']}"
        path = _path(graph, str(value["earlier"]), str(value["later"]))
        note = f"{' <- '.join(path)}" if path else "no parents lead from the later to the earlier"
    else:
        among: Any = value["among"]
        field, relation = "anti_chain", f"{_listed(among)} is an anti-chain"
        pairs = _comparable(graph, {*among})
        note = f"{pairs[0][0]} is before {pairs[0][1]}" if pairs else "none is before another"
    expected, observed = difference.expected[field], difference.observed[field]
    return Parting(relation, canonical_json(expected), canonical_json(observed), note)


def _why_ancestor(value: JsonObject, node: str) -> str:
    return _before_some(value, node, "of")


def _why_maximal(value: JsonObject, node: str) -> str:
    among: Any = value["among"]
    later = [each for each in _after(value, node, among) if each != node]
    return f"it is before {later[0]}" if later else _if_listed(node, among, "before no other")


def _why_common(value: JsonObject, node: str) -> str:
    """Of lcaU: before the further node, before a merged one, and before no other such node."""
    further: Any = value["with"]
    if not _after(value, node, [further]):
        return f"it is not before {further}"
    reached: Any = value["of"]
    if not _after(value, node, reached):
        return f"it is before none of {_listed(reached)}"
    between = [
        each
        for each in _after(value, node, [each["id"] for each in _nodes(value)])
        if each != node and _after(value, each, [further]) and _after(value, each, reached)
    ]
    if between:
        return f"it is before {between[0]}, which is a common ancestor too"
    return f"it is before {further} and {_after(value, node, reached)[0]}, and none is between"


def _why_common_to_all(value: JsonObject, node: str) -> str:
    of: Any = value["of"]
    below = _after(value, node, of)
    if len(below) < len({*of}):
        return f"it is not before {min({*of} - {*below})}"
    return f"it is before all of {_listed(of)}"


def _before_some(value: JsonObject, node: str, field: str) -> str:
    nodes: Any = value[field]
    later = _after(value, node, nodes)
    return f"it is before {later[0]}" if later else f"it is before none of {_listed(nodes)}"


def _why_in_states(*fields: str) -> Reason:
    """In which of the input's states a member is."""

    def why(value: JsonObject, member: str) -> str:
        told = (f"{'in' if member in _list(value[each]) else 'not in'} {each}" for each in fields)
        return ", ".join(told)

    return why


def _why_merged(value: JsonObject, member: str) -> str:
    """Who of the merged nodes has a member, and where it came and went."""
    states = {node["id"]: _list(node["state"]) for node in _nodes(value)}
    merged: Any = value.get("merge") or sorted(_graph(value).heads())
    having = [each for each in merged if member in states.get(each, ())]
    lacking = [each for each in merged if each not in having]
    changes = [
        f"{node['id']} {'adds' if member in states[node['id']] else 'removes'} it"
        for node in _nodes(value)
        if all(
            (member in states[node["id"]]) != (member in states[parent])
            for parent in node["parents"]
        )
        and (node["parents"] or member in states[node["id"]])
    ]
    said = [f"in the state of {_listed(having)}"] if having else []
    said += [f"not in that of {_listed(lacking)}"] if lacking else []
    return "; ".join([*said, *changes[:4]])


def _why_carried(value: JsonObject, member: str) -> str:
    carriers = [node["id"] for node in _nodes(value) if member in _list(node["state"])]
    return f"{carriers[0]} carries it" if carriers else "no node carries it"


_MERGED: Final[Mapping[str, Reason]] = {"state": _why_merged}
_SETS: Final[Mapping[str, Mapping[str, Reason]]] = {
    "ancestors": {"nodes": _why_ancestor},
    "maximal": {"nodes": _why_maximal},
    "common-ancestors": {"nodes": _why_common},
    "common-to-all": {"nodes": _why_common_to_all},
    "three-way-merge": {"state": _why_in_states("origin", "left", "right")},
    "diff": {
        "inserted": _why_in_states("origin", "changed"),
        "deleted": _why_in_states("origin", "changed"),
    },
    "apply-diff": {"state": _why_in_states("state", "inserted", "deleted")},
    "union-of-events": {"union": _why_carried},
    "merge": _MERGED,
    "merge-temporary-nodes": _MERGED,
    "merge-recurse-fold": _MERGED,
    "merge-reduced": _MERGED,
    "members": _MERGED,
}
"""Operation -> its fields that are sets, with what says why something is or is not in them."""


def _nodes(value: JsonObject) -> list[Any]:
    return _list(value["nodes"])


def _graph(value: JsonObject) -> Graph[Any]:
    return graph_of(nodes_field(value, "nodes", None))


def _after(value: JsonObject, node: str, candidates: Iterable[str]) -> list[str]:
    """Those of the candidates that the node is before or the same as; none for a stranger."""
    graph = _graph(value)
    known = {each["id"] for each in _nodes(value)}
    return [each for each in candidates if {node, each} <= known and before(graph, node, each)]


def _comparable(graph: Graph[Any], nodes: set[str]) -> list[tuple[str, str]]:
    """The pairs of which the first node is before the second one, sorted."""
    return [
        (one, other)
        for one in sorted(nodes)
        for other in sorted(nodes)
        if one != other and one in graph and other in graph and before(graph, one, other)
    ]


def _path(graph: Graph[Any], earlier: str, later: str) -> list[str]:
    """The nodes that lead from the earlier to the later, by parents; empty where none do."""
    if not before(graph, earlier, later):
        return []
    path = [later]
    while path[-1] != earlier:
        parents = sorted(graph.node(path[-1]).parents)
        path.append(next(each for each in parents if before(graph, earlier, each)))
    return path[::-1]


def _if_listed(node: str, listed: list[str], what: str) -> str:
    return f"it is {what}" if node in listed else "it is not in the set"


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _state(state: Any) -> str:
    return _listed(state) if isinstance(state, list) else canonical_json(state)


def _listed(names: Iterable[str]) -> str:
    """Names on one line, shortened: {a b}."""
    text = f"{{{' '.join(map(shown_line, names))}}}"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _accepted(accepted: bool) -> str:  # noqa: FBT001 - it is the value that is told
    return "accepted" if accepted else "refused"
