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
from rejoin.config_merge.windows import MAX_WINDOW
from support.config_merge import outer


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


def test_the_window_of_the_reading_replaces_the_given_one() -> None:
    assert applied_window(5, DOCUMENT) == 5
    assert applied_window(5, Reading(window=2)) == 2
