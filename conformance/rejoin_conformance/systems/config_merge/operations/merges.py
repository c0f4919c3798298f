"""`resolve` and `update`: the message that a client makes of all its messages."""

from __future__ import annotations

from typing import Final

from rejoin import config_merge as cm
from rejoin.config_merge import parse_data as parse_application_data
from rejoin.config_merge import resolve, update
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.schemas import BOOLEAN, integer, list_of, one_of_texts, record
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.config_merge import READINGS
from rejoin_conformance.systems.config_merge.operations.features import SIGNATURES, WHY, WINDOWS
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
from rejoin_conformance.systems.config_merge.steps import STEPS, json_of

_CONTEXT: Final[dict[str, JsonObject]] = {
    "window": WINDOW,
    "signing_key": SIGNING_KEY,
    "verify_key": VERIFY_KEY,
}


def _resolution(value: JsonObject, reading: cm.Reading) -> cm.Resolution:
    return resolve(
        message_list(value),
        window=window_field(value),
        reading=reading,
        verify_key=optional_bytes(value, "verify_key"),
        signing_key=optional_bytes(value, "signing_key"),
    )


def _resolve(value: JsonObject, reading: cm.Reading) -> JsonObject:
    return resolution_output(_resolution(value, reading))


def resolution_output(resolution: cm.Resolution) -> JsonObject:
    """Return a resolution as the output of `resolve`."""
    ignored: list[Json] = [{"index": each.index, "why": each.why} for each in resolution.ignored]
    return {
        "message": resolution.message.encoded.hex(),
        "merged": resolution.merged,
        "ignored": ignored,
    }


def _resolve_steps(value: JsonObject, reading: cm.Reading) -> JsonObject:
    recorded, recorder = cm.recording(reading)
    _resolution(value, recorded)
    steps: list[Json] = [json_of(step) for step in recorder.steps()]
    return {"steps": steps}


def _update(value: JsonObject, reading: cm.Reading) -> JsonObject:
    message = update(
        message_list(value),
        parse_application_data(bytes_field(value, "data"), reading=reading),
        window=window_field(value),
        reading=reading,
        verify_key=optional_bytes(value, "verify_key"),
        signing_key=optional_bytes(value, "signing_key"),
    )
    return update_output(message)


def update_output(message: cm.Message) -> JsonObject:
    """Return a message as the output of `update`."""
    return {"message": message.encoded.hex()}


RESOLVE: Final = Operation(
    name="config-merge/resolve",
    summary=(
        "Resolve the messages of a client: ignore messages by the rules of the protocol, and "
        "return "
        "the message that survives, or merge several survivors into a new message (`merged`). "
        "`ignored` is sorted by index. `signing_key` signs a new message. If `verify_key` is "
        "given, "
        "unsigned messages are invalid."
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
    perform=under(READINGS, _resolve),
    features=(SIGNATURES, WINDOWS, WHY),
)

RESOLVE_STEPS: Final = Operation(
    name="config-merge/resolve-steps",
    summary=(
        "List the steps of the operation `resolve`. This operation is optional. The steps say "
        "which messages are ignored and which survive, where a merge starts, which diff it "
        "applies next and from which message, and what it keeps."
    ),
    input_schema=record({"messages": MESSAGES}, _CONTEXT),
    output_schema=STEPS,
    perform=under(READINGS, _resolve_steps),
    features=(SIGNATURES, WINDOWS),
    steps_of="config-merge/resolve",
)

UPDATE: Final = Operation(
    name="config-merge/update",
    summary=(
        "Make the message by which a client changes the config to `data` (bt-encoded, the whole "
        "new data), on top of its messages. If one message survives, it is an ordinary update of "
        "this message. If several survive, it merges them and makes the change in one message. If "
        "the list is empty, it is the first message."
    ),
    input_schema=record({"messages": MESSAGES, "data": BYTES}, _CONTEXT),
    output_schema=record({"message": BYTES}),
    perform=under(READINGS, _update),
    features=(SIGNATURES, WINDOWS),
)
