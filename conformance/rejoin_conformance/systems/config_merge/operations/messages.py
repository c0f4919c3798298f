"""`parse`, `sign` and `verify`: one message at a time."""

from __future__ import annotations

from typing import Final

from rejoin import config_merge as cm
from rejoin.config_merge import (
    LaggedDiff,
    Message,
    encode_data,
    encode_diff,
    parse_message,
    sign,
    verify,
)
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.schemas import BOOLEAN, list_of, record
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.config_merge import READINGS
from rejoin_conformance.systems.config_merge.operations.features import SIGNATURES, WINDOWS
from rejoin_conformance.systems.config_merge.operations.fields import (
    BYTES,
    HASH,
    SEQNO,
    SIGNING_KEY,
    VERIFY_KEY,
    WINDOW,
    bytes_field,
    optional_bytes,
    window_field,
)


def _parse(value: JsonObject, reading: cm.Reading) -> JsonObject:
    message = parse_message(
        bytes_field(value, "message"),
        window=window_field(value),
        reading=reading,
        verify_key=optional_bytes(value, "verify_key"),
    )
    return parsed_output(message)


def parsed_output(message: Message) -> JsonObject:
    """Return a message as the output of `parse`."""
    lagged: list[Json] = [_row(row) for row in message.lagged]
    return {
        "seqno": str(message.seqno),
        "hash": message.hash.hex(),
        "data": encode_data(message.data).hex(),
        "diff": encode_diff(message.diff).hex(),
        "lagged": lagged,
    }


def _row(row: LaggedDiff) -> JsonObject:
    return {
        "seqno": str(row.seqno),
        "hash": row.hash.hex(),
        "diff": encode_diff(row.diff).hex(),
    }


def _sign(value: JsonObject, reading: cm.Reading) -> JsonObject:
    message = _parsed(value, reading)
    return {"message": sign(message, bytes_field(value, "signing_key")).encoded.hex()}


def _verify(value: JsonObject, reading: cm.Reading) -> JsonObject:
    message = _parsed(value, reading)
    return {"valid": verify(message, bytes_field(value, "verify_key"))}


def _parsed(value: JsonObject, reading: cm.Reading) -> Message:
    window = window_field(value)
    return parse_message(bytes_field(value, "message"), window=window, reading=reading)


PARSE: Final = Operation(
    name="config-merge/parse",
    summary=(
        "Parse the plaintext of a message. The output has data and diffs as canonical bt-encoding. "
        "`lagged` omits the rows that are not within N of the message. If `verify_key` is given, "
        "the message must have a valid signature by this key."
    ),
    input_schema=record({"message": BYTES}, {"window": WINDOW, "verify_key": VERIFY_KEY}),
    output_schema=record(
        {
            "seqno": SEQNO,
            "hash": HASH,
            "data": BYTES,
            "diff": BYTES,
            "lagged": list_of(record({"seqno": SEQNO, "hash": HASH, "diff": BYTES})),
        }
    ),
    perform=under(READINGS, _parse),
    features=(SIGNATURES, WINDOWS),
)

SIGN: Final = Operation(
    name="config-merge/sign",
    summary=(
        "Sign a well-formed message. The new signature replaces an existing one. The key is the "
        "32-byte seed."
    ),
    input_schema=record({"message": BYTES, "signing_key": SIGNING_KEY}, {"window": WINDOW}),
    output_schema=record({"message": BYTES}),
    perform=under(READINGS, _sign),
    features=(WINDOWS,),
)

VERIFY: Final = Operation(
    name="config-merge/verify",
    summary=(
        "Return whether a well-formed message has a valid signature by a key. A message without a "
        "signature gives false."
    ),
    input_schema=record({"message": BYTES, "verify_key": VERIFY_KEY}, {"window": WINDOW}),
    output_schema=record({"valid": BOOLEAN}),
    perform=under(READINGS, _verify),
    features=(WINDOWS,),
)
