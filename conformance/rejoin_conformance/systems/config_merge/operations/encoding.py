"""`decode` and `encode`: bt-encoding alone, with typed trees as values."""

from __future__ import annotations

from typing import Final

from rejoin import bencode
from rejoin import config_merge as cm
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.schemas import record
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.config_merge import READINGS
from rejoin_conformance.systems.config_merge.operations.fields import BYTES, bytes_field
from rejoin_conformance.systems.config_merge.operations.typed_tree import NODE, tree_of, value_of


def _decode(value: JsonObject, reading: cm.Reading) -> JsonObject:
    lenient = not reading.strict_encoding
    return {"value": tree_of(bencode.decode(bytes_field(value, "encoded"), lenient=lenient))}


def _encode(value: JsonObject, _reading: cm.Reading) -> JsonObject:
    return {"encoded": bencode.encode(value_of(value["value"])).hex()}


DECODE: Final = Operation(
    name="config-merge/decode",
    summary=(
        "Decode bt-encoded bytes to a typed tree: integers as decimal strings, strings and keys as "
        "hex, the pairs of a dict in the order of their keys."
    ),
    input_schema=record({"encoded": BYTES}),
    output_schema=record({"value": NODE}),
    perform=under(READINGS, _decode),
)

ENCODE: Final = Operation(
    name="config-merge/encode",
    summary=(
        "Encode a typed tree in its only canonical form. The pairs of a dict can be listed in any "
        "order and are sorted. A list keeps its order."
    ),
    input_schema=record({"value": NODE}),
    output_schema=record({"encoded": BYTES}),
    perform=under(READINGS, _encode),
)
