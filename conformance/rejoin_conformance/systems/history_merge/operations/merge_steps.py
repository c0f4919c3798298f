"""The operation that lists the steps of a merge."""

from __future__ import annotations

from typing import Final

from rejoin.history_merge import Reading, fast_merge, graph_of, merge, recording
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.history_merge.operations.features import ORDER, STATE_TYPES
from rejoin_conformance.systems.history_merge.operations.fields import (
    by_fast,
    for_each_state_type,
    literally,
    names_field,
    nodes_field,
    state_format,
)
from rejoin_conformance.systems.history_merge.operations.merges import folding_of, merge_input
from rejoin_conformance.systems.history_merge.steps import STEPS, json_of


def _merge_steps(value: JsonObject, reading: Reading, *, fast: bool) -> JsonObject:
    form = state_format(value)
    graph = graph_of(nodes_field(value, "nodes", form))
    folding, recorder = recording(folding_of(value, graph, reading))
    complete = fast_merge if fast else merge
    complete(graph, names_field(value, "merge"), form.states, folding)
    steps: list[Json] = [json_of(step, form) for step in recorder.steps()]
    return {"steps": steps}


OPERATIONS: Final = (
    Operation(
        name="history-merge/merge-steps",
        summary=(
            "List the steps of the operation `merge`. This operation is optional. The steps of a "
            "set of nodes stand after the steps of the sets that its origins need."
        ),
        input_schema=for_each_state_type(merge_input),
        output_schema=STEPS,
        perform=literally(_merge_steps),
        second=by_fast(_merge_steps),
        features=(*STATE_TYPES, ORDER),
        steps_of="history-merge/merge",
    ),
)
