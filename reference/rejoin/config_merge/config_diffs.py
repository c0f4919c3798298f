"""Config diffs: the lagged diffs of past updates that a message carries under the key `<`.

Each row has the seqno, the hash and the diff of an update. A client that never saw the update can
therefore still replay it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from attrs import field, frozen

from rejoin import bencode
from rejoin.config_merge.diff_encoding import diff_from_value, encode_diff
from rejoin.config_merge.diff_updates import Diff
from rejoin.config_merge.errors import ConfigMergeError
from rejoin.config_merge.reading import Reading
from rejoin.config_merge.windows import within
from rejoin.plain import plainly

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
    diff: Diff = field(repr=plainly)
    encoded: bytes = field(eq=False, repr=False)

    @property
    def seqno(self) -> int:
        """Return the seqno of the message that the row names."""
        return self.rank[0]

    @property
    def hash(self) -> bytes:
        """Return the 32-byte hash of the message that the row names."""
        return self.rank[1]


Rows: TypeAlias = Mapping[bytes, LaggedDiff]
"""Rows that were parsed with the same reading, by their first `PREFIX_LENGTH` bytes.

Equal bytes are equal rows. A row that several messages carry is therefore parsed only once.
"""

NO_ROWS: Final[Rows] = MappingProxyType({})

PREFIX_LENGTH: Final = len(b"li0e32:") + HASH_LENGTH
"""The number of bytes up to the diff in the shortest row. Every row has more bytes."""


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
    encoded: bytes,
    start: int,
    own_seqno: int,
    *,
    window: int,
    reading: Reading,
    known: Rows = NO_ROWS,
) -> tuple[tuple[LaggedDiff, ...], int]:
    """Return the rows of the list of lagged diffs at `start`, and the offset after the list.

    encoded: the plaintext of the message.
    own_seqno: the seqno of the message.
    window: N; rows that are not within N of own_seqno are left out.
    known: rows of other messages; see `Rows`.
    Errors: `ConfigMergeError` with a code of config diffs or of diff updates, and a position;
        `bencode.BencodeError` with a code of the encoding, and a position.

    Clauses: CM-OUTER-LAGGED, CM-DIFFS-ROW-SEQNO, CM-DIFFS-ROW-ORDER, CM-DIFFS-EXPIRED,
        CM-DIFFS-GAPS, CM-DIFFS-HASH-UNCHECKED
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
        row, position = _read_row(encoded, row_start, reading, known)
        seqno = row.rank[0]
        if seqno >= own_seqno or (seqno < 0 and reading.negative_row_seqnos == "invalid"):
            message = "the seqno of the row is negative, or not below that of its message"
            raise ConfigMergeError("row-seqno", message, row_start + 1)
        if previous is not None and row.rank <= previous:
            message = "the row does not rank above the previous row"
            raise ConfigMergeError("rows-not-ascending", message, row_start)
        previous = row.rank
        if within(window, seqno, own_seqno):
            rows.append(row)
    return tuple(rows), position + 1


def _read_row(encoded: bytes, start: int, reading: Reading, known: Rows) -> tuple[LaggedDiff, int]:
    """Return the row at `start`, and the offset after it.

    known: rows of other messages; see `Rows`.
    Errors: as in `parse_lagged_diffs`.

    Clauses: CM-DIFFS-ROW
    Source: "Config diffs"
    """
    row = known.get(encoded[start : start + PREFIX_LENGTH])
    if row is not None:
        end = start + len(row.encoded)
        if encoded[start:end] == row.encoded:
            return row, end
    lenient = not reading.strict_encoding
    value, end = bencode.read_value(encoded, start, nesting=2, lenient=lenient)
    try:
        rank, diff = _row_from_value(value, reading)
    except ConfigMergeError as error:
        raise error.located_in(encoded, start) from error
    if lenient:
        return lagged_diff(rank, diff), end
    return LaggedDiff(rank, diff, encoded[start:end]), end


def rows_by_prefix(rows: Iterable[LaggedDiff]) -> Rows:
    """Return parsed rows in the form in which `parse_message` takes the known rows.

    rows: the lagged diffs of parsed messages.
    """
    return {row.encoded[:PREFIX_LENGTH]: row for row in rows}


def _row_from_value(value: bencode.Value, reading: Reading) -> tuple[Rank, Diff]:
    """Return the rank and the diff of a decoded row.

    value: a value from `bencode.read_value`.
    Errors: `ConfigMergeError` with a code of config diffs or of diff updates, and a path.

    Clauses: CM-DIFFS-ROW, CM-DIFFS-ROW-HASH, CM-DIFFS-ROW-DIFF
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
