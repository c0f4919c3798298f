"""The steps of a merge as JSON."""

from __future__ import annotations

from typing import Any, Final

from rejoin.history_merge import (
    CommonAncestorsStep,
    DefaultStep,
    FoldStep,
    MergeStep,
    OrderStep,
    OriginStep,
    StartStep,
)
from rejoin_conformance.contract.step import step_schema, steps_schema
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.schemas import any_of
from rejoin_conformance.systems.history_merge.operations.fields import (
    FORMATS,
    NAME,
    NAMES,
    StateFormat,
    sorted_names,
)

_STATE: Final = any_of(*(each.schema for each in FORMATS.values()))

STEPS: Final = steps_schema(
    step_schema("default", "HM-MERGE-EMPTY", state=(_STATE, "The default state.")),
    step_schema(
        "order",
        "HM-FOLD-ASCENDING HM-FOLD-RANKED",
        nodes=(NAMES, "The IDs of the nodes of a set in fold order."),
    ),
    step_schema(
        "start",
        "HM-MERGE-FOLD HM-MERGE-ONE",
        node=(NAME, "The ID of the first node."),
        state=(_STATE, "The state of the first node."),
    ),
    step_schema(
        "lca-u",
        "HM-LCAU-LOWEST HM-LCAU-NONE",
        node=(NAME, "The ID of the next node."),
        nodes=(NAMES, "The IDs of its lowest common ancestors with the nodes so far, sorted."),
    ),
    step_schema(
        "origin",
        "HM-MERGE-ORIGIN HM-MERGE-NO-ORIGIN",
        state=(_STATE, "The merge of the lowest common ancestors."),
    ),
    step_schema(
        "fold",
        "HM-MERGE-STEP",
        node=(NAME, "The ID of the node that is merged."),
        state=(_STATE, "The merge of the nodes so far and this node."),
    ),
)
"""The schema of the steps of a merge."""


def step_json(step: MergeStep[Any], form: StateFormat) -> Json:
    """Return a step as JSON. form: the format of its states."""
    kind, fields = _fields(step, form)
    return {"step": kind, "clause": step.clause, **fields}


def _fields(step: MergeStep[Any], form: StateFormat) -> tuple[str, JsonObject]:
    match step:
        case DefaultStep(state=state):
            return "default", {"state": form.write(state)}
        case OrderStep(nodes=nodes):
            return "order", {"nodes": [*nodes]}
        case StartStep(node=node, state=state):
            return "start", {"node": node, "state": form.write(state)}
        case CommonAncestorsStep(node=node, nodes=common):
            return "lca-u", {"node": node, "nodes": sorted_names(common)}
        case OriginStep(state=state):
            return "origin", {"state": form.write(state)}
        case FoldStep(node=node, state=state):
            return "fold", {"node": node, "state": form.write(state)}
