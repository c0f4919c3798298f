"""Short forms of drafts, and of the inputs and outputs that many of them share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rejoin_conformance.contract.vector import Draft, Level, Scenario
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Tree, bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message, Row

DOCUMENT: Final = "document"
LIBSESSION: Final = "libsession"
BOTH: Final = (DOCUMENT, LIBSESSION)


def accepted(
    name: str,
    operation: str,
    summary: str,
    clauses: str,
    given: JsonObject,
    output: JsonObject | None,
    *,
    libsession: JsonObject | None = None,
    level: Level = "must",
    scenario: Scenario | None = None,
) -> Draft:
    """A draft whose input every reading accepts.

    clauses: IDs with spaces between. output: what the reading `document` answers.
    libsession: what the reading `libsession` answers, where that is something else.
    """
    return Draft(
        name=name,
        operation=f"config-merge/{operation}",
        summary=summary,
        clauses=tuple(clauses.split()),
        input=given,
        level=level,
        output=output,
        output_by_reading={} if libsession is None else {LIBSESSION: libsession},
        readings_differ=libsession is not None,
        scenario=scenario,
    )


def refused(
    name: str,
    operation: str,
    summary: str,
    clauses: str,
    given: JsonObject,
    mended: JsonObject,
    *,
    libsession: JsonObject | None = None,
    document: JsonObject | None = None,
    level: Level = "must",
) -> Draft:
    """A draft whose input is refused.

    libsession: what the reading `libsession` answers, where it accepts the input.
    document: what the reading `document` answers, where only `libsession` refuses it.
    """
    assert libsession is None or document is None
    refusing = [DOCUMENT] * (document is None) + [LIBSESSION] * (libsession is None)
    return Draft(
        name=name,
        operation=f"config-merge/{operation}",
        summary=summary,
        clauses=tuple(clauses.split()),
        input=given,
        level=level,
        output=document,
        output_by_reading={} if libsession is None else {LIBSESSION: libsession},
        rejected_by=tuple(refusing),
        mended=mended,
        readings_differ=len(refusing) == 1,
    )


def listed(messages: Iterable[Message | bytes]) -> list[Json]:
    """Messages as a field `messages`."""
    return [each.hex() if isinstance(each, bytes) else each.hex for each in messages]


def ignored(*pairs: tuple[int, str]) -> list[Json]:
    """(index, why) pairs as the field `ignored`."""
    return [{"index": index, "why": why} for index, why in pairs]


def resolving(messages: Sequence[Message | bytes], **options: Json) -> JsonObject:
    """The input of `resolve`."""
    return {"messages": listed(messages), **options}


def resolved(
    message: Message | bytes, *ignoring: tuple[int, str], merged: bool = False
) -> JsonObject:
    """The output of `resolve`."""
    (text,) = listed([message])
    return {"message": text, "merged": merged, "ignored": ignored(*ignoring)}


def updating(messages: Sequence[Message | bytes], data: Tree, **options: Json) -> JsonObject:
    """The input of `update`."""
    return {"messages": listed(messages), "data": bt(data).hex(), **options}


def made(message: Message) -> JsonObject:
    """The output of an operation that makes a message."""
    return {"message": message.hex}


def parsed(message: Message, rows: Sequence[Row] | None = None) -> JsonObject:
    """The output of `parse`: the parts of a message, with those rows or all that it has."""
    return {
        "seqno": str(message.seqno),
        "hash": message.hash.hex(),
        "data": bt(message.data).hex(),
        "diff": bt(message.diff).hex(),
        "lagged": reported(message.rows if rows is None else rows),
    }


def reported(rows: Iterable[Row]) -> list[Json]:
    """Rows as `parse` reports them."""
    listed_rows: list[Json] = []
    for seqno, digest, diff in rows:
        assert isinstance(digest, bytes)
        listed_rows.append({"seqno": str(seqno), "hash": digest.hex(), "diff": bt(diff).hex()})
    return listed_rows
