"""The limits of an adapter: time, line length, and the kept part of its standard error."""

from __future__ import annotations

from attrs import field, frozen, validators


@frozen(kw_only=True)
class Limits:
    """The limits of every conversation with an adapter.

    timeout: seconds from a request to its reply.
    hello: seconds from the start of the process to its hello.
    farewell: seconds from `bye` to the end of the process. The suite kills a process that takes
        longer; this is not a failure.
    longest_line: the maximum length of a line in bytes. A longer line is a flood.
    stderr_kept: the number of bytes kept from the end of standard error.
    """

    timeout: float = field(default=10.0, validator=validators.gt(0))
    hello: float = field(default=30.0, validator=validators.gt(0))
    farewell: float = field(default=2.0, validator=validators.ge(0))
    longest_line: int = field(default=8 * 1024 * 1024, validator=validators.ge(1024))
    stderr_kept: int = field(default=8 * 1024, validator=validators.ge(0))
