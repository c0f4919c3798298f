"""Shared by the tests of config merge: the worked example of the document, and small messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import pytest
from attrs import frozen

from rejoin import bencode
from rejoin.config_merge import (
    DOCUMENT,
    EMPTY,
    ConfigMergeError,
    Message,
    Reading,
    checked_data,
    diff,
    make_message,
    parse_message,
    resolve,
    update,
)

Data: TypeAlias = Mapping[bytes, object]

DATA_118: Data = {
    b"dictB": {b"changed": -1, b"foo": 123, b"removed": b"x", b"removed2": b"y"},
    b"dictC": {b"x": {b"y": 1}},
    b"good": {99, 456, b"bar"},
    b"great": {-42, b"omg"},
    b"int0": -9999,
    b"int1": 100,
    b"string1": b"hello",
    b"string2": b"goodbye",
}

DATA_123: Data = {
    b"dictB": {b"changed": -1, b"foo": 123, b"removed": b"x", b"removed2": b"y"},
    b"dictC": {b"x": {b"y": 1}},
    b"good": {99, 456, b"bar"},
    b"great": {-42, b"omg"},
    b"int1": 1,
    b"int2": 2,
    b"string1": b"hello",
    b"string2": b"goodbye",
}

DATA_124A: Data = {
    **DATA_123,
    b"dictB": {
        b"answer": 42,
        b"changed": -1,
        b"foo": 66,
        b"removed": b"x",
        b"removed2": b"y",
    },
}

DATA_124B: Data = {
    b"dictA": {b"goodbye": {123, 456}, b"hello": 123},
    b"dictB": {b"added": 9999, b"changed": 1, b"foo": 123, b"nested": {b"a": 1}},
    b"good": {99, 123, b"Foo", b"bar"},
    b"int1": 42,
    b"int2": 2,
    b"string2": b"hello",
    b"string3": b"omg",
}

DATA_125A: Data = {
    **DATA_124B,
    b"dictB": {b"added": 9999, b"changed": 1, b"nested": {b"a": 1}},
}

DATA_125B: Data = {**DATA_124B, b"int1": 5}

DATA_126A: Data = {
    b"dictA": {b"goodbye": {123, 456}, b"hello": 123},
    b"dictB": {b"added": 9999, b"changed": 1, b"nested": {b"a": 1}},
    b"good": {99, 123, b"Foo", b"bar"},
    b"int1": 5,
    b"int2": 2,
    b"string2": b"hello",
    b"string3": b"omg",
}

DATA_126B: Data = {
    **DATA_126A,
    b"dictB": {b"added": 9999, b"answer": 42, b"changed": 1, b"nested": {b"a": 1}},
}

DATA_127: Data = {**DATA_126B, b"dictA": {b"goodbye": {123, 456, 789}, b"hello": 123}}


@frozen
class WorkedExample:
    """The messages of the document's examples, encoded."""

    m118: bytes
    m119: bytes
    m120: bytes
    m120b: bytes
    m121: bytes
    m122: bytes
    m123: bytes
    m124a: bytes
    m124b: bytes
    m125a: bytes
    m125b: bytes
    m126a: bytes
    m126b: bytes
    m127: bytes


def worked_example(reading: Reading = DOCUMENT) -> WorkedExample:
    """Return the worked example; each message is built from the bytes of the previous messages."""

    def follow(current: bytes, data: Data) -> bytes:
        return update([current], data, reading=reading).encoded

    def merged(*messages: bytes) -> bytes:
        return resolve(messages, reading=reading).message.encoded

    m118 = first(118, DATA_118).encoded
    m119 = follow(m118, DATA_118)
    m120 = follow(m119, DATA_118)
    m120b = follow(m119, {**DATA_118, b"too old": b"won't see"})
    m121 = follow(m120, DATA_118)
    m122 = follow(m121, DATA_118)
    m123 = follow(m122, DATA_123)
    m124a = follow(m123, DATA_124A)
    m124b = follow(m123, DATA_124B)
    m125a = follow(m124b, DATA_125A)
    m125b = follow(m124b, DATA_125B)
    m126a = merged(m125a, m125b)
    m126b = merged(m120b, m124a, m125a, m125b)
    m127 = update([m126a, m126b], DATA_127, reading=reading).encoded
    return WorkedExample(
        m118, m119, m120, m120b, m121, m122, m123, m124a, m124b, m125a, m125b, m126a, m126b, m127
    )


def first(seqno: int, data: Data, unknown: tuple[tuple[bytes, bytes], ...] = ()) -> Message:
    """Return a message without rows that assigns all of its data."""
    checked = checked_data(data)
    return make_message(
        seqno=seqno, data=checked, lagged=(), diff=diff(EMPTY, checked), unknown=unknown
    )


def outer(
    seqno: bencode.Value = 1,
    data: bencode.Value | None = None,
    lagged: bencode.Value | None = None,
    changes: bencode.Value | None = None,
    **others: bencode.Value,
) -> bytes:
    """Return an encoded outer dict of arbitrary parts; `others` are further keys by their text."""
    parts: dict[bytes, bencode.Value] = {
        b"#": seqno,
        b"&": {} if data is None else data,
        b"<": [] if lagged is None else lagged,
        b"=": {} if changes is None else changes,
    }
    return bencode.encode(parts | {key.encode(): value for key, value in others.items()})


def refusal(encoded: bytes, reading: Reading = DOCUMENT, window: int = 5) -> ConfigMergeError:
    """Return the error that rejects a message."""
    with pytest.raises(ConfigMergeError) as caught:
        parse_message(encoded, reading=reading, window=window)
    return caught.value
