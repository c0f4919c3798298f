"""Operations that merge nodes of a history: the algorithm, its variants, the merge of the heads."""

from __future__ import annotations

from typing import Any, Final, Protocol

from attrs import evolve, frozen

from rejoin.history_merge import (
    Graph,
    MergeCache,
    Reading,
    StateType,
    checking_by,
    fast_merge,
    fast_merge_fold_recurse,
    fast_merge_recurse_fold,
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
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.schemas import BOOLEAN, list_of, record
from rejoin_conformance.systems.history_merge.operations.features import ORDER, STATE_TYPES
from rejoin_conformance.systems.history_merge.operations.fields import (
    ANY_STATE,
    NAME,
    NAMES,
    SET,
    SET_FORMAT,
    Answer,
    StateFormat,
    by_fast,
    for_each_state_type,
    literally,
    names_field,
    nodes_field,
    sorted_names,
    state_format,
)


@frozen
class _Question:
    """The arguments of a merge: a history, the nodes to merge, the type of state, the reading."""

    graph: Graph[Any]
    nodes: list[str]
    states: StateType[Any]
    reading: Reading


class _Merge(Protocol):
    def __call__(self, asked: _Question, *, fast: bool) -> Any: ...


def _merge(asked: _Question, *, fast: bool) -> Any:
    complete = fast_merge if fast else merge
    return complete(asked.graph, asked.nodes, asked.states, asked.reading)


def _fold_recurse(asked: _Question, *, fast: bool) -> Any:
    fold_recurse = fast_merge_fold_recurse if fast else merge_fold_recurse
    return fold_recurse(asked.graph, asked.nodes, asked.states, asked.reading)


def _recurse_fold(asked: _Question, *, fast: bool) -> Any:
    recurse_fold = fast_merge_recurse_fold if fast else merge_recurse_fold
    return recurse_fold(asked.graph, asked.nodes, asked.states, asked.reading)


def _reduced(asked: _Question, *, fast: bool) -> Any:
    return _merge(evolve(asked, reading=reducing(asked.reading)), fast=fast)


def _check_continues(asked: _Question, *, fast: bool) -> Any:
    return _merge(evolve(asked, reading=checking_by("continue", asked.reading)), fast=fast)


def _check_returns(asked: _Question, *, fast: bool) -> Any:
    return _merge(evolve(asked, reading=checking_by("return-as", asked.reading)), fast=fast)


def _members(asked: _Question, *, fast: bool) -> Any:
    return members(asked.graph, asked.states, asked.reading, MergeCache() if fast else None)


def _merging(merge_nodes: _Merge) -> Answer:
    def answer(value: JsonObject, reading: Reading, *, fast: bool) -> JsonObject:
        form = state_format(value)
        graph = graph_of(nodes_field(value, "nodes", form))
        folding = folding_of(value, graph, reading)
        nodes = names_field(value, "merge") if "merge" in value else []
        merged = merge_nodes(_Question(graph, nodes, form.states, folding), fast=fast)
        return {"state": form.write(merged)}

    return answer


def folding_of(value: JsonObject, graph: Graph[Any], reading: Reading) -> Reading:
    """Return the reading with the fold order of an input, if the input has one."""
    if "order" not in value:
        return reading
    return folding_by(ranked_in(graph, names_field(value, "order")), reading)


def _operational_edges(value: JsonObject, reading: Reading, *, fast: bool) -> JsonObject:
    graph = graph_of(nodes_field(value, "nodes", SET_FORMAT))
    cache = MergeCache[frozenset[str]]() if fast else None
    edges: list[Json] = []
    for edge in operational_edges(graph, SET_FORMAT.states, reading, cache):
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


def merge_input(form: StateFormat) -> JsonObject:
    """Return the schema of the input of a merge."""
    return record({"nodes": list_of(form.node_schema()), "merge": NAMES}, {"order": NAMES})


def _members_input(form: StateFormat) -> JsonObject:
    return record({"nodes": list_of(form.node_schema())}, {"order": NAMES})


def _merge_operation(name: str, summary: str, merge_nodes: _Merge) -> Operation:
    return Operation(
        name=f"history-merge/{name}",
        summary=summary,
        input_schema=for_each_state_type(merge_input),
        output_schema=ANY_STATE,
        perform=literally(_merging(merge_nodes)),
        second=by_fast(_merging(merge_nodes)),
        features=(*STATE_TYPES, ORDER),
    )


OPERATIONS: Final = (
    _merge_operation(
        "merge",
        "Merge the nodes of an anti-chain. Nodes listed in `order` come first, the others follow "
        "by ascending ID.",
        _merge,
    ),
    _merge_operation(
        "merge-temporary-nodes",
        "Merge the nodes of an anti-chain by fold-recurse with temporary nodes.",
        _fold_recurse,
    ),
    _merge_operation(
        "merge-recurse-fold",
        "Merge the nodes of an anti-chain by recurse-fold, which the document shows to be wrong.",
        _recurse_fold,
    ),
    _merge_operation(
        "merge-reduced",
        "Merge the maximal nodes of any set, as a version-control system can.",
        _reduced,
    ),
    _merge_operation(
        "merge-check-continues",
        "Merge any set of nodes, and ignore the anti-chain check where it fails. The document says "
        "that this is not enough.",
        _check_continues,
    ),
    _merge_operation(
        "merge-check-returns",
        "Merge any set of nodes, and keep the state so far where the anti-chain check fails. The "
        "document says that this is not enough.",
        _check_returns,
    ),
    Operation(
        name="history-merge/members",
        summary="Merge the heads of the history.",
        input_schema=for_each_state_type(_members_input),
        output_schema=ANY_STATE,
        perform=literally(_merging(_members)),
        second=by_fast(_merging(_members)),
        features=(*STATE_TYPES, ORDER),
    ),
    Operation(
        name="history-merge/operational-edges",
        summary="List the operational edges of a history by ascending node ID.",
        input_schema=record({"nodes": list_of(SET_FORMAT.node_schema())}),
        output_schema=record(
            {
                "edges": list_of(
                    record({"node": NAME, "virtual": BOOLEAN, "inserted": SET, "deleted": SET})
                )
            }
        ),
        perform=literally(_operational_edges),
        second=by_fast(_operational_edges),
    ),
)
