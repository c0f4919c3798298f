"""One adapter process: lines in and lines out, robust against anything that the program does.

The process leads its own session, so that the suite can end it together with its children. A guard
ends it if the suite itself is killed. It has a limit of memory where the system supports that.
"""

from __future__ import annotations

import contextlib
import errno
import os
import resource
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Final, Literal, Self

from rejoin_conformance.adapters.limits import GIB, Limits
from rejoin_conformance.adapters.pipes import LineTooLongError, Pipes
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.kit.guard import Guard
from rejoin_conformance.kit.text import shown_line

_TICK: Final = 0.05
"""Seconds between two checks of the stop event and of the end of the process."""
_LAST_WORDS: Final = 1.0
"""Seconds that a process has to end by itself after it closes its output."""
_MOMENT: Final = 0.001
_UNKILLABLE: Final = 5.0
"""Seconds to wait for a process to end after SIGKILL."""
_EXTRA_LINES: Final = 16
CLEAN: Final = "it ended with exit code 0"
TOO_LONG: Final = b"a line that is too long"


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


class StoppedError(Exception):
    """The run is being stopped, and no longer needs an answer."""


class AdapterProcess(Pipes):
    """A running program: a context manager that kills it. `end` and `kill` are idempotent.

    stop: when it is set, `lines` raises StoppedError.
    how_ended: how the process ended, once it has; None if it had to be killed, empty before.
    """

    how_ended: str | None = ""
    _closed = False

    def __init__(
        self, command: tuple[str, ...], limits: Limits, stop: threading.Event | None = None
    ) -> None:
        """Start the program. Raises AdapterUnusableError."""
        self._stop = stop or threading.Event()
        self._guard: Guard | None = None
        try:
            super().__init__(command, limits)
        except (OSError, ValueError) as error:
            why = f"{shown_line(command[0])}: {_why_not_started(command[0], error)}"
            raise AdapterUnusableError(f"the adapter cannot be started: {why}") from None
        try:
            self._guard = Guard(self.process.pid)
        except OSError as error:
            self.kill()
            why = f"cannot start its guard: /bin/sh: {error.strerror}"
            raise AdapterUnusableError(f"the adapter cannot be started: {why}") from None
        _limit_memory(self.process.pid, limits.memory * GIB)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def lines(self, seconds: float) -> list[bytes]:
        """Return the lines that come first, at least one, without line feeds.

        Raises StoppedError, and NoLineError if none comes within this time.
        """
        deadline = time.monotonic() + seconds
        while True:
            if self._stop.is_set():
                raise StoppedError
            try:
                lines = self.turn(max(0.0, min(_TICK, deadline - time.monotonic())))
            except LineTooLongError:
                why = f"wrote a line longer than {self.limits.longest_line:,} bytes"
                raise NoLineError("protocol-error", why) from None
            if lines:
                return lines
            if not self.talking or (self._has_exited() and not self.readable()):
                raise NoLineError("crash", self._last_words())
            if time.monotonic() >= deadline:
                why = f"no answer within {self.limits.timeout:g} s"
                raise NoLineError("timeout", why, self.unfinished)

    def early(self) -> list[bytes]:
        """Return what came although no request is pending, as lines; the last may be incomplete."""
        try:
            return [*self.turn(0), *filter(None, [self.partial])]
        except LineTooLongError:
            return [TOO_LONG]

    def end(self, last_line: bytes = b"") -> list[bytes]:
        """Send a last line, close the input, wait for the process to end, and kill its group.

        Returns the first few lines that it still wrote, and a line without a line feed. A process
        that hangs or crashes now is only killed. `how_ended` also says whether the process ended
        without the last line.
        """
        lines: list[bytes] = []
        if not self._closed:
            self.send(last_line)
            deadline = time.monotonic() + self.limits.farewell
            try:
                while self.talking and time.monotonic() < deadline and not self._stop.is_set():
                    if not self._unsent:
                        self.close_input()
                    lines += self.turn(_TICK)
                    del lines[_EXTRA_LINES:]
                    if self._has_exited() and not self.readable():
                        break
            except LineTooLongError:
                lines.append(TOO_LONG)
            self._wait_for_exit(deadline)
            if self.partial:
                lines.append(self.partial)
            self._note_end(last_line)
        self.kill()
        return lines

    @property
    def bad_end(self) -> NoLineError | None:
        """Return what was wrong with the end that `end` asked for; None if it was clean."""
        if self.how_ended is None:
            seconds = f"{self.limits.farewell:g} seconds"
            return NoLineError("timeout", f"it did not end within {seconds}")
        return None if self.how_ended == CLEAN else NoLineError("crash", self.how_ended)

    def kill(self) -> None:
        """Kill the process and every child in its group, and free its resources."""
        if self._closed:
            return
        self._closed = True
        # The leader is not reaped yet, so no other group can have this number.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(_UNKILLABLE)
        if self._guard is not None:
            self._guard.dismiss()
        self.close()

    def _has_exited(self) -> bool:
        """Return whether the process has ended, without reaping it if the system allows that."""
        if hasattr(os, "waitid"):
            options = os.WEXITED | os.WNOHANG | os.WNOWAIT
            try:
                return os.waitid(os.P_PID, self.process.pid, options) is not None
            except ChildProcessError:  # SIGCHLD is ignored, so the process is already reaped
                return True
        return self.process.poll() is not None  # macOS before Python 3.13

    def _wait_for_exit(self, deadline: float) -> None:
        """Wait until the deadline for its end, and read its standard error."""
        while not self._has_exited() and not self._stop.is_set():
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                return
            if self.open:
                with contextlib.suppress(LineTooLongError):
                    self.turn(min(remaining, _TICK))
            else:
                time.sleep(min(remaining, _MOMENT))
        self.read_rest()

    def _last_words(self) -> str:
        """Return how it ended, and kill the rest of its group."""
        self._wait_for_exit(time.monotonic() + _LAST_WORDS)
        unfinished = self.unfinished
        self._note_end()
        how = self.how_ended or "it closed its standard output but did not end"
        return how + (f", in the middle of the line {unfinished}" if unfinished else "")

    def _note_end(self, last_line: bytes = b"") -> None:
        """Kill the group, and note how the process had ended before that.

        last_line: a line that it had to read before it ended; empty for none.
        """
        exited = self._has_exited()
        early = exited and last_line and last_line in self.unheard()
        self.kill()
        code = self.process.returncode
        ended = (
            f"it ended with exit code {code}"
            if code >= 0
            else f"it was ended by {signal_name(-code)}"
        )
        self.how_ended = ended + (" before it read bye" if early else "") if exited else None


