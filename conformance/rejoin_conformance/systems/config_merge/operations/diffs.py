"""`diff` and `apply-diff`: the changes between two states of the data, and their replay."""

from __future__ import annotations

from typing import Final

from rejoin import config_merge as cm
from rejoin.config_merge import apply_diff, diff, encode_data, encode_diff, parse_data
from rejoin.config_merge import parse_diff as parse_config_diff
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.schemas import record
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.config_merge import READINGS
from rejoin_conformance.systems.config_merge.operations.fields import BYTES, bytes_field


def _diff(value: JsonObject, reading: cm.Reading) -> JsonObject:
    old = parse_data(bytes_field(value, "old"), reading=reading)
    new = parse_data(bytes_field(value, "new"), reading=reading)
    return {"diff": encode_diff(diff(old, new)).hex()}


def _apply_diff(value: JsonObject, reading: cm.Reading) -> JsonObject:
    data = parse_data(bytes_field(value, "data"), reading=reading)
    changes = parse_config_diff(bytes_field(value, "diff"), reading=reading)
    source = parse_data(bytes_field(value, "source"), reading=reading)
    return {"data": encode_data(apply_diff(data, changes, source, reading=reading)).hex()}


DIFF: Final = Operation(
    name="config-merge/diff",
    summary="Return the diff that turns `old` into `new`. All three are bt-encoded.",
    input_schema=record({"old": BYTES, "new": BYTES}),
    output_schema=record({"diff": BYTES}),
    perform=under(READINGS, _diff),
)

APPLY_DIFF: Final = Operation(
    name="config-merge/apply-diff",
    summary=(
        "Apply a diff to `data` as the replay of one entry does, and remove empty sets and dicts. "
        "The values that the diff assigns come from `source`, the data of the message that carries "
        "the diff."
    ),
    input_schema=record({"data": BYTES, "diff": BYTES, "source": BYTES}),
    output_schema=record({"data": BYTES}),
    perform=under(READINGS, _apply_diff),
)
