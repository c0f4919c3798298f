"""Config diffs: the lagged diffs of past updates that a message carries under the key `<`.

Each row has the seqno, the hash and the diff of an update. A client that never saw the update can
therefore still replay it.
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
"""A seqno and a hash. The pair identifies a message, and messages are ordered by it."""


@frozen
class LaggedDiff:
    """One row: the seqno and hash of an update, and its diff.

    rank: (seqno, hash).
    encoded: the canonical bytes of the row, kept so that they can be copied.
    """

    rank: Rank
    diff: Diff
    encoded: bytes = field(eq=False, repr=False)

    @property
    def seqno(self) -> int:
        """Return the seqno of the message that the row names."""
        return self.rank[0]

    @property
    def hash(self) -> bytes:
        """Return the 32-byte hash of the message that the row names."""
        return self.rank[1]


def lagged_diff(rank: Rank, diff: Diff, encoded_diff: bytes | None = None) -> LaggedDiff:
    """Return the row for the message with this rank and diff.

    encoded_diff: the canonical bytes of the diff, if they are known already.

    Clauses: CM-DIFFS-ROW
    Source: "Config diffs"
    """
    if encoded_diff is None:
        encoded_diff = encode_diff(diff)
    return LaggedDiff(rank, diff, b"li%de32:%s%se" % (*rank, encoded_diff))


def parse_lagged_diffs(
    encoded: bytes, start: int, own_seqno: int, *, window: int, reading: Reading
) -> tuple[tuple[LaggedDiff, ...], int]:
    """Return the rows of the list of lagged diffs at `start`, and the offset after the list.

    encoded: the plaintext of the message.
    own_seqno: the seqno of the message.
    window: N; rows that are not within N of own_seqno are left out.
    Errors: `ConfigMergeError` with a code of config diffs or of diff updates, and a position;
        `bencode.BencodeError` with a code of the encoding, and a position.

    Clauses: CM-OUTER-LAGGED, CM-DIFFS-ROW-ORDER, CM-DIFFS-EXPIRED, CM-DIFFS-GAPS,
        CM-DIFFS-HASH-UNCHECKED
    Source: "Config diffs"
    """
    lenient = not reading.strict_encoding
    if encoded[start : start + 1] != b"l":
        bencode.read_value(encoded, start, nesting=1, lenient=lenient)
        raise ConfigMergeError("lagged-type", "the value of `<` is not a list", start)
    rows: list[LaggedDiff] = []
    previous: Rank | None = None
    position = start + 1
    while encoded[position : position + 1] != b"e":
        row_start = position
        if not reading.check_expired_lagged_rows and _is_expired(
            encoded, row_start, own_seqno, window
        ):
            position = bencode.skip_value(encoded, row_start)
            continue
        value, position = bencode.read_value(encoded, row_start, nesting=2, lenient=lenient)
        try:
            rank, diff = _row_from_value(value, own_seqno, reading)
        except ConfigMergeError as error:
            raise error.located_in(encoded, row_start) from error
        if previous is not None and rank <= previous:
            message = "the row does not rank above the previous row"
            raise ConfigMergeError("rows-not-ascending", message, row_start)
        previous = rank
        if not within(window, rank[0], own_seqno):
            continue
        if lenient:
            rows.append(lagged_diff(rank, diff))
        else:
            rows.append(LaggedDiff(rank, diff, encoded[row_start:position]))
    return tuple(rows), position + 1


def _row_from_value(value: bencode.Value, own_seqno: int, reading: Reading) -> tuple[Rank, Diff]:
    """Return the rank and the diff of a decoded row.

    value: a value from `bencode.read_value`.
    own_seqno: the seqno of the message that contains the row.
    Errors: `ConfigMergeError` with a code of config diffs or of diff updates, and a path.

    Clauses: CM-DIFFS-ROW, CM-DIFFS-ROW-HASH, CM-DIFFS-ROW-SEQNO, CM-DIFFS-ROW-DIFF
    Source: "Config diffs"
    """
    message = "the row is not a list of a seqno, a hash and a diff"
    if not isinstance(value, list) or len(value) != 3:
        raise ConfigMergeError("row-shape", message)
    seqno, digest, diff = value
    if not isinstance(seqno, int):
        raise ConfigMergeError("row-shape", message, path=(0,))
    if not isinstance(digest, bytes):
        raise ConfigMergeError("row-shape", message, path=(1,))
    if not isinstance(diff, dict):
        raise ConfigMergeError("row-shape", message, path=(2,))
    if seqno >= own_seqno or (seqno < 0 and reading.negative_row_seqnos == "invalid"):
        message = "the seqno of the row is negative, or not below that of its message"
        raise ConfigMergeError("row-seqno", message, path=(0,))
    if len(digest) != HASH_LENGTH:
        message = f"the hash of the row does not have {HASH_LENGTH} bytes"
        raise ConfigMergeError("row-hash-length", message, path=(1,))
    try:
        return (seqno, digest), diff_from_value(diff, reading=reading)
    except ConfigMergeError as error:
        raise error.inside(2) from None


def _is_expired(encoded: bytes, start: int, own_seqno: int, window: int) -> bool:
    """Return whether the value at `start` is a list that begins with a seqno not within N.

    own_seqno: the seqno of the message that contains the row.
    Nothing after the seqno is read. Leading zeros of the seqno are accepted.
    Errors: `bencode.BencodeError` with a code of the encoding of the seqno, and a position.

    Clauses: CM-DIFFS-EXPIRED
    Source: "Config diffs"
    """
    if encoded[start : start + 2] != b"li":
        return False
    seqno, _ = bencode.read_value(encoded, start + 1, nesting=3, lenient=True)
    return isinstance(seqno, int) and not within(window, seqno, own_seqno)
