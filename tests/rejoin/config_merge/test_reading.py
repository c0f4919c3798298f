"""Readings: the points at which the document and the deployed library part, and those where not.

The numbers are those of the errata: point 2 is CM-E02.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rejoin.config_merge import (
    DOCUMENT,
    LIBSESSION,
    READINGS,
    Client,
    ConfigMergeError,
    Reading,
    Settings,
    edit,
    parse_message,
    push,
    resolve,
    update,
)
from support.config_merge import first

Data = Mapping[bytes, object]

_scalars = st.integers(0, 2) | st.sampled_from([b"", b"-", b"a"])
_leaves: st.SearchStrategy[object] = _scalars | st.frozensets(_scalars, min_size=1, max_size=4)
_keys = st.sampled_from([b"", b"a", b"b"])
alike_dicts: st.SearchStrategy[dict[bytes, object]] = st.recursive(
    st.dictionaries(_keys, _leaves, max_size=4),
    lambda inner: st.dictionaries(_keys, _leaves | inner.filter(bool), max_size=4),
    max_leaves=12,
)
"""Data with so few keys and values that two draws often have much in common."""


def test_readings_have_names() -> None:
    assert Reading.named("document") is DOCUMENT
    assert Reading.named("libsession") is LIBSESSION
    assert Reading() == DOCUMENT
    with pytest.raises(ConfigMergeError) as caught:
        Reading.named("lib")
    assert caught.value.code == "unknown-reading"


def test_the_readings_part_at_every_field_but_the_window() -> None:
    same = [
        field.name
        for field in attrs.fields(Reading)
        if field.eq and getattr(DOCUMENT, field.name) == getattr(LIBSESSION, field.name)
    ]
    assert same == ["window"]
    assert DOCUMENT.window is None


def test_a_reading_can_fix_the_window_of_every_function() -> None:
    fixed = attrs.evolve(DOCUMENT, window=2)
    oldest = first(7, {b"a": 1}).encoded
    messages = [oldest]
    for value in range(4):
        messages.append(update(messages, {b"n": value}, window=2).encoded)
    assert update(messages, {}, reading=fixed) == update(messages, {}, window=2)
    assert update(messages, {}, reading=fixed) != update(messages, {})
    long = update(messages, {}).encoded
    assert parse_message(long, reading=fixed) == parse_message(long, window=2)
    assert resolve([oldest, long], reading=fixed) == resolve([oldest, long], window=2)
    client = Client(Settings(encryption_key=bytes(32), reading=fixed))
    narrow = Client(Settings(encryption_key=bytes(32), window=2))
    for value in range(4):
        client, batch = push(edit(client, {b"n": value}))
        narrow, same = push(edit(narrow, {b"n": value}))
        assert batch == same


def test_a_fixed_window_is_checked() -> None:
    with pytest.raises(ValueError, match="'window' must be >= 1"):
        attrs.evolve(DOCUMENT, window=0)
    with pytest.raises(ConfigMergeError) as caught:
        resolve([first(7, {}).encoded], reading=attrs.evolve(DOCUMENT, window=2**31))
    assert caught.value.code == "bad-window"


@given(alike_dicts, alike_dicts, alike_dicts, st.sampled_from([*READINGS.values()]))
def test_07_the_moment_of_pruning_makes_no_difference(
    base: Data, one: Data, two: Data, reading: Reading
) -> None:
    start = first(1, base).encoded
    messages = [update([start], data).encoded for data in (one, two)]
    messages.append(update([messages[0]], base).encoded)
    sooner = attrs.evolve(reading, prune_after_each_entry=True)
    later = attrs.evolve(reading, prune_after_each_entry=False)
    in_time = resolve(messages[1:], reading=sooner).message
    at_the_end = resolve(messages[1:], reading=later).message
    assert in_time.encoded == at_the_end.encoded
