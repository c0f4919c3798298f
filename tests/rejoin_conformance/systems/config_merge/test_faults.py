"""Every injected fault is refused in the readings in which it is invalid."""

from __future__ import annotations

from itertools import product

from rejoin import bencode
from rejoin import config_merge as cm
from rejoin_conformance.systems.config_merge.faults import (
    BAD,
    BAD_IN_DOCUMENT,
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


def test_a_bad_message_is_refused_in_every_reading_and_others_by_the_document_alone() -> None:
    for outer, window in product([SIMPLE, RICH], [1, 2, 5]):
        for reading in cm.READINGS.values():
            assert isinstance(parsed(bencode.encode(outer), window, reading), cm.Message)
            for name, fault in BAD.items():
                found = parsed(fault(outer, window), window, reading)
                assert isinstance(found, cm.ConfigMergeError), (name, outer, window)
        for name, fault in BAD_IN_DOCUMENT.items():
            broken = fault(outer, window)
            assert isinstance(parsed(broken, window, cm.DOCUMENT), cm.ConfigMergeError), name
            assert isinstance(parsed(broken, window, cm.LIBSESSION), cm.Message), name
