"""The message that most drafts of this topic vary, and short forms for such drafts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import evolve

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Tree, bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import (
    accepted,
    parsed,
    refused,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import (
    Message,
    Row,
    blake2b,
)

HASH_5: Final = b"\x55" * 32
HASH_6: Final = b"\x66" * 32

ROW_5: Final[Row] = (5, HASH_5, {"s": [[1], []]})
ROW_6: Final[Row] = (6, HASH_6, {})

PLAIN: Final = Message(seqno=7, data={"k": 1, "s": [1]}, rows=(ROW_5, ROW_6), diff={"k": ""})


def outer(
    *,
    seqno: Tree = PLAIN.seqno,
    data: Tree = PLAIN.data,
    lagged: Tree = PLAIN.rows,
    diff: Tree = PLAIN.diff,
    without: str = "",
    others: Mapping[str | bytes, Tree] | None = None,
) -> bytes:
    """The plain message with some of its parts replaced, left out or added."""
    fields: dict[str | bytes, Tree] = {"#": seqno, "&": data, "<": lagged, "=": diff}
    if without:
        del fields[without]
    return bt({**fields, **(others or {})})


def parsing(message: Message | bytes, **options: Json) -> JsonObject:
    """The input of `parse`."""
    encoded = message if isinstance(message, bytes) else message.encoded
    return {"message": encoded.hex(), **options}


def answer(encoded: bytes, parts: Message = PLAIN) -> JsonObject:
    """The output of `parse` for bytes that are read as the parts of another message."""
    return {**parsed(parts), "hash": blake2b(encoded).hex()}


def valid(name: str, summary: str, clauses: str, message: Message, **options: Json) -> Draft:
    """A draft whose message is valid and parsed to its parts."""
    return accepted(name, "parse", summary, clauses, parsing(message, **options), parsed(message))


def invalid(
    name: str,
    summary: str,
    clauses: str,
    bad: bytes,
    *,
    good: bytes = PLAIN.encoded,
    libsession: Message | None = None,
) -> Draft:
    """A draft whose message is invalid; libsession: the parts that this reading takes it for."""
    return refused(
        name,
        "parse",
        summary,
        clauses,
        parsing(bad),
        parsing(good),
        libsession=None if libsession is None else answer(bad, libsession),
    )


def with_rows(*rows: Row, seqno: int = PLAIN.seqno) -> Message:
    """The plain message with other rows."""
    return evolve(PLAIN, seqno=seqno, rows=rows)


def with_diff(diff: Tree) -> bytes:
    """The plain message with another diff, which may be none."""
    return outer(diff=diff)
