"""The features of the operations on histories: types of state, and orders of folding."""

from __future__ import annotations

from functools import partial
from typing import Final

from rejoin.history_merge import COUNTERS, LINES, REGISTERS, SETS
from rejoin_conformance.contract.feature import Feature
from rejoin_conformance.kit.json_types import JsonObject


def _has_type(name: str, value: JsonObject) -> bool:
    return value.get("state_type", SETS.name) == name


def _orders(value: JsonObject) -> bool:
    return "order" in value


def _without_order(value: JsonObject) -> JsonObject:
    return {name: each for name, each in value.items() if name != "order"}


STATE_TYPES: Final = tuple(
    Feature(
        name=name,
        summary=f"Nodes and states whose `state_type` is `{name}`.",
        needed_by=partial(_has_type, name),
    )
    for name in (SETS.name, COUNTERS.name, REGISTERS.name, LINES.name)
)
ORDER: Final = Feature(
    name="order",
    summary="A fold order that the input gives in `order`, instead of the order by ID.",
    needed_by=_orders,
    reduced=_without_order,
)
