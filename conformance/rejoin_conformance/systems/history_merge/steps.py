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
from rejoin_conformance.contract.step import step_json, step_schema, steps_schema
from rejoin_conformance.kit.json_types import JsonObject
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


def json_of(step: MergeStep[Any], form: StateFormat) -> JsonObject:
    """Return a step as JSON. form: the format of its states."""
    clause = step.clause
    match step:
        case DefaultStep(state=state):
            return step_json("default", clause, state=form.write(state))
        case OrderStep(nodes=nodes):
            return step_json("order", clause, nodes=[*nodes])
        case StartStep(node=node, state=state):
            return step_json("start", clause, node=node, state=form.write(state))
        case CommonAncestorsStep(node=node, nodes=common):
            return step_json("lca-u", clause, node=node, nodes=sorted_names(common))
        case OriginStep(state=state):
            return step_json("origin", clause, state=form.write(state))
        case FoldStep(node=node, state=state):
            return step_json("fold", clause, node=node, state=form.write(state))
