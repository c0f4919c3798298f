"""Messages: their parts, their identity and their order.

The seqno and the hash of the bytes identify a message. The same pair determines its rank.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from attrs import field, frozen

from rejoin.config_merge.application_data import Dict
from rejoin.config_merge.config_diffs import HASH_LENGTH, LaggedDiff, Rank
from rejoin.config_merge.diff_updates import Diff
from rejoin.config_merge.errors import ConfigMergeError
from rejoin.plain import plainly

FIRST_SEQNO: Final = 1
MAX_SEQNO: Final = 2**62 - 1

Unknown = tuple[bytes, bytes]
"""A top-level key that this version does not know, and the encoding of its value."""


@frozen
class Message:
    """A valid config message. Two messages are equal if their seqnos and hashes are equal.

    encoded: the plaintext bytes, as received or made.
    row: the lagged diff of this message in later messages; it has the rank and the diff `=`.
    data: the application data `&`.
    lagged: the rows of `<` that are within N of the seqno, in ascending order of rank.
    unknown: the unknown keys, in ascending order, with their values.
    signature: the 64 bytes of `~`, or None.
    span_end: the number of bytes at the start of `encoded` that a signature covers.
    included: the ranks of `lagged`, computed once because every resolve needs them.

    Clauses: CM-MESSAGE-IDENTITY
    Source: "Config message outer metadata"
    """

    encoded: bytes = field(eq=False, repr=False)
    row: LaggedDiff = field(eq=lambda row: row.rank)
    data: Dict = field(eq=False, repr=plainly)
    lagged: tuple[LaggedDiff, ...] = field(eq=False, repr=False)
    unknown: tuple[Unknown, ...] = field(eq=False, repr=False)
    signature: bytes | None = field(eq=False, repr=False)
    span_end: int = field(eq=False, repr=False)
    included: frozenset[Rank] = field(init=False, eq=False, repr=False)

    @included.default
    def _ranks_of_lagged(self) -> frozenset[Rank]:
        return frozenset([row.rank for row in self.lagged])

    @property
    def rank(self) -> Rank:
        """Return the seqno and the hash, by which messages are ordered.

        Clauses: CM-MESSAGE-RANK
        """
        return self.row.rank

    @property
    def seqno(self) -> int:
        """Return the version number of the config."""
        return self.row.rank[0]

    @property
    def hash(self) -> bytes:
        """Return the 32-byte hash of `encoded`."""
        return self.row.rank[1]

    @property
    def diff(self) -> Diff:
        """Return the changes that this message made, without the changes that it merged."""
        return self.row.diff


def message_hash(encoded: bytes) -> bytes:
    """Return the unkeyed 32-byte BLAKE2b hash of the plaintext of a message.

    encoded: all bytes of the plaintext, as received.

    Clauses: CM-MESSAGE-HASH, CM-ENCRYPT-HASH-PLAINTEXT
    Source: "Config diffs"
    """
    return blake2b(encoded, digest_size=HASH_LENGTH).digest()


def by_rank(message: Message) -> Rank:
    """Return the sort key of a message: seqno first, hash second.

    Clauses: CM-MESSAGE-RANK, CM-RESOLVE-ORDER
    Source: "Conflict resolution", step 2
    """
    return message.row.rank


def next_seqno(largest: int) -> int:
    """Return the seqno of a new message: the largest known seqno plus 1.

    Errors: `ConfigMergeError` with "seqno-exhausted".

    Clauses: CM-MESSAGE-SEQNO-EXHAUSTED, CM-UPDATE-SEQNO, CM-RESOLVE-SEQNO
    Source: "Non-conflicting updates", step 1

    pre: 0 <= largest < MAX_SEQNO
    post: largest < __return__ <= MAX_SEQNO
    post: __return__ - largest == 1
    """
    if largest >= MAX_SEQNO:
        raise ConfigMergeError("seqno-exhausted", f"no seqno is left after {largest}")
    return largest + 1
