"""The features of the operations of config merge that an implementation can leave out."""

from __future__ import annotations

from typing import Any, Final

from rejoin.config_merge import DEFAULT_WINDOW
from rejoin_conformance.contract.operation import Feature
from rejoin_conformance.kit.json_types import Json, JsonObject


def _without_why(output: JsonObject) -> JsonObject:
    ignored: Any = output["ignored"]
    without: list[Json] = [{key: each[key] for key in each if key != "why"} for each in ignored]
    return {**output, "ignored": without}


def _stores(value: JsonObject) -> bool:
    steps: Any = value["steps"]
    return any("client" not in step for step in steps)


SIGNATURES: Final = Feature(
    name="signatures",
    summary="Keys that sign or verify messages: `signing_key`, `signing_keys`, `verify_key`.",
    needed_by=lambda value: not {"signing_key", "signing_keys", "verify_key"}.isdisjoint(value),
)
WINDOWS: Final = Feature(
    name="windows",
    summary=f"A `window` other than {DEFAULT_WINDOW}.",
    needed_by=lambda value: value.get("window", DEFAULT_WINDOW) != DEFAULT_WINDOW,
)
WHY: Final = Feature(
    name="ignored-why",
    summary="The field `why` of each ignored message. It is not compared, and can be omitted.",
    dropped=_without_why,
)
DELETION: Final = Feature(
    name="deletion-not-permitted",
    summary="A swarm in which clients cannot delete: `deletion_permitted` is false.",
    needed_by=lambda value: value.get("deletion_permitted") is False,
)
STORES: Final = Feature(
    name="store",
    summary="Steps that store bytes in the swarm: `store` and `store_raw`.",
    needed_by=_stores,
)
