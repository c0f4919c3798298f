"""The features of the operations of config merge that an implementation can leave out."""

from __future__ import annotations

from typing import Any, Final

from rejoin.config_merge import DEFAULT_WINDOW
from rejoin_conformance.contract.feature import Feature
from rejoin_conformance.kit.json_types import JsonObject


def _signs(value: JsonObject) -> bool:
    return not {"signing_key", "signing_keys", "verify_key"}.isdisjoint(value)


def _has_other_window(value: JsonObject) -> bool:
    return value.get("window", DEFAULT_WINDOW) != DEFAULT_WINDOW


def _forbids_deletion(value: JsonObject) -> bool:
    return value.get("deletion_permitted") is False


def _stores(value: JsonObject) -> bool:
    steps: Any = value["steps"]
    return any("client" not in step for step in steps)


def _without_why(output: JsonObject) -> JsonObject:
    ignored: Any = output["ignored"]
    return {
        **output,
        "ignored": [{key: each[key] for key in each if key != "why"} for each in ignored],
    }


SIGNATURES: Final = Feature(
    name="signatures",
    summary="Keys that sign or verify messages: `signing_key`, `signing_keys`, `verify_key`.",
    needed_by=_signs,
)
WINDOWS: Final = Feature(
    name="windows",
    summary=f"A `window` other than {DEFAULT_WINDOW}.",
    needed_by=_has_other_window,
)
WHY: Final = Feature(
    name="ignored-why",
    summary="The field `why` of each ignored message. It is not compared, and can be omitted.",
    dropped=_without_why,
)
DELETION: Final = Feature(
    name="deletion-not-permitted",
    summary="A swarm in which clients cannot delete: `deletion_permitted` is false.",
    needed_by=_forbids_deletion,
)
STORES: Final = Feature(
    name="store",
    summary="Steps that store bytes in the swarm: `store` and `store_raw`.",
    needed_by=_stores,
)
