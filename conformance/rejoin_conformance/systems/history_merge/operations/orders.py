"""Operations on the partial order of a history."""

from __future__ import annotations

from typing import Any, Final

from rejoin.history_merge import (
    Graph,
    Reading,
    ancestors_of_all,
    before,
    fast_ancestors_of_all,
    fast_before,
    fast_is_anti_chain,
    fast_lca,
    fast_lca_u,
    fast_maximal,
    fast_transitive_reduction,
    graph_of,
    is_anti_chain,
    lca,
    lca_u,
    maximal,
    transitive_reduction,
)
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.schemas import BOOLEAN, list_of, record
from rejoin_conformance.systems.history_merge.operations.fields import (
    NAME,
    NAMES,
    SET,
    UNSTATED_NODES,
    by_fast,
    literally,
    name_field,
    names_field,
    nodes_field,
    sorted_names,
)

_NODES_OUT: Final = record({"nodes": SET})


def _graph(value: JsonObject) -> Graph[Any]:
    return graph_of(nodes_field(value, "nodes", None))


def _before(value: JsonObject, _reading: Reading, *, fast: bool) -> JsonObject:
    is_before = fast_before if fast else before
    earlier, later = name_field(value, "earlier"), name_field(value, "later")
    return {"before": is_before(_graph(value), earlier, later)}


def _ancestors(value: JsonObject, _reading: Reading, *, fast: bool) -> JsonObject:
    anc = fast_ancestors_of_all if fast else ancestors_of_all
    return {"nodes": sorted_names(anc(_graph(value), names_field(value, "of")))}


def _maximal(value: JsonObject, _reading: Reading, *, fast: bool) -> JsonObject:
    maxima = fast_maximal if fast else maximal
    return {"nodes": sorted_names(maxima(_graph(value), names_field(value, "among")))}


def _is_anti_chain(value: JsonObject, _reading: Reading, *, fast: bool) -> JsonObject:
    is_one = fast_is_anti_chain if fast else is_anti_chain
    return {"anti_chain": is_one(_graph(value), names_field(value, "among"))}


def _transitive_reduction(value: JsonObject, _reading: Reading, *, fast: bool) -> JsonObject:
    reduced = fast_transitive_reduction if fast else transitive_reduction
    nodes = sorted(reduced(_graph(value)), key=lambda node: node.id)
    listed: list[Json] = [{"id": node.id, "parents": sorted_names(node.parents)} for node in nodes]
    return {"nodes": listed}


def _common_ancestors(value: JsonObject, _reading: Reading, *, fast: bool) -> JsonObject:
    common = fast_lca_u if fast else lca_u
    merged, further = names_field(value, "of"), name_field(value, "with")
    return {"nodes": sorted_names(common(_graph(value), merged, further))}


def _common_to_all(value: JsonObject, _reading: Reading, *, fast: bool) -> JsonObject:
    common = fast_lca if fast else lca
    return {"nodes": sorted_names(common(_graph(value), names_field(value, "of")))}


OPERATIONS: Final = (
    Operation(
        name="history-merge/before",
        summary="Return whether `earlier` <= `later`: it is the same node or an ancestor of it.",
        input_schema=record({"nodes": UNSTATED_NODES, "earlier": NAME, "later": NAME}),
        output_schema=record({"before": BOOLEAN}),
        perform=literally(_before),
        second=by_fast(_before),
    ),
    Operation(
        name="history-merge/ancestors",
        summary="List the nodes of a set and all their ancestors.",
        input_schema=record({"nodes": UNSTATED_NODES, "of": NAMES}),
        output_schema=_NODES_OUT,
        perform=literally(_ancestors),
        second=by_fast(_ancestors),
    ),
    Operation(
        name="history-merge/maximal",
        summary="List the nodes of a set that are not before another node of the set.",
        input_schema=record({"nodes": UNSTATED_NODES, "among": NAMES}),
        output_schema=_NODES_OUT,
        perform=literally(_maximal),
        second=by_fast(_maximal),
    ),
    Operation(
        name="history-merge/is-anti-chain",
        summary="Return whether the listed nodes are an anti-chain: none is <= another one.",
        input_schema=record({"nodes": UNSTATED_NODES, "among": NAMES}),
        output_schema=record({"anti_chain": BOOLEAN}),
        perform=literally(_is_anti_chain),
        second=by_fast(_is_anti_chain),
    ),
    Operation(
        name="history-merge/transitive-reduction",
        summary="List the nodes by ascending ID, without parents that are before another parent of "
        "the same node.",
        input_schema=record({"nodes": UNSTATED_NODES}),
        output_schema=record({"nodes": list_of(record({"id": NAME, "parents": SET}))}),
        perform=literally(_transitive_reduction),
        second=by_fast(_transitive_reduction),
    ),
    Operation(
        name="history-merge/common-ancestors",
        summary="lcaU: the lowest nodes that are <= `with` and <= at least one node of `of`.",
        input_schema=record({"nodes": UNSTATED_NODES, "of": NAMES, "with": NAME}),
        output_schema=_NODES_OUT,
        perform=literally(_common_ancestors),
        second=by_fast(_common_ancestors),
    ),
    Operation(
        name="history-merge/common-to-all",
        summary="lca: the lowest nodes that are <= every node of `of`.",
        input_schema=record({"nodes": UNSTATED_NODES, "of": NAMES}),
        output_schema=_NODES_OUT,
        perform=literally(_common_to_all),
        second=by_fast(_common_to_all),
    ),
)
