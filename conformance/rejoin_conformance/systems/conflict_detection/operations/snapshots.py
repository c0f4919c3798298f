"""Operations on single snapshots: their encoding, identity and signatures."""

from __future__ import annotations

from typing import Final

from attrs import evolve

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.schemas import BOOLEAN, HEX, list_of, nullable, record
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.conflict_detection import READINGS
from rejoin_conformance.systems.conflict_detection.operations.fields import (
    bytes_of,
    bytes_or_none,
    texts_of,
)

_FIELDS: Final[dict[str, JsonObject]] = {"content": nullable(HEX), "parents": list_of(HEX)}


def _snapshot(value: JsonObject) -> cd.Snapshot:
    content = bytes_or_none(value, "content")
    snapshot = cd.new_snapshot(
        None if content is None else cd.content_capability(content),
        [bytes.fromhex(parent) for parent in texts_of(value, "parents")],
    )
    return evolve(
        snapshot,
        author=bytes_or_none(value, "author"),
        signature=bytes_or_none(value, "signature"),
    )


def _snapshot_id(value: JsonObject, _reading: cd.Reading) -> JsonObject:
    snapshot = _snapshot(value)
    return {
        "content_id": None if snapshot.content is None else snapshot.content.hex(),
        "encoded": cd.encode_snapshot(snapshot).hex(),
        "id": cd.snapshot_capability(snapshot).hex(),
    }


def _sign(value: JsonObject, _reading: cd.Reading) -> JsonObject:
    signed = cd.sign_snapshot(_snapshot(value), bytes_of(value, "signing_key"))
    return {
        "author": (signed.author or b"").hex(),
        "signature": (signed.signature or b"").hex(),
        "id": cd.snapshot_capability(signed).hex(),
    }


def _verify(value: JsonObject, _reading: cd.Reading) -> JsonObject:
    return {"valid": cd.is_signature_valid(_snapshot(value))}


SNAPSHOT_ID: Final = Operation(
    name="conflict-detection/snapshot-id",
    summary=(
        "Return the ID of a snapshot with the given content (the file's bytes, null for a "
        "deletion) "
        "and parents, its encoding, and the capability of the content."
    ),
    input_schema=record(_FIELDS),
    output_schema=record({"content_id": nullable(HEX), "encoded": HEX, "id": HEX}),
    perform=under(READINGS, _snapshot_id),
)

SIGN_SNAPSHOT: Final = Operation(
    name="conflict-detection/sign-snapshot",
    summary="Sign a snapshot with the 32-byte seed of an Ed25519 key.",
    input_schema=record({**_FIELDS, "signing_key": HEX}),
    output_schema=record({"author": HEX, "signature": HEX, "id": HEX}),
    perform=under(READINGS, _sign),
)

VERIFY_SNAPSHOT: Final = Operation(
    name="conflict-detection/verify-snapshot",
    summary="Return whether a snapshot has a valid signature of its author.",
    input_schema=record(_FIELDS, {"author": HEX, "signature": HEX}),
    output_schema=record({"valid": BOOLEAN}),
    perform=under(READINGS, _verify),
)
