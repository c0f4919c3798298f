"""A conversation with an adapter: start a process, exchange hellos, ask, and say bye.

`Adapter` describes a program before it runs. `Conversation` is one process of it. Everything that
asks an adapter talks through it: the runner, the questions for steps, and the doctor.
"""

from __future__ import annotations

import threading
from typing import Final

from attrs import field, frozen

from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.process import AdapterProcess, NoLineError
from rejoin_conformance.adapters.protocol import (
    BYE_LINE,
    Hello,
    HelloError,
    Reply,
    ReplyError,
    hello_line,
    is_bye,
    read_hello,
    read_reply,
)
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.kit.text import shown, shown_bytes, shown_line

_EXCERPT: Final = 2000
_SHOWN: Final = 160


@frozen(kw_only=True)
class Adapter:
    """A program under test: its command as a list of words, and its limits."""

    command: tuple[str, ...]
    limits: Limits = field(factory=Limits)

    def start(
        self, stop: threading.Event | None = None, record: list[str] | None = None
    ) -> Conversation:
        """Start a process. Raises AdapterUnusableError."""
        return Conversation(self.command, self.limits, stop, record)

    def greet(self) -> Hello:
        """Start the program, return its hello, and end the program."""
        with self.start() as conversation:
            hello = conversation.greet()
            conversation.end()
            return hello


class Conversation(AdapterProcess):
    """One process of an adapter, in words of the protocol. `greet` comes first.

    hello: the hello of the process; None before it. last: the last line that was taken with `line`.
    unread: the lines that came and were not taken. record: every line sent and taken with `line`,
        after `->` or `<-`, safe to print; None to record nothing.
    """

    hello: Hello | None = None
    last = b""

    def __init__(
        self,
        command: tuple[str, ...],
        limits: Limits,
        stop: threading.Event | None = None,
        record: list[str] | None = None,
    ) -> None:
        super().__init__(command, limits, stop)
        self.unread: list[bytes] = []
        self.record = record

    def greet(self) -> Hello:
        """Exchange hellos. Raises AdapterUnusableError, and ends the process, if that fails."""
        try:
            hello = self.exchange_hellos()
            if not self.unread:
                return hello
            second = shown_bytes(self.unread[0])
            why = f"the adapter's hello is invalid: a second line follows the hello: {second}"
        except HelloError as error:
            why = f"the adapter's hello is invalid: {error}"
        except NoLineError as error:
            why = _no_hello(error, self.limits)
        except BaseException:
            self.kill()
            raise
        self.kill()
        stderr = self.errors()
        raise AdapterUnusableError(
            why + (f"\nits standard error ends:\n{stderr}" if stderr else "")
        )

    def exchange_hellos(self) -> Hello:
        """Exchange hellos. Raises HelloError and NoLineError."""
        self.send(hello_line())
        self.hello = read_hello(self.line(self.limits.hello))
        return self.hello

    def ask(self, number: int, request: bytes) -> Reply:
        """Send a request and return its reply, if no other request is pending.

        Raises NoLineError, and ReplyError for a line that is not its reply.
        """
        self.send(request)
        reply = self.reply()
        if reply.number != number:
            raise ReplyError(f"answered request {reply.number} instead of {number}")
        return reply

    def reply(self) -> Reply:
        """Return the next line as a reply. Raises NoLineError and ReplyError."""
        return read_reply(self.line(self.limits.timeout))

    def line(self, seconds: float) -> bytes:
        """Return the next line. Raises NoLineError if none comes within this time."""
        if not self.unread:
            self.unread += self.lines(seconds)
        self.last = self.unread.pop(0)
        self._note("<-", self.last)
        return self.last

    def errors(self, mark: int = 0) -> str:
        """Return the end of its standard error after a mark, safe to print."""
        return shown(self.stderr(mark).strip()[-_EXCERPT:], _EXCERPT)

    def send(self, data: bytes) -> None:
        """Write complete lines. Never blocks."""
        if self.record is not None:
            self._note("->", *data.splitlines())
        super().send(data)

    def end(self, last_line: bytes = BYE_LINE) -> list[bytes]:
        """Send bye, or only close the input, and wait a short time for the process to end.

        Returns the lines that nobody has taken yet, except a bye of its own.
        """
        if not last_line:
            self._note("->", b"(end of the input)")
        unread, self.unread = self.unread, []
        more = [line for line in (*unread, *super().end(last_line)) if not is_bye(line)]
        self._note("<-", *more)
        return more

    def _note(self, direction: str, *lines: bytes) -> None:
        if self.record is not None:
            texts = (line.rstrip(b"\n").decode("utf-8", "backslashreplace") for line in lines)
            self.record += [f"{direction} {shown_line(text, _SHOWN)}" for text in texts]


def _no_hello(error: NoLineError, limits: Limits) -> str:
    if error.verdict == "crash":
        return f"the adapter sent no hello: {error}"
    if error.verdict == "timeout":
        half = f"{error.half}; end it with a line feed" if error.begun else ""
        return f"the adapter's hello is invalid: no line within {limits.hello:g} seconds{half}"
    longest = f"the line is longer than {limits.longest_line:,} bytes"
    return f"the adapter's hello is invalid: {longest}"
