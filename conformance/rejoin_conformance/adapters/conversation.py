"""A conversation with an adapter: start a process, exchange hellos, ask, and say bye.

`Adapter` describes a program before it runs. `Conversation` is one process of it. Everything that
asks an adapter talks through it: the runner, the questions for steps, and the doctor.
"""

from __future__ import annotations

import threading
from typing import Final, Literal, Self

from attrs import field, frozen

from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.pipes import LineTooLongError
from rejoin_conformance.adapters.process import (
    CLEAN,
    AdapterProcess,
    NotStartedError,
    ProcessEndedError,
)
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


class NoLineError(Exception):
    """No line came: the process ended, was silent for too long, or wrote a line that is too long.

    verdict: the verdict on a request that it should answer. begun: the incomplete line of a process
        that was silent, safe to print; empty if there is none.
    """

    def __init__(
        self, verdict: Literal["crash", "timeout", "protocol-error"], why: str, begun: str = ""
    ) -> None:
        super().__init__(why)
        self.verdict = verdict
        self.begun = begun

    @property
    def half(self) -> str:
        """Return a clause on the incomplete line; empty if there is none."""
        return f", only an incomplete line: {self.begun}" if self.begun else ""


@frozen(kw_only=True)
class Adapter:
    """A program under test: its command as a list of words, and its limits."""

    command: tuple[str, ...]
    limits: Limits = field(factory=Limits)

    def start(self, stop: threading.Event | None = None) -> AdapterProcess:
        """Start a process. Raises NotStartedError."""
        return AdapterProcess(self.command, self.limits, stop)

    def greet(self) -> Hello:
        """Start the program, return its hello, and end the program."""
        with Conversation(self) as conversation:
            hello = conversation.greet()
            conversation.end()
            return hello


class Conversation:
    """One process of an adapter. A context manager that ends the process.

    `greet` comes first. stop: when it is set, whatever waits raises StoppedError.

    hello: the hello of the process; None before it. last: the last line that was taken with `line`.
    unread: the lines that came and were not taken. record: every line sent and taken with `line`,
        after `->` or `<-`, safe to print; None to record nothing.
    """

    def __init__(
        self,
        adapter: Adapter,
        stop: threading.Event | None = None,
        record: list[str] | None = None,
    ) -> None:
        """Start the process. Raises AdapterUnusableError if that fails."""
        self.limits = adapter.limits
        self.hello: Hello | None = None
        self.last = b""
        self.unread: list[bytes] = []
        self.record = record
        try:
            self._process = adapter.start(stop)
        except NotStartedError as error:
            raise AdapterUnusableError(f"the adapter cannot be started: {error}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

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
        stderr = self.stderr()
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

    def send(self, requests: bytes) -> None:
        """Write complete lines. Never blocks."""
        if self.record is not None:
            self._note("->", *requests.splitlines())
        self._process.send(requests)

    def line(self, seconds: float) -> bytes:
        """Return the next line. Raises NoLineError if none comes within this time."""
        if not self.unread:
            self.unread += self.lines(seconds)
        self.last = self.unread.pop(0)
        self._note("<-", self.last)
        return self.last

    def lines(self, seconds: float) -> list[bytes]:
        """Return the lines that come first, at least one. Raises NoLineError."""
        try:
            lines = self._process.receive(seconds)
        except ProcessEndedError as error:
            raise NoLineError("crash", str(error)) from None
        except LineTooLongError:
            why = f"wrote a line longer than {self.limits.longest_line:,} bytes"
            raise NoLineError("protocol-error", why) from None
        if not lines:
            why = f"no answer within {self.limits.timeout:g} seconds"
            raise NoLineError("timeout", why, self._process.unfinished)
        return lines

    def early(self) -> list[bytes]:
        """Return what came although no request is pending, as lines; the last may be incomplete."""
        try:
            return self._process.early()
        except LineTooLongError:
            return [b"a line that is too long"]

    def stderr_mark(self) -> int:
        """Return the number of bytes of standard error so far, for `stderr`."""
        return self._process.stderr_mark()

    def stderr(self, mark: int = 0) -> str:
        """Return the end of its standard error after a mark, safe to print."""
        return shown(self._process.stderr_since(mark).strip()[-_EXCERPT:], _EXCERPT)

    def end(self, last_line: bytes = BYE_LINE) -> list[bytes]:
        """Send bye, or only close the input, and wait a short time for the process to end.

        Returns the lines that nobody has taken yet, except a bye of its own.
        """
        self._note("->", last_line or b"(end of the input)")
        unread, self.unread = self.unread, []
        more = [line for line in (*unread, *self._process.end(last_line)) if not is_bye(line)]
        self._note("<-", *more)
        return more

    @property
    def bad_end(self) -> NoLineError | None:
        """Return what was wrong with the end that `end` asked for; None if it was clean."""
        how = self._process.how_ended
        if how is None:
            seconds = f"{self.limits.farewell:g} seconds"
            return NoLineError("timeout", f"it did not end within {seconds}")
        return None if how == CLEAN else NoLineError("crash", how)

    def kill(self) -> None:
        """Kill the process and its children."""
        self._process.kill()

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
