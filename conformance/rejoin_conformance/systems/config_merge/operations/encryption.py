"""`encrypt` and `decrypt`: the stored form of a plaintext, and the plaintext of a stored form."""

from __future__ import annotations

from typing import Final

from rejoin import config_merge as cm
from rejoin.config_merge import decrypt, encrypt
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.schemas import record
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.config_merge import READINGS
from rejoin_conformance.systems.config_merge.operations.fields import (
    BYTES,
    DOMAIN,
    bytes_field,
    optional_bytes,
)


def _encrypt(value: JsonObject, reading: cm.Reading) -> JsonObject:
    ciphertext = encrypt(
        bytes_field(value, "plaintext"),
        bytes_field(value, "key"),
        reading=reading,
        domain=optional_bytes(value, "domain"),
    )
    return {"ciphertext": ciphertext.hex()}


def _decrypt(value: JsonObject, reading: cm.Reading) -> JsonObject:
    plaintext = decrypt(
        bytes_field(value, "ciphertext"),
        bytes_field(value, "key"),
        reading=reading,
        domain=optional_bytes(value, "domain"),
    )
    return {"plaintext": plaintext.hex()}


ENCRYPT: Final = Operation(
    name="config-merge/encrypt",
    summary=(
        "Encrypt any plaintext to its stored form: ciphertext, 16-byte tag, 24-byte nonce. The "
        "reading `document` ignores `domain`. The reading `libsession` requires it."
    ),
    input_schema=record({"plaintext": BYTES, "key": BYTES}, {"domain": DOMAIN}),
    output_schema=record({"ciphertext": BYTES}),
    perform=under(READINGS, _encrypt),
)

DECRYPT: Final = Operation(
    name="config-merge/decrypt",
    summary="Decrypt a stored form. Reject it if it is not authentic under the key.",
    input_schema=record({"ciphertext": BYTES, "key": BYTES}, {"domain": DOMAIN}),
    output_schema=record({"plaintext": BYTES}),
    perform=under(READINGS, _decrypt),
)