def _limit_memory(pid: int, limit: int) -> None:
    """Limit the memory that a process and its later children can write, if the system can."""
    if limit and hasattr(resource, "prlimit"):  # Linux
        with contextlib.suppress(OSError, ValueError):  # it has ended, or has a lower limit
            resource.prlimit(pid, resource.RLIMIT_DATA, (limit, limit))


def signal_name(number: int) -> str:
    """Return the name of a signal, such as `SIGSEGV`."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _why_not_started(program: str, error: OSError | ValueError) -> str:
    """Return the reason in the user's words, and what to do if that is known.

    program: the first word of the command line. error: what starting it raised.
    """
    if not isinstance(error, OSError) or "\0" in program:
        return str(error)
    path, plain = Path(program), error.strerror or str(error)
    if isinstance(error, FileNotFoundError):
        if "/" in program:
            return "the interpreter in its first line does not exist" if path.exists() else plain
        here = f"; for the file in this folder, write ./{program}" if path.is_file() else ""
        return f"there is no program of this name{here or '; the suite starts CMD without a shell'}"
    if path.is_dir():
        return "it is a folder, not a program"
    if isinstance(error, PermissionError) and path.is_file():
        return "the file is not executable; name its interpreter first, or run chmod +x on it"
    if error.errno == errno.ENOEXEC:
        return "the file is not a program; name its interpreter first, such as python3 or node"
    return plain
