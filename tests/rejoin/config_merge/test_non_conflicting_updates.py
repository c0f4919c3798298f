"""Non-conflicting updates: one message after another."""

from __future__ import annotations

import pytest

from rejoin.config_merge import (
    READINGS,
    Reading,
    parse_message,
    update,
)
from support.config_merge import first

both_readings = pytest.mark.parametrize("reading", READINGS.values(), ids=list(READINGS))


@both_readings
def test_an_update_is_what_is_parsed_of_it(reading: Reading) -> None:
    made = update([first(7, {b"a": 1}).encoded], {b"a": 2}, reading=reading)
    parsed = parse_message(made.encoded, reading=reading)
    assert parsed == made
    assert parsed.data == made.data
    assert parsed.lagged == made.lagged
    assert parsed.diff == made.diff
    assert parsed.span_end == made.span_end
