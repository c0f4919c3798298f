"""What an adapter may use: time, line length, and how much of its standard error is kept."""

from __future__ import annotations

from attrs import field, frozen, validators


@frozen(kw_only=True)
class Limits:
    """The bounds of every conversation with an adapter.

    timeout: seconds from a request to its reply.
    hello: seconds from the start of the process to its hello.
    farewell: seconds that a process may take to end after `bye`; then it is killed, unpunished.
    longest_line: bytes of a line that are read before the line counts as a flood.
    stderr_kept: bytes of standard error that are kept, the last ones.
    """

    timeout: float = field(default=10.0, validator=validators.gt(0))
    hello: float = field(default=30.0, validator=validators.gt(0))
    farewell: float = field(default=2.0, validator=validators.ge(0))
    longest_line: int = field(default=8 * 1024 * 1024, validator=validators.ge(1024))
    stderr_kept: int = field(default=8 * 1024, validator=validators.ge(0))
