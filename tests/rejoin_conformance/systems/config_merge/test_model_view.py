"""Different values have different names, and a short value is legible in its name."""

from __future__ import annotations

import pytest

from rejoin_conformance.kit.tla_values import parse_value, to_tla
from rejoin_conformance.systems.config_merge.model_view import (
    data_of_value,
    data_value,
    key_name,
    scalar_name,
)

KEYS = (b"", b"a", b"out", b"x", b"x_", b"A", b"0", b"\xff\x00", b"k" * 24, b"k" * 25, b"l" * 128)
SCALARS = (0, 1, -1, 2**63 - 1, b"", b"1", b"-1", b"0x", b"\xff", b"L" * 4096, b"M" * 4096)


def test_names_of_different_keys_differ() -> None:
    assert len({key_name(key) for key in KEYS}) == len(KEYS)


def test_names_of_different_scalars_differ() -> None:
    assert len({scalar_name(scalar) for scalar in SCALARS}) == len(SCALARS)


@pytest.mark.parametrize("key", KEYS[:9])
def test_a_short_key_can_be_told_from_its_name(key: bytes) -> None:
    assert data_of_value(data_value({key: 1})) == {key: 1}


@pytest.mark.parametrize("scalar", SCALARS[:9])
def test_a_short_scalar_can_be_told_from_its_name(scalar: int | bytes) -> None:
    assert data_of_value(data_value({b"a": scalar})) == {b"a": scalar}


def test_data_are_written_and_read_as_the_model_has_them() -> None:
    data = {b"": 1, b"d": {b"s": {1, b"1"}, b"\xff": b""}}
    value = data_value(data)
    assert data_of_value(value) == data
    assert parse_value(to_tla(value)) == value
