"""The window N: the number of seqnos that count, from the largest one downwards."""

from __future__ import annotations

from typing import Final

from rejoin.config_merge.errors import ConfigMergeError
from rejoin.config_merge.reading import Reading

DEFAULT_WINDOW: Final = 5
MAX_WINDOW: Final = 2**31 - 1


def within(window: int, seqno: int, largest: int) -> bool:
    """Return whether a seqno is one of the last N seqnos, counted back from the largest.

    window: N.

    Clauses: CM-IGNORE-STALE, CM-UPDATE-WINDOW, CM-RESOLVE-LAGGED
    Source: "Ignored updates"

    pre: window >= 1
    post: not __return__ or within(window + 1, seqno, largest)
    post: seqno != largest or __return__
    post: seqno != largest - window or not __return__
    """
    return seqno > largest - window


def checked_window(window: int) -> int:
    """Return the window, after checking that it is an integer from 1 to `MAX_WINDOW`.

    Errors: `ConfigMergeError` with "bad-window".

    Clauses: CM-MESSAGE-WINDOW
    Source: "Ignored updates"

    post: 1 <= __return__ <= 2**31 - 1
    post: __return__ == window
    raises: ConfigMergeError
    """
    if not isinstance(window, int) or not 1 <= window <= MAX_WINDOW:
        message = f"the window is not an integer from 1 to {MAX_WINDOW}"
        raise ConfigMergeError("bad-window", message)
    return window


def applied_window(window: int, reading: Reading) -> int:
    """Return the N that applies: the window of the reading, or the given one if it has none.

    window: the N that the caller gives.
    Errors: `ConfigMergeError` with "bad-window".

    Clauses: CM-MESSAGE-WINDOW
    Source: "Ignored updates"
    """
    return checked_window(window if reading.window is None else reading.window)
