"""Messages built field by field: the author states the seqno, data, rows and diff."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeAlias

from attrs import Factory, frozen

from rejoin_conformance.kit.bt import Tree, blake2b, bt, unbt
from rejoin_conformance.systems.config_merge.by_hand.keys import signature

Data: TypeAlias = Mapping[Any, Tree]
Row: TypeAlias = Sequence[Tree]


@frozen(kw_only=True)
class Message:
    """A message in its parts.

    others: unknown top-level keys. seed: the key that signs it, or None.
    """

    seqno: int
    data: Data = Factory(dict)
    rows: Sequence[Row] = ()
    diff: Data = Factory(dict)
    others: Data = Factory(dict)
    seed: bytes | None = None

    @cached_property
    def encoded(self) -> bytes:
        """Return the plaintext."""
        fields: dict[Any, Tree] = {
            "#": self.seqno,
            "&": self.data,
            "<": self.rows,
            "=": self.diff,
            **self.others,
        }
        unsigned = bt(fields)
        if self.seed is None:
            return unsigned
        return unsigned[:-1] + b"1:~64:" + signature(self.seed, unsigned[:-1]) + b"e"

    @property
    def hex(self) -> str:
        """Return the plaintext as vectors spell it."""
        return self.encoded.hex()

    @cached_property
    def hash(self) -> bytes:
        """Return the hash of the plaintext."""
        return blake2b(self.encoded)

    @property
    def rank(self) -> tuple[int, bytes]:
        """Return the key by which messages are ordered."""
        return self.seqno, self.hash

    @property
    def row(self) -> Row:
        """Return the row by which later messages carry this one."""
        return (self.seqno, self.hash, self.diff)


def message_of(encoded: bytes) -> Message | None:
    """Return the message whose encoding these bytes are exactly, or None."""
    try:
        tree = unbt(encoded)
    except ValueError:
        return None
    if not isinstance(tree, Mapping):
        return None
    parts: dict[Any, Any] = {**tree}
    seqno, data = parts.pop(b"#", None), parts.pop(b"&", None)
    rows, diff = parts.pop(b"<", None), parts.pop(b"=", None)
    if not isinstance(seqno, int) or not isinstance(data, dict) or diff is None:
        return None
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        return None
    return Message(seqno=seqno, data=data, rows=rows, diff=diff, others=parts)


def within(seqno: int, window: int, rows: Iterable[Row]) -> list[Row]:
    """Return the rows that a message of that seqno carries, each once and in order."""
    kept = {bt(row): row for row in rows if _seqno(row) > seqno - window}
    return [kept[key] for key in sorted(kept, key=lambda key: _rank(kept[key]))]


def merge_of(*messages: Message, data: Data, window: int) -> Message:
    """Return the merge of messages to the data that the author states.

    The rows are those of the messages and the messages themselves; if two messages disagree on
    a row the author builds the merge without this function.
    """
    highest = max(messages, key=lambda message: message.rank)
    seqno = highest.seqno + 1
    carried = [row for message in messages for row in (*message.rows, message.row)]
    rows = within(seqno, window, carried)
    return Message(seqno=seqno, data=data, rows=rows, others=highest.others)


def _seqno(row: Row) -> int:
    seqno = row[0]
    assert isinstance(seqno, int)
    return seqno


def _rank(row: Row) -> tuple[int, bytes]:
    digest = row[1]
    assert isinstance(digest, bytes)
    return _seqno(row), digest
