"""The parts of a message as text: data, diff, rows, unknown keys and signature: reading them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Tree
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Data, Row
from rejoin_conformance.systems.config_merge.notation.contents import Parts, Stored
from rejoin_conformance.systems.config_merge.notation.data import (
    read_dict,
    read_diff,
    read_integer,
    read_value,
)
from rejoin_conformance.systems.config_merge.notation.keys import (
    LENGTH,
    SEEDS,
    read_bytes,
    read_hex,
    read_key_by_name,
)
from rejoin_conformance.systems.config_merge.notation.statements import Reader

if TYPE_CHECKING:
    from rejoin_conformance.systems.config_merge.notation.messages import Book


def well_formed_row(row: Tree) -> bool:
    """Return whether a row is a seqno, a hash of 32 bytes and a diff."""
    return (
        isinstance(row, list | tuple)
        and len(row) == 3
        and isinstance(row[0], int)
        and isinstance(row[1], bytes)
        and len(row[1]) == LENGTH
        and isinstance(row[2], Mapping)
    )


def read_data(reader: Reader, book: Book) -> Data:
    """Read data in braces, with or without the word `data` before them, or `data of NAME`."""
    if reader.take("data") and reader.take("of"):
        return book.message(reader).data
    return read_dict(reader)


def read_changes(reader: Reader, book: Book) -> Tree:
    """Return a diff in braces, or `diff of NAME`."""
    return book.message(reader).diff if reader.take("diff", "of") else read_diff(reader)


def read_parts(reader: Reader, book: Book, data: Data | None = None) -> Parts:
    """Return the parts of a message that come next, in any order, each once."""
    parts = Parts(data=data)
    while True:
        if parts.seqno is None and reader.take("seqno"):
            parts.seqno = read_integer(reader)
        elif parts.data is None and reader.sees("data"):
            parts.data = read_data(reader, book)
        elif parts.diff is None and reader.take("diff"):
            diff: Any = read_diff(reader)
            parts.diff = diff
        elif parts.rows is None and reader.take("rows"):
            parts.rows = read_rows(reader, book)
        elif parts.unknown is None and reader.take("unknown"):
            parts.unknown = read_dict(reader)
        elif parts.seed is None and reader.take("signed", "by"):
            parts.seed = read_key_by_name(reader, SEEDS)
        elif parts.signature is None and reader.take("signature"):
            parts.signature = read_hex(reader, "a signature in hex")
        elif not parts.unsigned and reader.take("unsigned"):
            parts.unsigned = True
        else:
            return parts


def read_rows(reader: Reader, book: Book) -> list[Row]:
    """Rows: names of messages, `(SEQNO HASH DIFF)`, or any [list]; `none` for no rows."""
    if reader.take("none"):
        return []
    rows = [_row(reader, book)]
    while reader.sees("(") or reader.sees("[") or book.sees_name(reader):
        rows.append(_row(reader, book))
    return rows


def _row(reader: Reader, book: Book) -> Row:
    if reader.sees("["):
        row: Any = read_value(reader)
        return tuple(row)
    if not reader.take("("):
        return book.message(reader).row
    seqno = read_integer(reader)
    if reader.take("hash", "of"):
        content = book.named(reader)
        if isinstance(content, Stored):
            raise reader.wrong("the name of a message")
        digest = content.hash
    else:
        digest = read_bytes(reader, "a hash: 64 hex digits, or `hash of` a message")
    diff = read_diff(reader)
    reader.expect(")")
    return (seqno, digest, diff)
