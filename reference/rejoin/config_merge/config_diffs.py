"""Config diffs: the lagged diffs of past updates that a message carries under the key `<`.

Each row names an update by its seqno and hash and repeats its diff, so that a client that never saw
that update can still replay it.
"""

from __future__ import annotations

from typing import Final

from attrs import field, frozen

from rejoin import bencode
from rejoin.config_merge.diff_encoding import diff_from_value, encode_diff
from rejoin.config_merge.diff_updates import Diff
from rejoin.config_merge.errors import ConfigMergeError
from rejoin.config_merge.reading import Reading
from rejoin.config_merge.windows import within

HASH_LENGTH: Final = 32

Rank = tuple[int, bytes]
"""A seqno and a hash: what identifies a message, and what messages are ordered by."""


@frozen
class LaggedDiff:
    """One row: the seqno and hash of an update, and its diff.

    rank: (seqno, hash). encoded: the canonical bytes of the row, for copying.
    """

    rank: Rank
    diff: Diff
    encoded: bytes = field(eq=False, repr=False)

    @property
    def seqno(self) -> int:
        """The seqno of the update that the row repeats."""
        return self.rank[0]

    @property
    def hash(self) -> bytes:
        """The 32-byte hash of the message that the row repeats."""
        return self.rank[1]


def lagged_diff(rank: Rank, diff: Diff, encoded_diff: bytes | None = None) -> LaggedDiff:
    """Make the row that repeats the update of that rank.

    encoded_diff: the canonical bytes of the diff, where they are known.

    Clauses: CM-DIFFS-ROW
    Source: "Config diffs"
    """
    if encoded_diff is None:
        encoded_diff = encode_diff(diff)
    return LaggedDiff(rank, diff, b"li%de32:%s%se" % (*rank, encoded_diff))


def parse_lagged_diffs(
    encoded: bytes, start: int, own_seqno: int, *, window: int, reading: Reading
) -> tuple[tuple[LaggedDiff, ...], int]:
    """Parse the list of lagged diffs at `start`: return its rows and the position after it.

    own_seqno: of the message around the list. window: N; rows that are not within N of own_seqno
    are left out.
    Errors: `ConfigMergeError` with a code of the encoding, of config diffs or of diff updates, and
    a position.

    Clauses: CM-OUTER-LAGGED, CM-DIFFS-ROW-ORDER, CM-DIFFS-EXPIRED, CM-DIFFS-GAPS,
        CM-DIFFS-HASH-UNCHECKED
    Source: "Config diffs"
    """
    lenient = not reading.strict_encoding
    if encoded[start : start + 1] != b"l":
        bencode.read_value(encoded, start, nesting=1, lenient=lenient)
        raise ConfigMergeError("lagged-type", "lagged diffs are a list", start)
    rows: list[LaggedDiff] = []
    previous: Rank | None = None
    position = start + 1
    while encoded[position : position + 1] != b"e":
        row_start = position
        value, position = bencode.read_value(encoded, row_start, nesting=2, lenient=lenient)
        if not reading.check_expired_lagged_rows and _is_expired(value, own_seqno, window):
            continue
        try:
            rank, diff = _row_from_value(value, own_seqno, reading)
        except ConfigMergeError as error:
            raise error.located_in(encoded, row_start) from error
        if previous is not None and rank <= previous:
            raise ConfigMergeError("rows-not-ascending", "rows ascend by rank", row_start)
        previous = rank
        if not within(window, rank[0], own_seqno):
            continue
        if lenient:
            rows.append(lagged_diff(rank, diff))
        else:
            rows.append(LaggedDiff(rank, diff, encoded[row_start:position]))
    return tuple(rows), position + 1


def _row_from_value(value: bencode.Value, own_seqno: int, reading: Reading) -> tuple[Rank, Diff]:
    """Take a decoded value as one row of a message with that seqno.

    Clauses: CM-DIFFS-ROW, CM-DIFFS-ROW-HASH, CM-DIFFS-ROW-SEQNO, CM-DIFFS-ROW-DIFF
    Source: "Config diffs"
    """
    message = "a row is a list of a seqno, a hash and a diff"
    if not isinstance(value, list) or len(value) != 3:
        raise ConfigMergeError("row-shape", message)
    seqno, digest, diff = value
    if not isinstance(seqno, int):
        raise ConfigMergeError("row-shape", message, path=(0,))
    if not isinstance(digest, bytes):
        raise ConfigMergeError("row-shape", message, path=(1,))
    if not isinstance(diff, dict):
        raise ConfigMergeError("row-shape", message, path=(2,))
    if not 0 <= seqno < own_seqno:
        message = "the seqno of a row lies below that of its message"
        raise ConfigMergeError("row-seqno", message, path=(0,))
    if len(digest) != HASH_LENGTH:
        raise ConfigMergeError("row-hash-length", "a hash has 32 bytes", path=(1,))
    try:
        return (seqno, digest), diff_from_value(diff, reading=reading)
    except ConfigMergeError as error:
        raise error.inside(2) from None


def _is_expired(value: bencode.Value, own_seqno: int, window: int) -> bool:
    """Say whether a decoded row, of whatever form, begins with a seqno that is not within N.

    Clauses: CM-DIFFS-EXPIRED
    Source: "Config diffs"
    """
    return (
        isinstance(value, list)
        and len(value) > 0
        and isinstance(value[0], int)
        and not within(window, value[0], own_seqno)
    )
