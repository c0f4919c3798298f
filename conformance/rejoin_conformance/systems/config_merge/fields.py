"""The fields that several operations share: schemas, and functions that read them."""

from __future__ import annotations

from typing import Any, Final

from rejoin.config_merge import DEFAULT_WINDOW
from rejoin_conformance.kit import schemas
from rejoin_conformance.kit.json_types import JsonObject

BYTES: Final = schemas.HEX
SEQNO: Final = schemas.DECIMAL
HASH: Final = schemas.hex_of(32)
MESSAGES: Final = schemas.list_of(BYTES)

WINDOW: Final[JsonObject] = {
    "description": (
        "N of 'within N', from 1 to 2^31 - 1. The schema also allows 0 and 2^31, which an "
        "implementation must reject."
    ),
    "default": DEFAULT_WINDOW,
    **schemas.integer(0, 2**31),
}
SIGNING_KEY: Final[JsonObject] = {
    "description": "The seed of an Ed25519 key. It signs the messages that are made.",
    **schemas.hex_of(32),
}
VERIFY_KEY: Final[JsonObject] = {
    "description": "An Ed25519 public key. A message without a valid signature by it is invalid.",
    **schemas.hex_of(32),
}
DOMAIN: Final[JsonObject] = {
    "description": "The kind of config as bytes. Only the reading `libsession` uses it.",
    **BYTES,
}


def bytes_field(value: JsonObject, name: str) -> bytes:
    """Return the bytes of a required field."""
    text: Any = value[name]
    return bytes.fromhex(text)


def optional_bytes(value: JsonObject, name: str) -> bytes | None:
    """Return the bytes of a field, or None if it is missing."""
    return bytes_field(value, name) if name in value else None


def window_field(value: JsonObject) -> int:
    """Return the window; 5 if it is missing."""
    window: Any = value.get("window", DEFAULT_WINDOW)
    return int(window)


def message_list(value: JsonObject) -> list[bytes]:
    """Return the messages in the given order."""
    texts: Any = value["messages"]
    return [bytes.fromhex(text) for text in texts]
