"""Operations on states: the 3-way merge, diff and apply, and the union of a history's events."""

from __future__ import annotations

from typing import Final

from rejoin.history_merge import Reading, SetDiff, graph_of, set_apply, set_diff, union_of_events
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.schemas import list_of, record
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.history_merge import READINGS
from rejoin_conformance.systems.history_merge.operations.features import STATE_TYPES
from rejoin_conformance.systems.history_merge.operations.fields import (
    ANY_STATE,
    SET,
    SET_FORMAT,
    for_each_state_type,
    names_field,
    nodes_field,
    sorted_names,
    state_format,
)


def _three_way_merge(value: JsonObject, reading: Reading) -> JsonObject:
    form = state_format(value)
    origin, left, right = (form.read(value[field]) for field in ("origin", "left", "right"))
    return {"state": form.write(reading.three_way_merge(form.states, origin, left, right))}


def _diff(value: JsonObject, _reading: Reading) -> JsonObject:
    origin, changed = (frozenset(names_field(value, field)) for field in ("origin", "changed"))
    diff = set_diff(origin, changed)
    return {"inserted": sorted_names(diff.inserted), "deleted": sorted_names(diff.deleted)}


def _apply_diff(value: JsonObject, _reading: Reading) -> JsonObject:
    state, inserted, deleted = (
        frozenset(names_field(value, field)) for field in ("state", "inserted", "deleted")
    )
    return {"state": sorted_names(set_apply(state, SetDiff(inserted, deleted)))}


def _union_of_events(value: JsonObject, _reading: Reading) -> JsonObject:
    graph = graph_of(nodes_field(value, "nodes", SET_FORMAT))
    return {"union": sorted_names(union_of_events(graph))}


OPERATIONS: Final = (
    Operation(
        name="history-merge/three-way-merge",
        summary="Merge two states that both come from `origin`. Reject them if they conflict.",
        input_schema=for_each_state_type(
            lambda form: record({"origin": form.schema, "left": form.schema, "right": form.schema})
        ),
        output_schema=ANY_STATE,
        perform=under(READINGS, _three_way_merge),
        features=STATE_TYPES,
    ),
    Operation(
        name="history-merge/diff",
        summary="List the elements to insert and to delete to turn `origin` into `changed`.",
        input_schema=record({"origin": SET, "changed": SET}),
        output_schema=record({"inserted": SET, "deleted": SET}),
        perform=under(READINGS, _diff),
    ),
    Operation(
        name="history-merge/apply-diff",
        summary="Insert elements into a set, then delete elements from it.",
        input_schema=record({"state": SET, "inserted": SET, "deleted": SET}),
        output_schema=record({"state": SET}),
        perform=under(READINGS, _apply_diff),
    ),
    Operation(
        name="history-merge/union-of-events",
        summary="Read the nodes' sets as data of type 1 and return the union of all of them.",
        input_schema=record({"nodes": list_of(SET_FORMAT.node_schema())}),
        output_schema=record({"union": SET}),
        perform=under(READINGS, _union_of_events),
    ),
)
