"""Inputs and outputs that many drafts share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message, Row

DOCUMENT: Final = "document"
LIBSESSION: Final = "libsession"


def listed(messages: Iterable[Message | bytes]) -> list[Json]:
    """Return messages as a field `messages`."""
    return [each.hex() if isinstance(each, bytes) else each.hex for each in messages]


def ignored(*pairs: tuple[int, str]) -> list[Json]:
    """Return (index, why) pairs as the field `ignored`."""
    return [{"index": index, "why": why} for index, why in pairs]


def resolved(
    message: Message | bytes, *ignoring: tuple[int, str], merged: bool = False
) -> JsonObject:
    """Return the output of `resolve`."""
    (text,) = listed([message])
    return {"message": text, "merged": merged, "ignored": ignored(*ignoring)}


def parsed(message: Message, rows: Sequence[Row] | None = None) -> JsonObject:
    """Return the output of `parse`: the parts of a message, with these rows or all its rows."""
    return {
        "seqno": str(message.seqno),
        "hash": message.hash.hex(),
        "data": bt(message.data).hex(),
        "diff": bt(message.diff).hex(),
        "lagged": reported(message.rows if rows is None else rows),
    }


def reported(rows: Iterable[Row]) -> list[Json]:
    """Return rows as `parse` reports them."""
    listed_rows: list[Json] = []
    for seqno, digest, diff in rows:
        assert isinstance(digest, bytes)
        listed_rows.append({"seqno": str(seqno), "hash": digest.hex(), "diff": bt(diff).hex()})
    return listed_rows
