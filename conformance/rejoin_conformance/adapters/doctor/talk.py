"""One process of the adapter that the doctor checks, with a record of every line exchanged."""

from __future__ import annotations

import time
from collections import deque
from types import TracebackType
from typing import Final

from attrs import frozen

from rejoin_conformance.adapters.conversation import Adapter
from rejoin_conformance.adapters.doctor import advice
from rejoin_conformance.adapters.pipes import LineTooLongError
from rejoin_conformance.adapters.process import (
    AdapterProcess,
    NotStartedError,
    ProcessEndedError,
)
from rejoin_conformance.adapters.protocol import (
    BYE_LINE,
    Hello,
    Reply,
    ReplyError,
    hello_line,
    read_hello,
    read_reply,
    run_line,
)
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.untrusted import shown, shown_line

_LINE: Final = 160
_STDERR_LINES: Final = 16
_KILLED: Final = -9


class TroubleError(Exception):
    """A fault of the adapter, with advice on how to fix it.

    stderr: the end of its standard error, if it may help; safe to print.
    """

    def __init__(self, what: str, *hint: str, stderr: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.advice = hint
        self.stderr = stderr


@frozen(kw_only=True)
class Ending:
    """The end of a process after it was asked to end.

    exit_code: None if it had to be killed; the negative signal number if a signal ended it.
    lines: the lines that it still wrote, safe to print.
    """

    exit_code: int | None
    lines: tuple[str, ...]


class Talk:
    """A process and the lines exchanged with it. A context manager that ends the process by a bye.

    lines: every line, with `->` or `<-` before it, safe to print.
    language: the language in the hello, for better advice.
    """

    def __init__(self, adapter: Adapter, language: str = "") -> None:
        """Start the process. Raises TroubleError if that fails."""
        self.lines: list[str] = []
        self.language = language
        self._limits = adapter.limits
        self._heard: deque[bytes] = deque()
        self._greeted = False
        try:
            self._process = AdapterProcess(adapter.command, adapter.limits)
        except NotStartedError as error:
            raise TroubleError(
                f"it cannot be started: {error}",
                "Give the command as you type it in this folder. The suite splits it into words as "
                "a shell does, but runs it without a shell: no pipes, no variables, no cd.",
            ) from None

    def __enter__(self) -> Talk:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if kind is None and self._greeted:
            self._process.end(BYE_LINE)
        self.kill()

    def kill(self) -> None:
        """Kill the process and its children."""
        self._process.kill()

    @property
    def stderr(self) -> str:
        """Return the last lines of its standard error, safe to print."""
        last = self._process.stderr.strip().split("\n")[-_STDERR_LINES:]
        return shown("\n".join(last))

    def say(self, *lines: bytes) -> None:
        """Write lines in one piece."""
        self.lines += [f"-> {_shown(line)}" for line in lines]
        self._process.send(b"".join(lines))

    def hear(self, seconds: float) -> bytes:
        """Return the next line. Raises TroubleError if none comes within this time."""
        if not self._heard:
            self._heard.extend(self._receive(seconds))
        if not self._heard:
            begun = self._process.unfinished
            raise TroubleError(
                f"no line came within {seconds:g} seconds"
                + (f", only an incomplete one: {begun}" if begun else ""),
                *(
                    ("End each reply with a line feed.",)
                    if begun
                    else (advice.flush(self.language), advice.ANSWER_FIRST)
                ),
                stderr=self.stderr,
            )
        line = self._heard.popleft()
        self.lines.append(f"<- {_shown(line)}")
        return line

    def hear_nothing(self, seconds: float) -> None:
        """Raise TroubleError if a line comes without a request, or the process ends."""
        if not self._heard:
            self._heard.extend(self._receive(seconds))
        if self._heard:
            self.lines.append(f"<- {_shown(self._heard[0])}")
            raise TroubleError(
                "it wrote a line without a request",
                "Answer each request once.",
                advice.LOG_ELSEWHERE,
            )

    def greet(self) -> Hello:
        """Exchange hellos. Raises HelloError if its hello is invalid."""
        self.say(hello_line())
        hello = read_hello(self.hear(self._limits.hello))
        self.language = hello.language
        self._greeted = True
        return hello

    def ask(self, number: int, operation: str, reading: str, value: JsonObject) -> Reply:
        """Send a request and return its reply. Raises TroubleError for anything else."""
        self.say(run_line(number, operation, reading, value))
        reply = self.hear_reply()
        if reply.number != number:
            raise TroubleError(
                f"it answered request {reply.number} instead of {number}", advice.KEEP_ID
            )
        return reply

    def hear_reply(self) -> Reply:
        """Return the next line as a reply. Raises TroubleError if it is not a reply."""
        line = self.hear(self._limits.timeout)
        try:
            return read_reply(line)
        except ReplyError as error:
            raise TroubleError(str(error), advice.of_line(line)) from None

    def end(self, last_line: bytes) -> Ending:
        """Send a last line, close the input and wait for the process to end."""
        self.lines.append(f"-> {_shown(last_line)}" if last_line else "-> (end of the input)")
        started = time.monotonic()
        lines = self._process.end(last_line)
        killed = time.monotonic() - started >= self._limits.farewell
        code = self._process.exit_code
        return Ending(
            exit_code=None if killed and code == _KILLED else code,
            lines=tuple(_shown(line) for line in lines),
        )

    def _receive(self, seconds: float) -> list[bytes]:
        try:
            return self._process.receive(seconds)
        except LineTooLongError:
            raise TroubleError(
                f"it wrote a line longer than {self._limits.longest_line:,} bytes", advice.SHORTER
            ) from None
        except ProcessEndedError as error:
            hint = advice.NO_CRASH if self._greeted else advice.BY_HAND
            raise TroubleError(f"no line came: {error}", hint, stderr=self.stderr) from None


def _shown(line: bytes) -> str:
    return shown_line(line.rstrip(b"\n").decode("utf-8", "backslashreplace"), _LINE)
