"""`diff` and `apply-diff`: what changed between two states of the data, and its replay."""

from __future__ import annotations

from typing import Final

from rejoin.config_merge import apply_diff, diff, encode_data, encode_diff, parse_data
from rejoin.config_merge import parse_diff as parse_config_diff
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.schemas import record
from rejoin_conformance.systems.config_merge.operations.fields import BYTES, bytes_field
from rejoin_conformance.systems.config_merge.readings import READINGS


def _diff(value: JsonObject, reading: str) -> JsonObject:
    of_name = READINGS.of(reading)
    old = parse_data(bytes_field(value, "old"), reading=of_name)
    new = parse_data(bytes_field(value, "new"), reading=of_name)
    return {"diff": encode_diff(diff(old, new)).hex()}


def _apply_diff(value: JsonObject, reading: str) -> JsonObject:
    of_name = READINGS.of(reading)
    data = parse_data(bytes_field(value, "data"), reading=of_name)
    changes = parse_config_diff(bytes_field(value, "diff"), reading=of_name)
    source = parse_data(bytes_field(value, "source"), reading=of_name)
    return {"data": encode_data(apply_diff(data, changes, source, reading=of_name)).hex()}


DIFF: Final = Operation(
    name="config-merge/diff",
    summary="Make the diff that leads from `old` to `new`; all three are bt-encoded.",
    input_schema=record({"old": BYTES, "new": BYTES}),
    output_schema=record({"diff": BYTES}),
    perform=_diff,
)

APPLY_DIFF: Final = Operation(
    name="config-merge/apply-diff",
    summary=(
        "Apply a diff to `data` as the replay of one entry does, empty sets and dicts removed. "
        "The values that it assigns are looked up in `source`, the data of the message that "
        "carries the diff."
    ),
    input_schema=record({"data": BYTES, "diff": BYTES, "source": BYTES}),
    output_schema=record({"data": BYTES}),
    perform=_apply_diff,
)
