"""The operation that lists the sessions of a history whose forks are never merged."""

from __future__ import annotations

from typing import Final

from rejoin.history_merge import Reading, copies, graph_of, unmerged_sessions
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.schemas import any_of, list_of, record
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.history_merge import READINGS
from rejoin_conformance.systems.history_merge.operations.features import STATE_TYPES
from rejoin_conformance.systems.history_merge.operations.fields import (
    FORMATS,
    NAME,
    StateFormat,
    for_each_state_type,
    nodes_field,
    state_format,
)

_COUNT: Final[JsonObject] = {"type": "string", "pattern": "^(0|[1-9][0-9]*)(?!\\n)$"}


def _without_merges(value: JsonObject, _reading: Reading) -> JsonObject:
    form = state_format(value)
    graph = graph_of(nodes_field(value, "nodes", form))
    sessions: list[Json] = [
        {"head": each.head, "copies": str(each.copies), "state": form.write(each.state)}
        for each in unmerged_sessions(graph)
    ]
    return {"written": str(sum(copies(graph).values())), "sessions": sessions}


def _input(form: StateFormat) -> JsonObject:
    return record({"nodes": list_of(form.node_schema())})


_STATE: Final = any_of(*(form.schema for form in FORMATS.values()))

OPERATIONS: Final = (
    Operation(
        name="history-merge/without-merges",
        summary=(
            "List the sessions that the history becomes if forks are never merged, by ascending "
            "head, and count the messages that have to be written."
        ),
        input_schema=for_each_state_type(_input),
        output_schema=record(
            {
                "written": _COUNT,
                "sessions": list_of(record({"head": NAME, "copies": _COUNT, "state": _STATE})),
            }
        ),
        perform=under(READINGS, _without_merges),
        features=STATE_TYPES,
    ),
)
