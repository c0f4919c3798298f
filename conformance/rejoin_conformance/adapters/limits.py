"""The limits of an adapter: time, memory, line length, and the kept part of its standard error."""

from __future__ import annotations

from typing import Final

from attrs import field, frozen, validators

GIB: Final = 1024**3
_SECONDS: Final = [validators.gt(0.0), validators.le(1_000_000.0)]


@frozen(kw_only=True)
class Limits:
    """The limits of every conversation with an adapter.

    timeout: seconds from a request to its reply.
    hello: seconds from the start of the process to its hello.
    farewell: seconds from `bye` to the end of the process. The suite kills a process that takes
        longer; this is not a failure.
    memory: bytes that each process can write; 0 for no limit. Only Linux enforces it.
    longest_line: the maximum length of a line in bytes. A longer line is a flood.
    stderr_kept: the number of bytes kept from the end of standard error.
    """

    timeout: float = field(default=10.0, validator=_SECONDS)
    hello: float = field(default=30.0, validator=_SECONDS)
    farewell: float = field(default=2.0, validator=validators.ge(0))
    memory: int = field(default=4 * GIB, validator=validators.ge(0))
    longest_line: int = field(default=8 * 1024 * 1024, validator=validators.ge(1024))
    stderr_kept: int = field(default=8 * 1024, validator=validators.ge(0))
