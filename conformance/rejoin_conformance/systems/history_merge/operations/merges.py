"""Merges of nodes of a history: the algorithm, its variants, and the merge of the heads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from rejoin.history_merge import (
    Graph,
    Reading,
    StateType,
    folding_by,
    graph_of,
    members,
    merge,
    merge_fold_recurse,
    merge_recurse_fold,
    operational_edges,
    ranked_in,
    reducing,
    set_operation,
)
from rejoin_conformance.contract.operation import Operation, Perform
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.schemas import BOOLEAN, list_of, record
from rejoin_conformance.systems.history_merge.operations.fields import (
    ANY_STATE,
    NAME,
    NAMES,
    SET,
    SET_FORMAT,
    StateFormat,
    for_each_state_type,
    names_field,
    nodes_field,
    reading_named,
    sorted_names,
    state_format,
)

_Merge: TypeAlias = Callable[[Graph[Any], list[str], StateType[Any], Reading], Any]


def _reading(value: JsonObject, graph: Graph[Any], name: str) -> Reading:
    reading = reading_named(name)
    if "order" not in value:
        return reading
    return folding_by(ranked_in(graph, names_field(value, "order")), reading)


def _merging(merge_nodes: _Merge) -> Perform:
    def perform(value: JsonObject, name: str) -> JsonObject:
        form = state_format(value)
        graph = graph_of(nodes_field(value, "nodes", form))
        reading = _reading(value, graph, name)
        nodes = names_field(value, "merge") if "merge" in value else []
        return {"state": form.write(merge_nodes(graph, nodes, form.states, reading))}

    return perform


def _reduced(graph: Graph[Any], nodes: list[str], states: StateType[Any], reading: Reading) -> Any:
    return merge(graph, nodes, states, reducing(reading))


def _members(graph: Graph[Any], _nodes: list[str], states: StateType[Any], reading: Reading) -> Any:
    return members(graph, states, reading)


def _operational_edges(value: JsonObject, name: str) -> JsonObject:
    graph = graph_of(nodes_field(value, "nodes", SET_FORMAT))
    edges: list[Json] = []
    for edge in operational_edges(graph, SET_FORMAT.states, reading_named(name)):
        operation = set_operation(edge)
        edges.append(
            {
                "node": edge.node,
                "virtual": edge.virtual,
                "inserted": sorted_names(operation.inserted),
                "deleted": sorted_names(operation.deleted),
            }
        )
    return {"edges": edges}


def _merge_input(form: StateFormat) -> JsonObject:
    return record({"nodes": list_of(form.node_schema()), "merge": NAMES}, {"order": NAMES})


def _members_input(form: StateFormat) -> JsonObject:
    return record({"nodes": list_of(form.node_schema())}, {"order": NAMES})


def _merge_operation(name: str, summary: str, merge_nodes: _Merge) -> Operation:
    return Operation(
        name=f"history-merge/{name}",
        summary=summary,
        input_schema=for_each_state_type(_merge_input),
        output_schema=ANY_STATE,
        perform=_merging(merge_nodes),
    )


OPERATIONS: Final = (
    _merge_operation(
        "merge",
        "Merge the nodes of an anti-chain: those that `order` lists first, the rest by ID.",
        merge,
    ),
    _merge_operation(
        "merge-temporary-nodes",
        "Merge the same way by fold-recurse with temporary nodes.",
        merge_fold_recurse,
    ),
    _merge_operation(
        "merge-recurse-fold",
        "Merge by recurse-fold, the variant that the document shows to be wrong.",
        merge_recurse_fold,
    ),
    _merge_operation(
        "merge-reduced",
        "Merge the maximal nodes of any set, as a version-control system may.",
        _reduced,
    ),
    Operation(
        name="history-merge/members",
        summary="Merge the heads of the history.",
        input_schema=for_each_state_type(_members_input),
        output_schema=ANY_STATE,
        perform=_merging(_members),
    ),
    Operation(
        name="history-merge/operational-edges",
        summary="List, by ascending node ID, where in the history somebody changed something.",
        input_schema=record({"nodes": list_of(SET_FORMAT.node_schema())}),
        output_schema=record(
            {
                "edges": list_of(
                    record({"node": NAME, "virtual": BOOLEAN, "inserted": SET, "deleted": SET})
                )
            }
        ),
        perform=_operational_edges,
    ),
)
