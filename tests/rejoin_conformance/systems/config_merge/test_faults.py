"""Every injected fault is refused in the readings in which it is invalid."""

from __future__ import annotations

from itertools import product

import pytest

from rejoin import bencode
from rejoin import config_merge as cm
from rejoin_conformance.systems.config_merge.faults import (
    BAD,
    BAD_IN_DOCUMENT,
    Fault,
    Outer,
)

SIMPLE: Outer = {b"#": 7, b"&": {b"a": 1, b"s": [2]}, b"<": [], b"=": {b"a": b""}}
RICH: Outer = {
    b"#": 9,
    b"&": {b"a": 1, b"d": {b"x": b"y"}},
    b"+": [b"b", b"a"],
    b"<": [[8, b"h" * 32, {b"d": {b"x": b""}}]],
    b"=": {b"a": b"", b"s": [[], [5]]},
}


def parsed(encoded: bytes, window: int, reading: cm.Reading) -> cm.Parsed:
    return cm.parsed_or_error(encoded, window=window, reading=reading, verify_key=None)


@pytest.mark.parametrize("outer", [SIMPLE, RICH])
@pytest.mark.parametrize("reading", cm.READINGS.values(), ids=list(cm.READINGS))
def test_without_a_fault_the_message_is_valid(outer: Outer, reading: cm.Reading) -> None:
    assert isinstance(parsed(bencode.encode(outer), 5, reading), cm.Message)


@pytest.mark.parametrize("reading", cm.READINGS.values(), ids=list(cm.READINGS))
@pytest.mark.parametrize("fault", BAD.values(), ids=list(BAD))
def test_a_bad_message_is_refused_in_every_reading(fault: Fault, reading: cm.Reading) -> None:
    for outer, window in product([SIMPLE, RICH], [1, 2, 5]):
        found = parsed(fault(outer, window), window, reading)
        assert isinstance(found, cm.ConfigMergeError), (outer, window)


@pytest.mark.parametrize("fault", BAD_IN_DOCUMENT.values(), ids=list(BAD_IN_DOCUMENT))
def test_some_are_refused_by_the_document_alone(fault: Fault) -> None:
    for outer, window in product([SIMPLE, RICH], [1, 2, 5]):
        broken = fault(outer, window)
        assert isinstance(parsed(broken, window, cm.DOCUMENT), cm.ConfigMergeError)
        assert isinstance(parsed(broken, window, cm.LIBSESSION), cm.Message)
