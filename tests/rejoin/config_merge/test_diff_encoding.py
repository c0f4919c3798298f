"""The encoded form of a diff."""

from __future__ import annotations

import pytest
from hypothesis import given

from rejoin.config_merge import (
    DOCUMENT,
    READINGS,
    ConfigMergeError,
    Reading,
    checked_data,
    diff,
    encode_diff,
    parse_diff,
)
from support.config_merge_strategies import dicts

both_readings = pytest.mark.parametrize("reading", READINGS.values(), ids=list(READINGS))


def refusal(encoded: bytes, reading: Reading = DOCUMENT) -> tuple[str, int | None]:
    with pytest.raises(ConfigMergeError) as caught:
        parse_diff(encoded, reading=reading)
    return caught.value.code, caught.value.position


@both_readings
@given(old=dicts, new=dicts)
def test_parsing_undoes_encoding(
    reading: Reading, old: dict[bytes, object], new: dict[bytes, object]
) -> None:
    changes = diff(checked_data(old), checked_data(new))
    encoded = encode_diff(changes)
    assert parse_diff(encoded, reading=reading) == changes
    assert encode_diff(parse_diff(encoded, reading=reading)) == encoded


@both_readings
@pytest.mark.parametrize(
    ("encoded", "code", "position"),
    [
        (b"i1e", "diff-type", 0),
        (b"le", "diff-type", 0),
        (b"0:", "diff-type", 0),
        (b"d1:ai1ee", "diff-value", 4),
        (b"d1:ai0ee", "diff-value", 4),
        (b"d1:a1:+e", "diff-value", 4),
        (b"d1:a2:--e", "diff-value", 4),
        (b"d1:ad1:bi1eee", "diff-value", 8),
        (b"d1:slee", "set-diff-shape", 4),
        (b"d1:sli1ei2eee", "set-diff-shape", 5),
        (b"d1:slli1eeee", "set-diff-shape", 4),
        (b"d1:slli1eeleleee", "set-diff-shape", 4),
        (b"d1:sldedeee", "set-diff-shape", 5),
        (b"d1:slledeee", "set-diff-shape", 7),
        (b"d1:sl1:aleee", "set-diff-shape", 5),
        (b"d1:slli1edeeleee", "set-element-type", 9),
        (b"d1:sllle1:aeleee", "set-element-type", 6),
        (b"d1:sllel1:adeeee", "set-element-type", 11),
        (b"d1:slli2ei1eeleee", "set-not-ascending", 9),
        (b"d1:slleli1ei1eeee", "set-not-ascending", 11),
        (b"d1:sll1:ai1eeleee", "set-not-ascending", 9),
        (b"d1:b0:1:a0:e", "keys-not-ascending", 6),
        (b"d1:a0:1:a0:e", "keys-not-ascending", 6),
        (b"d1:a0:", "truncated", 6),
    ],
)
def test_a_fault_has_its_code_and_position(
    encoded: bytes, code: str, position: int, reading: Reading
) -> None:
    assert refusal(encoded, reading) == (code, position)
