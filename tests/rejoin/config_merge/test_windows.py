"""The window N."""

from __future__ import annotations

from typing import cast

import pytest

from rejoin.config_merge import (
    DOCUMENT,
    ConfigMergeError,
    Reading,
    applied_window,
    parse_message,
    resolve,
    update,
)
from rejoin.config_merge.windows import MAX_WINDOW, within
from support.config_merge import outer


@pytest.mark.parametrize(
    ("window", "seqnos"),
    [(1, {123}), (2, {122, 123}), (5, {119, 120, 121, 122, 123}), (200, set(range(124)))],
)
def test_what_is_within_n(window: int, seqnos: set[int]) -> None:
    assert {seqno for seqno in range(124) if within(window, seqno, 123)} == seqnos


@pytest.mark.parametrize("window", [0, -1, MAX_WINDOW + 1, cast("int", 5.0), cast("int", None)])
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


def test_the_largest_window() -> None:
    message = update([outer(7)], {}, window=MAX_WINDOW)
    assert [row.seqno for row in message.lagged] == [7]


def test_the_window_of_the_reading_replaces_the_given_one() -> None:
    assert applied_window(5, DOCUMENT) == 5
    assert applied_window(5, Reading(window=2)) == 2
