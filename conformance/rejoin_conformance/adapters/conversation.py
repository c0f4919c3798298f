"""A conversation with an adapter: start a process, exchange hellos, send requests, send bye.

`Adapter` describes a program before it runs. `Conversation` is one process that has sent its hello.
AdapterUnusableError means that no conversation could be started.
"""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import Final

from attrs import field, frozen

from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.pipes import LineTooLongError
from rejoin_conformance.adapters.process import (
    AdapterProcess,
    NotStartedError,
    ProcessEndedError,
)
from rejoin_conformance.adapters.protocol import (
    BYE_LINE,
    Hello,
    HelloError,
    hello_line,
    is_bye,
    read_hello,
)
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.kit.untrusted import shown, shown_bytes

_EXCERPT: Final = 2000


@frozen(kw_only=True)
class Adapter:
    """A program under test: its command as a list of words, and its limits."""

    command: tuple[str, ...]
    limits: Limits = field(factory=Limits)

    def greet(self) -> Hello:
        """Start the program, return its hello, and end the program."""
        with Conversation(self) as conversation:
            hello = conversation.hello
            conversation.end()
            return hello


class Conversation:
    """One process of an adapter, after the hellos. A context manager that ends the process."""

    def __init__(self, adapter: Adapter, stop: threading.Event | None = None) -> None:
        """Start a process and exchange hellos. Raises AdapterUnusableError if that fails."""
        self.limits = adapter.limits
        try:
            self._process = AdapterProcess(adapter.command, adapter.limits, stop)
        except NotStartedError as error:
            raise AdapterUnusableError(f"the adapter cannot be started: {error}") from None
        try:
            self.hello = self._exchange_hellos()
        except BaseException:
            self._process.kill()
            raise

    def __enter__(self) -> Conversation:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.kill()

    def send(self, requests: bytes) -> None:
        """Write complete lines. Never blocks."""
        self._process.send(requests)

    def receive(self, seconds: float) -> list[bytes]:
        """Return the lines that arrive within this time. Raises like `AdapterProcess.receive`."""
        return self._process.receive(seconds)

    def stderr_mark(self) -> int:
        """Return the number of bytes of standard error so far, for `stderr_since`."""
        return self._process.stderr_mark()

    def stderr_since(self, mark: int) -> str:
        """Return the end of its standard error after a mark, safe to print."""
        return _excerpt(self._process.stderr_since(mark))

    @property
    def unfinished(self) -> str:
        """Return the incomplete last line, safe to print; empty if there is none."""
        return self._process.unfinished

    def end(self) -> list[bytes]:
        """Send bye and wait a short time for the process to end.

        Returns the lines that it wrote since, except a bye of its own.
        """
        return [line for line in self._process.end(BYE_LINE) if not is_bye(line)]

    def kill(self) -> None:
        """Kill the process and its children."""
        self._process.kill()

    def _exchange_hellos(self) -> Hello:
        try:
            return self._await_hello()
        except HelloError as error:
            raise self._unusable(f"the adapter's hello is invalid: {error}") from None
        except ProcessEndedError as error:
            raise self._unusable(f"the adapter sent no hello: {error}") from None
        except LineTooLongError:
            wrong = f"the line is longer than {self.limits.longest_line:,} bytes"
            raise self._unusable(f"the adapter's hello is invalid: {wrong}") from None

    def _await_hello(self) -> Hello:
        self._process.send(hello_line())
        deadline = time.monotonic() + self.limits.hello
        lines: list[bytes] = []
        while not lines:
            lines = self._process.receive(deadline - time.monotonic())
            if not lines and time.monotonic() >= deadline:
                begun = self._process.unfinished
                half = f", only an incomplete line: {begun}; end it with a line feed"
                raise HelloError(
                    f"no line within {self.limits.hello:g} seconds" + (half if begun else "")
                )
        hello = read_hello(lines[0])
        if len(lines) > 1:
            raise HelloError(f"a second line follows the hello: {shown_bytes(lines[1])}")
        return hello

    def _unusable(self, message: str) -> AdapterUnusableError:
        self._process.kill()
        excerpt = _excerpt(self._process.stderr)
        return AdapterUnusableError(
            message + (f"\nits standard error ends:\n{excerpt}" if excerpt else "")
        )


def _excerpt(text: str) -> str:
    return shown(text.strip()[-_EXCERPT:], _EXCERPT)
