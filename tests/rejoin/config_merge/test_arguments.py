"""What the functions promise besides their results: refused arguments, shared values, mixtures.

Operations cannot show it: their schemas refuse such keys, and JSON shares nothing.
"""

from __future__ import annotations

import pytest
from attrs import evolve

from rejoin.config_merge import (
    DOCUMENT,
    ConfigMergeError,
    Reading,
    applied_window,
    apply_diff,
    checked_data,
    encrypt,
    first_message,
    parse_message,
    resolve,
    sign,
    update,
    verify,
)
from rejoin.config_merge.windows import MAX_WINDOW
from support.config_merge import both_readings, first, outer


@pytest.mark.parametrize("window", [0, -1, MAX_WINDOW + 1])
def test_invalid_windows_are_refused(window: int) -> None:
    for call in (
        lambda: parse_message(outer(), window=window),
        lambda: resolve([outer()], window=window),
        lambda: resolve([], window=window),
        lambda: update([outer()], {}, window=window),
        lambda: update([], {}, window=window),
    ):
        with pytest.raises(ConfigMergeError) as caught:
            call()
        assert caught.value.code == "bad-window"


def test_the_window_of_the_reading_replaces_the_given_one() -> None:
    assert applied_window(5, DOCUMENT) == 5
    assert applied_window(5, Reading(window=2)) == 2


@pytest.mark.parametrize("key", [b"", bytes(31), bytes(33)])
def test_keys_have_32_bytes(key: bytes) -> None:
    for call, code in (
        (lambda: sign(first(1, {}), key), "bad-signing-key"),
        (lambda: verify(first(1, {}), key), "bad-verify-key"),
        (lambda: resolve([outer(1)], verify_key=key), "bad-verify-key"),
    ):
        with pytest.raises(ConfigMergeError) as caught:
            call()
        assert caught.value.code == code


@both_readings
def test_what_the_diff_does_not_name_is_shared_and_stays(reading: Reading) -> None:
    data = checked_data({b"changed": {b"a": 1}, b"kept": {b"b": {1, 2}}})
    source = checked_data({b"changed": {b"a": 2}})
    result = apply_diff(data, {b"changed": {b"a": b""}}, source, reading=reading)
    assert result == {b"changed": {b"a": 2}, b"kept": {b"b": frozenset({1, 2})}}
    assert data == {b"changed": {b"a": 1}, b"kept": {b"b": frozenset({1, 2})}}
    if reading.prune_after_each_entry:
        assert result[b"kept"] is data[b"kept"]


def test_mixed_readings_are_possible() -> None:
    mixture = evolve(DOCUMENT, name="mixture", unknown_keys_on_merge="drop")
    pair = [outer(7, A=1), outer(7, B=1)]
    assert resolve(pair, reading=mixture).message.unknown == ()
    assert len(resolve(pair).message.unknown) == 1


def test_a_resolution_of_nothing_valid_says_why() -> None:
    ciphertext = encrypt(first_message({}).encoded, bytes(32))
    for message, fault in (b"de", "seqno-missing at byte 1"), (ciphertext, "decrypt it first"):
        with pytest.raises(ConfigMergeError, match=fault):
            resolve([message, b"xx"])
    with pytest.raises(ConfigMergeError, match="no message was given"):
        resolve([])
