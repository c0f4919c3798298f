"""The limits of an adapter: time, memory, line length, and the kept part of its standard error."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from rejoin_conformance.kit.options import opt

GIB: Final = 1024**3
LONGEST: Final = 1_000_000
"""Seconds. A wait for a longer time would overflow in the system."""


@frozen(kw_only=True)
class Limits:
    """The limits of every conversation with an adapter.

    farewell: seconds from `bye` to the end of the process. The suite kills a process that takes
        longer, which is a failure.
    longest_line: the maximum length of a line in bytes. A longer line is a flood.
    stderr_kept: the number of bytes kept from the end of standard error.
    """

    timeout: float = opt(
        "Seconds that the adapter has to answer a request.", 10.0, least=0, most=LONGEST
    )
    hello: float = opt(
        "Seconds that the adapter has to start and send its hello.",
        30.0,
        name="hello-timeout",
        least=0,
        most=LONGEST,
    )
    memory: int = opt(
        "GiB of memory that each process of the adapter can write (on Linux); 0 for no limit.",
        4,
        name="max-memory",
        metavar="GIB",
        least=0,
        most=LONGEST,
    )
    farewell: float = 5.0
    longest_line: int = 8 * 1024 * 1024
    stderr_kept: int = 8 * 1024
