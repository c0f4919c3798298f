"""Different values have different names, and a short value is legible in its name."""

from __future__ import annotations

from rejoin_conformance.kit.tla_values import parse_value, to_tla
from rejoin_conformance.systems.config_merge.model_view import (
    Data,
    data_of_value,
    data_value,
    key_name,
    scalar_name,
)

KEYS = (b"", b"a", b"out", b"x", b"x_", b"A", b"0", b"\xff\x00", b"k" * 24, b"k" * 25, b"l" * 128)
SCALARS = (0, 1, -1, 2**63 - 1, b"", b"1", b"-1", b"0x", b"\xff", b"L" * 4096, b"M" * 4096)


def test_names_of_different_values_differ() -> None:
    assert len({key_name(key) for key in KEYS}) == len(KEYS)
    assert len({scalar_name(scalar) for scalar in SCALARS}) == len(SCALARS)


def test_short_values_are_written_and_read_as_the_model_has_them() -> None:
    written: list[Data] = [{b"": 1, b"d": {b"s": {1, b"1"}, b"\xff": b""}}]
    written += [{key: 1} for key in KEYS[:9]]
    written += [{b"a": each} for each in SCALARS[:9]]
    for each in written:
        value = data_value(each)
        assert data_of_value(value) == each
        assert parse_value(to_tla(value)) == value
