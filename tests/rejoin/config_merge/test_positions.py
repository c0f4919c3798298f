"""An error says at which byte the fault is. Vectors do not show positions.

Each row is the bytes, the code and the position, in every reading.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import pytest

from rejoin.config_merge import READINGS, ConfigMergeError, parse_data, parse_diff, parse_message
from support.config_merge import outer

Faults: TypeAlias = tuple[tuple[bytes, str, int], ...]

LOW, HIGH = b"\x01" * 32, b"\xfe" * 32
ROWS_START: Final = len(b"d1:#i10e1:&de1:<l")


def rows(*rows: Any) -> bytes:
    """Return a message of seqno 10 with rows."""
    return outer(10, lagged=[*rows])


DATA: Final[Faults] = (
    (b"i1e", "data-not-dict", 0),
    (b"d1:alee", "empty-set", 4),
    (b"d1:ad1:bdeee", "empty-dict", 8),
    (b"d1:ali1edeee", "set-element-type", 8),
    (b"d1:ali2ei1eee", "set-not-ascending", 8),
    (b"d1:al1:ai1eee", "set-not-ascending", 8),
    (b"d1:al2:aa1:aee", "set-not-ascending", 9),
    (b"d1:bi1e1:ai1ee", "keys-not-ascending", 7),
    (b"d1:xd1:ali1ei1eeee", "set-not-ascending", 12),
)
DIFFS: Final[Faults] = (
    (b"le", "diff-type", 0),
    (b"d1:ai0ee", "diff-value", 4),
    (b"d1:ad1:bi1eee", "diff-value", 8),
    (b"d1:slee", "set-diff-shape", 4),
    (b"d1:sli1ei2eee", "set-diff-shape", 5),
    (b"d1:slledeee", "set-diff-shape", 7),
    (b"d1:slli1edeeleee", "set-element-type", 9),
    (b"d1:sllel1:adeeee", "set-element-type", 11),
    (b"d1:slleli1ei1eeee", "set-not-ascending", 11),
    (b"d1:b0:1:a0:e", "keys-not-ascending", 6),
    (b"d1:a0:", "truncated", 6),
)
ROWS: Final[Faults] = (
    (rows(9), "row-shape", ROWS_START),
    (rows([9, LOW]), "row-shape", ROWS_START),
    (rows([b"9", LOW, {}]), "row-shape", ROWS_START + 1),
    (rows([9, 9, {}]), "row-shape", ROWS_START + 4),
    (rows([9, LOW, []]), "row-shape", ROWS_START + 39),
    (rows([10, LOW, {}]), "row-seqno", ROWS_START + 1),
    (rows([9, LOW[:31], {}]), "row-hash-length", ROWS_START + 4),
    (rows([9, LOW, {b"a": {b"b": b"x"}}]), "diff-value", ROWS_START + 47),
    (rows([9, HIGH, {}], [9, LOW, {}]), "rows-not-ascending", ROWS_START + 42),
    (rows([9, LOW, {}], [9, LOW, {b"a": b""}]), "rows-not-ascending", ROWS_START + 42),
)
MESSAGES: Final[Faults] = (
    (b"", "truncated", 0),
    (b"le", "not-a-dict", 0),
    (b"x", "unexpected-byte", 0),
    (b"d1:&de1:<le1:=dee", "seqno-missing", 1),
    (b"d1:!i1e1:#i1e1:&de1:<le1:=dee", "major-version-break", 1),
    (b"di1e1:#i1e1:&de1:<le1:=dee", "key-not-string", 1),
    (b"d1:#de1:&de1:<le1:=dee", "seqno-type", 4),
    (b"d1:#i1e1:<le1:=dee", "data-missing", 17),
    (b"d1:#i1e1:&d1:aleee", "empty-set", 14),
    (b"d1:#i1e1:&de1:<de1:=dee", "lagged-type", 15),
    (b"d1:#i1e1:&de1:<le1:=d1:ai1eee", "diff-value", 24),
    (b"d1:#i1e1:&dee", "lagged-missing", 12),
    (b"d1:#i1e1:&de1:<lee", "diff-missing", 17),
    (b"d1:#i1e1:<le1:&de1:=dee", "keys-not-ascending", 12),
    (b"d1:#i1e1:&de1:<le1:=de1:>di1ei1eee", "key-not-string", 26),
    (b"d1:#i1e1:&de1:<le1:=de2:~ai1ee", "key-after-signature", 22),
    (b"d1:#e", "unexpected-byte", 4),
    (b"d1:#i1e1:&de1:<le1:=de", "truncated", 22),
    *ROWS,
)


@pytest.mark.parametrize(
    ("parse", "faults"), [(parse_data, DATA), (parse_diff, DIFFS), (parse_message, MESSAGES)]
)
def test_a_fault_has_its_code_and_position(parse: Callable[..., Any], faults: Faults) -> None:
    for reading in READINGS.values():
        for encoded, code, position in faults:
            with pytest.raises(ConfigMergeError) as caught:
                parse(encoded, reading=reading)
            assert (caught.value.code, caught.value.position) == (code, position), encoded


def test_only_a_strict_parser_sees_bytes_that_are_not_canonical() -> None:
    for encoded, code, position in (
        (b"de ", "trailing-bytes", 2),
        (b"d1:ai01ee", "integer-not-canonical", 4),
    ):
        with pytest.raises(ConfigMergeError) as caught:
            parse_data(encoded)
        assert (caught.value.code, caught.value.position) == (code, position)
        assert parse_data(encoded, reading=READINGS["libsession"]) in ({}, {b"a": 1})
