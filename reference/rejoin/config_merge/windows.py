"""The window N: how many of the last seqnos count."""

from __future__ import annotations

from typing import Final

from rejoin.config_merge.errors import ConfigMergeError

DEFAULT_WINDOW: Final = 5
MAX_WINDOW: Final = 2**31 - 1


def within(window: int, seqno: int, largest: int) -> bool:
    """Say whether a seqno is among the last N, counted back from the largest.

    Clauses: CM-IGNORE-STALE, CM-UPDATE-WINDOW, CM-RESOLVE-LAGGED
    Source: "Ignored updates"

    pre: window >= 1
    post: not __return__ or within(window + 1, seqno, largest)
    post: seqno != largest or __return__
    post: seqno != largest - window or not __return__
    """
    return seqno > largest - window


def checked_window(window: int) -> int:
    """Return N if it is one.

    Errors: `ConfigMergeError` with "bad-window".

    Clauses: CM-MESSAGE-WINDOW
    Source: "Ignored updates"
    """
    if not isinstance(window, int) or not 1 <= window <= MAX_WINDOW:
        raise ConfigMergeError("bad-window", f"a window is an integer from 1 to {MAX_WINDOW}")
    return window
