"""Reasons from the input why a node or a member belongs to a set of the output, or does not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias

from rejoin.history_merge import Graph, before, graph_of
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.untrusted import shown_line
from rejoin_conformance.systems.history_merge.operations.fields import nodes_field

Reason: TypeAlias = Callable[[JsonObject, str], str]
"""(input, a node or a member that only one output has) -> the reason, from the input."""

_SHOWN: Final = 160


def why_ancestor(value: JsonObject, node: str) -> str:
    """Return why a node is an ancestor of the nodes in `of`, or not."""
    return _before_some(value, node, "of")


def why_maximal(value: JsonObject, node: str) -> str:
    """Return why a node is maximal in the set `among`, or not."""
    among: Any = value["among"]
    later = [each for each in _after(value, node, among) if each != node]
    if later:
        return f"it is before {later[0]}"
    if node in among:
        return "it is not before another node of the set"
    return "it is not in the set"


def why_common(value: JsonObject, node: str) -> str:
    """Return why a node is in lcaU, or not.

    It is if it is before the further node and a merged node, and no such node is after it.
    """
    further: Any = value["with"]
    if not _after(value, node, [further]):
        return f"it is not before {further}"
    reached: Any = value["of"]
    if not _after(value, node, reached):
        return f"it is not before any of {listed(reached)}"
    between = [
        each
        for each in _after(value, node, [each["id"] for each in _nodes(value)])
        if each != node and _after(value, each, [further]) and _after(value, each, reached)
    ]
    if between:
        return f"it is before {between[0]}, which is also a common ancestor"
    merged = _after(value, node, reached)[0]
    return f"it is before {further} and {merged}, and before no other common ancestor"


def why_common_to_all(value: JsonObject, node: str) -> str:
    """Return why a node is an ancestor of all nodes in `of`, or not."""
    of: Any = value["of"]
    below = _after(value, node, of)
    if len(below) < len({*of}):
        return f"it is not before {min({*of} - {*below})}"
    return f"it is before all of {listed(of)}"


def _before_some(value: JsonObject, node: str, field: str) -> str:
    nodes: Any = value[field]
    later = _after(value, node, nodes)
    return f"it is before {later[0]}" if later else f"it is not before any of {listed(nodes)}"


def why_in_states(*fields: str) -> Reason:
    """Return a reason that says which of the input's states contain a member."""

    def why(value: JsonObject, member: str) -> str:
        sides = (f"{'in' if member in _list(value[each]) else 'not in'} {each}" for each in fields)
        return ", ".join(sides)

    return why


def why_merged(value: JsonObject, member: str) -> str:
    """Return which merged nodes have a member, and which nodes add and remove it."""
    states = {node["id"]: _list(node["state"]) for node in _nodes(value)}
    merged: Any = value.get("merge") or sorted(graph_in(value).heads())
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
    said = [f"in the state of {listed(having)}"] if having else []
    said += [f"not in the state of {listed(lacking)}"] if lacking else []
    return "; ".join([*said, *changes[:4]])


def why_carried(value: JsonObject, member: str) -> str:
    """Return the first node that carries a member, if there is one."""
    carriers = [node["id"] for node in _nodes(value) if member in _list(node["state"])]
    return f"{carriers[0]} carries it" if carriers else "no node carries it"


def _nodes(value: JsonObject) -> list[Any]:
    return _list(value["nodes"])


def graph_in(value: JsonObject) -> Graph[Any]:
    """Return the history in the input of an operation."""
    return graph_of(nodes_field(value, "nodes", None))


def _after(value: JsonObject, node: str, candidates: Iterable[str]) -> list[str]:
    """Return the candidates that are the node or after it; none if the node is unknown."""
    graph = graph_in(value)
    known = {each["id"] for each in _nodes(value)}
    return [each for each in candidates if {node, each} <= known and before(graph, node, each)]


def comparable(graph: Graph[Any], nodes: set[str]) -> list[tuple[str, str]]:
    """Return the pairs of nodes in which the first is before the second, sorted."""
    return [
        (one, other)
        for one in sorted(nodes)
        for other in sorted(nodes)
        if one != other and one in graph and other in graph and before(graph, one, other)
    ]


def path_between(graph: Graph[Any], earlier: str, later: str) -> list[str]:
    """Return a path from the earlier node to the later one by parents; empty if there is none."""
    if not before(graph, earlier, later):
        return []
    path = [later]
    while path[-1] != earlier:
        parents = sorted(graph.node(path[-1]).parents)
        path.append(next(each for each in parents if before(graph, earlier, each)))
    return path[::-1]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def listed(names: Iterable[str]) -> str:
    """Return names on one line, shortened: {a b}."""
    text = f"{{{' '.join(map(shown_line, names))}}}"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
