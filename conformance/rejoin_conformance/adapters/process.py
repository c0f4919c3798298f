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
from typing import Final

from rejoin_conformance.adapters.limits import GIB, Limits
from rejoin_conformance.adapters.pipes import LineTooLongError, Pipes
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


class NotStartedError(Exception):
    """The program cannot be started. The message is one line with the reason."""


class ProcessEndedError(Exception):
    """The process ended, or closed its output. The message states how."""


class StoppedError(Exception):
    """The run is being stopped, and no longer needs an answer."""


class AdapterProcess:
    """A running program. Its creator must call `end` or `kill`, which are idempotent.

    stop: when it is set, `receive` raises StoppedError.
    how_ended: how the process ended, once it has; None if it had to be killed, empty before.
    """

    how_ended: str | None

    def __init__(
        self, command: tuple[str, ...], limits: Limits, stop: threading.Event | None = None
    ) -> None:
        self._limits = limits
        self._stop = stop or threading.Event()
        try:
            self._pipes = Pipes(command, limits)
        except (OSError, ValueError) as error:
            why = _why_not_started(command[0], error)
            raise NotStartedError(f"{shown_line(command[0])}: {why}") from None
        self._process = self._pipes.process
        self._closed = False
        self.how_ended = ""
        self._guard: Guard | None = None
        try:
            self._guard = Guard(self._process.pid)
        except OSError as error:
            self.kill()
            raise NotStartedError(f"cannot start its guard: /bin/sh: {error.strerror}") from None
        _limit_memory(self._process.pid, limits.memory * GIB)

    @property
    def pid(self) -> int:
        """Return the process ID, which is also the ID of its group and session."""
        return self._process.pid

    @property
    def stderr(self) -> str:
        """Return the end of its standard error so far. This is untrusted text."""
        return self._pipes.stderr()

    def stderr_mark(self) -> int:
        """Return the number of bytes of standard error so far, for `stderr_since`."""
        return self._pipes.stderr_mark()

    def stderr_since(self, mark: int) -> str:
        """Return the end of its standard error after a mark. This is untrusted text."""
        return self._pipes.stderr(mark)

    @property
    def unfinished(self) -> str:
        """Return the incomplete last line, safe to print; empty if there is none."""
        return self._pipes.unfinished

    def send(self, data: bytes) -> None:
        """Write as much as the pipe accepts, and keep the rest for `receive`. Never blocks."""
        self._pipes.send(data)

    def receive(self, seconds: float) -> list[bytes]:
        """Return the lines that are complete within this time, without line feeds; may be empty.

        Raises LineTooLongError and StoppedError. Raises ProcessEndedError after all complete lines
        have been returned.
        """
        deadline = time.monotonic() + seconds
        while True:
            if self._stop.is_set():
                raise StoppedError
            wait = max(0.0, min(_TICK, deadline - time.monotonic()))
            lines = self._pipes.turn(wait)
            if lines:
                return lines
            if not self._pipes.talking or (self._has_exited() and not self._pipes.readable()):
                raise ProcessEndedError(self._last_words())
            if time.monotonic() >= deadline:
                return []

    def early(self) -> list[bytes]:
        """Return the lines that are there now, and an incomplete one. Raises LineTooLongError."""
        lines = self._pipes.turn(0)
        return [*lines, *filter(None, [self._pipes.partial])]

    def end(self, last_line: bytes = b"") -> list[bytes]:
        """Send a last line, close the input, wait for the process to end, and kill its group.

        Returns the first few lines that it still wrote, and a line without a line feed. A process
        that hangs or crashes now is only killed. `how_ended` also says whether the process ended
        without the last line.
        """
        lines: list[bytes] = []
        pipes = self._pipes
        if not self._closed:
            self.send(last_line)
            deadline = time.monotonic() + self._limits.farewell
            try:
                while pipes.talking and time.monotonic() < deadline and not self._stop.is_set():
                    if not pipes.unsent:
                        pipes.close_input()
                    lines += pipes.turn(_TICK)
                    del lines[_EXTRA_LINES:]
                    if self._has_exited() and not pipes.readable():
                        break
            except LineTooLongError:
                lines.append(b"a line that is too long")
            self._wait_for_exit(deadline)
            if pipes.partial:
                lines.append(pipes.partial)
            self._note_end(last_line)
        self.kill()
        return lines

    def kill(self) -> None:
        """Kill the process and every child in its group, and free its resources."""
        if self._closed:
            return
        self._closed = True
        # The leader is not reaped yet, so no other group can have this number.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_UNKILLABLE)
        if self._guard is not None:
            self._guard.dismiss()
        self._pipes.close()

    def _has_exited(self) -> bool:
        """Return whether the process has ended, without reaping it if the system allows that."""
        if hasattr(os, "waitid"):
            options = os.WEXITED | os.WNOHANG | os.WNOWAIT
            try:
                return os.waitid(os.P_PID, self._process.pid, options) is not None
            except ChildProcessError:  # SIGCHLD is ignored, so the process is already reaped
                return True
        return self._process.poll() is not None  # macOS before Python 3.13

    def _wait_for_exit(self, deadline: float) -> None:
        """Wait until the deadline for its end, and read its standard error."""
        while not self._has_exited() and not self._stop.is_set():
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                return
            if self._pipes.open:
                with contextlib.suppress(LineTooLongError):
                    self._pipes.turn(min(remaining, _TICK))
            else:
                time.sleep(min(remaining, _MOMENT))
        self._pipes.read_rest()

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
        early = exited and last_line and last_line in self._pipes.unheard()
        self.kill()
        code = self._process.returncode
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
