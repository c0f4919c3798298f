"""Shared by the tests of config merge: messages of the document's example, and small messages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from rejoin import bencode
from rejoin.config_merge import (
    DOCUMENT,
    EMPTY,
    READINGS,
    ConfigMergeError,
    Message,
    Reading,
    checked_data,
    diff,
    make_message,
    parse_message,
)
from rejoin_conformance.corpus.load import load_system

both_readings = pytest.mark.parametrize("reading", READINGS.values(), ids=list(READINGS))


@cache
def example(name: str) -> bytes:
    """Return a message of the document's example, as its vector has it."""
    vectors = {each.id: each for each in load_system("config-merge")}
    answer: Any = vectors[f"config-merge/worked-example/{name}"].expected["document"]
    return bytes.fromhex(answer["output"]["message"])


def first(seqno: int, data: Mapping[bytes, object]) -> Message:
    """Return a message without rows that assigns all of its data."""
    checked = checked_data(data)
    return make_message(seqno=seqno, data=checked, lagged=(), diff=diff(EMPTY, checked), unknown=())


def outer(
    seqno: bencode.Value = 1, lagged: bencode.Value | None = None, **others: bencode.Value
) -> bytes:
    """Return an encoded outer dict without data; `others` are further keys by their text."""
    parts: dict[bytes, bencode.Value] = {
        b"#": seqno,
        b"&": {},
        b"<": [] if lagged is None else lagged,
        b"=": {},
    }
    return bencode.encode(parts | {key.encode(): value for key, value in others.items()})


def refusal(encoded: bytes, reading: Reading = DOCUMENT) -> ConfigMergeError:
    """Return the error that rejects a message."""
    with pytest.raises(ConfigMergeError) as caught:
        parse_message(encoded, reading=reading)
    return caught.value
