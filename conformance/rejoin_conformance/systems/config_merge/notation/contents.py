"""The contents that have names: messages, other plaintexts, and bytes stored unencrypted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from attrs import define, evolve, frozen

from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import (
    Data,
    Message,
    Row,
    blake2b,
)

RESERVED: Final = frozenset(
    {
        *("after", "but", "by", "bytes", "clients", "cut", "data", "diff", "end", "hash", "key"),
        *("merge", "none", "nothing", "of", "raw", "rows", "sees", "signature", "signed"),
        *("signing", "source", "store", "stored", "then", "to", "unknown", "unsigned", "verify"),
        *("window", "with", "within"),
    }
)
"""Words that are not names of messages."""

DEFAULT_WINDOW: Final = 5
SIGNATURE: Final = b"~"


@frozen
class Plaintext:
    """Bytes that are not a message, or not known to be one."""

    encoded: bytes

    @property
    def hash(self) -> bytes:
        """Return the hash of all the bytes."""
        return blake2b(self.encoded)


@frozen
class Stored:
    """Bytes that are stored without encryption."""

    ciphertext: bytes


Content: TypeAlias = "Message | Plaintext | Stored"


@define
class Parts:
    """The parts of a message that a text states; None for an omitted part."""

    seqno: int | None = None
    data: Data | None = None
    diff: Data | None = None
    rows: Sequence[Row] | None = None
    unknown: Data | None = None
    seed: bytes | None = None
    signature: bytes | None = None
    unsigned: bool = False

    def of(self, message: Message) -> Message:
        """Return the message with these parts instead of its own."""
        stated: dict[str, Any] = {
            "seqno": self.seqno,
            "data": self.data,
            "diff": self.diff,
            "rows": self.rows,
            "others": self.unknown,
            "seed": self.seed,
        }
        changes = {name: value for name, value in stated.items() if value is not None}
        if self.unsigned:
            changes["seed"] = None
        made = evolve(message, **changes)
        if self.signature is None:
            return made
        return evolve(made, others={**made.others, SIGNATURE: self.signature})
