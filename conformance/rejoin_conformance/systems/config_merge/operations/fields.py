"""Schemas of the fields that several operations share, and how their values are read."""

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
    "description": "N of 'within N': 1 to 2^31 - 1; the integers next to these ends are refused",
    "default": DEFAULT_WINDOW,
    **schemas.integer(0, 2**31),
}
SIGNING_KEY: Final[JsonObject] = {
    "description": "the seed of an Ed25519 key: messages that are made are signed",
    **schemas.hex_of(32),
}
VERIFY_KEY: Final[JsonObject] = {
    "description": "an Ed25519 public key: a message without a signature by it is invalid",
    **schemas.hex_of(32),
}
DOMAIN: Final[JsonObject] = {
    "description": "the kind of config as bytes; used by the reading `libsession` only",
    **BYTES,
}


def bytes_field(value: JsonObject, name: str) -> bytes:
    """The bytes of a field that is there."""
    text: Any = value[name]
    return bytes.fromhex(text)


def optional_bytes(value: JsonObject, name: str) -> bytes | None:
    """The bytes of a field, or None where it is left out."""
    return bytes_field(value, name) if name in value else None


def window_field(value: JsonObject) -> int:
    """The window, 5 where it is left out."""
    window: Any = value.get("window", DEFAULT_WINDOW)
    return int(window)


def message_list(value: JsonObject) -> list[bytes]:
    """The messages, in the order in which they are given."""
    texts: Any = value["messages"]
    return [bytes.fromhex(text) for text in texts]
