"""`resolve` and `update`: from the messages that a client has to the one that stands."""

from __future__ import annotations

from typing import Final

from rejoin import config_merge as cm
from rejoin.config_merge import parse_data as parse_application_data
from rejoin.config_merge import resolve, update
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.schemas import BOOLEAN, integer, list_of, one_of_texts, record
from rejoin_conformance.systems.config_merge import READINGS
from rejoin_conformance.systems.config_merge.operations.fields import (
    BYTES,
    MESSAGES,
    SIGNING_KEY,
    VERIFY_KEY,
    WINDOW,
    bytes_field,
    message_list,
    optional_bytes,
    window_field,
)

_CONTEXT: Final[dict[str, JsonObject]] = {
    "window": WINDOW,
    "signing_key": SIGNING_KEY,
    "verify_key": VERIFY_KEY,
}


def _resolve(value: JsonObject, reading: cm.Reading) -> JsonObject:
    resolution = resolve(
        message_list(value),
        window=window_field(value),
        reading=reading,
        verify_key=optional_bytes(value, "verify_key"),
        signing_key=optional_bytes(value, "signing_key"),
    )
    ignored: list[Json] = [{"index": each.index, "why": each.why} for each in resolution.ignored]
    return {
        "message": resolution.message.encoded.hex(),
        "merged": resolution.merged,
        "ignored": ignored,
    }


def _update(value: JsonObject, reading: cm.Reading) -> JsonObject:
    message = update(
        message_list(value),
        parse_application_data(bytes_field(value, "data"), reading=reading),
        window=window_field(value),
        reading=reading,
        verify_key=optional_bytes(value, "verify_key"),
        signing_key=optional_bytes(value, "signing_key"),
    )
    return {"message": message.encoded.hex()}


RESOLVE: Final = Operation(
    name="config-merge/resolve",
    summary=(
        "Resolve the messages that a client has: ignore those that do not count, return the one "
        "that survives, or merge several into a new one (`merged`). `ignored` goes by index. "
        "`signing_key` signs what is made; with `verify_key` unsigned messages are invalid."
    ),
    input_schema=record({"messages": MESSAGES}, _CONTEXT),
    output_schema=record(
        {
            "message": BYTES,
            "merged": BOOLEAN,
            "ignored": list_of(
                record(
                    {
                        "index": integer(0),
                        "why": one_of_texts("invalid", "duplicate", "stale", "included"),
                    }
                )
            ),
        }
    ),
    perform=READINGS.under(_resolve),
)

UPDATE: Final = Operation(
    name="config-merge/update",
    summary=(
        "Make the message by which a client changes the config to `data` (bt-encoded, the whole "
        "new data), on top of the messages that it has: an ordinary update of the one that "
        "survives, merge and change in one where several do, the first message where the list is "
        "empty."
    ),
    input_schema=record({"messages": MESSAGES, "data": BYTES}, _CONTEXT),
    output_schema=record({"message": BYTES}),
    perform=READINGS.under(_update),
)
