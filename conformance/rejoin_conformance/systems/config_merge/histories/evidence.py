"""Evidence of violations: messages and operations in a form for people."""

from __future__ import annotations

from collections.abc import Iterable

from rejoin import config_merge as cm
from rejoin_conformance.kit.json_types import Json, JsonObject


def resolve_input(messages: Iterable[cm.Message], settings: cm.Settings) -> JsonObject:
    """Return the operation that resolves these messages, in the format of a vector."""
    listed: list[Json] = [message.encoded.hex() for message in messages]
    given: dict[str, Json] = {"messages": listed, "window": settings.window}
    if settings.verify_key is not None:
        given["verify_key"] = settings.verify_key.hex()
    if settings.signing_key is not None:
        given["signing_key"] = settings.signing_key.hex()
    return {"operation": "config-merge/resolve", "input": given}


def named(message: cm.Message) -> str:
    """Return a message's name for people: its seqno and the first bytes of its hash."""
    return f"{message.seqno}-{message.hash.hex()[:6]}"
