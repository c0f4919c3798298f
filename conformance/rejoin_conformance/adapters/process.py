"""One adapter process: lines in and lines out, robust against anything that the program does.

The process leads its own session, so that the suite can end it together with its children. Its
pipes never block the suite: requests that it does not read wait here, its output is read up to a
limit, and only the end of its standard error is kept.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import threading
import time
from typing import IO, Final

from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.kit.guard import Guard
from rejoin_conformance.kit.untrusted import shown_bytes, shown_line

_CHUNK: Final = 64 * 1024
_TICK: Final = 0.05
"""Seconds between two checks of the stop event and of the end of the process."""
_LAST_WORDS: Final = 1.0
"""Seconds that a process has to end by itself after it closes its output."""
_MOMENT: Final = 0.001
_UNKILLABLE: Final = 5.0
"""Seconds to wait for a process to end after SIGKILL."""
_LAST_TURNS: Final = 32
"""Chunks to read after a process has ended. There is a limit because a child may still write."""
_EXTRA_LINES: Final = 16


class NotStartedError(Exception):
    """The program cannot be started. The message is one line with the reason."""


class ProcessEndedError(Exception):
    """The process ended, or closed its output. The message states how."""


class LineTooLongError(Exception):
    """The process wrote a line that is longer than the limit."""


class StoppedError(Exception):
    """The run is being stopped, and no longer needs an answer."""


class AdapterProcess:
    """A running program. Its creator must call `end` or `kill`, which are idempotent.

    stop: when it is set, `receive` raises StoppedError.
    guarded: whether the program ends even if the suite itself is killed.
    """

    def __init__(
        self,
        command: tuple[str, ...],
        limits: Limits,
        stop: threading.Event | None = None,
        *,
        guarded: bool = False,
    ) -> None:
        self._limits = limits
        self._stop = stop or threading.Event()
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the user's own program, no shell
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise NotStartedError(f"{shown_line(command[0])}: {why}") from None
        self._guard: Guard | None = None
        self._stdin, self._stdout, self._stderr = (
            _descriptor(self._process.stdin),
            _descriptor(self._process.stdout),
            _descriptor(self._process.stderr),
        )
        self._selector = selectors.DefaultSelector()
        for descriptor in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(descriptor, False)
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._selector.register(self._stderr, selectors.EVENT_READ)
        self._unsent = bytearray()
        self._hearing = True
        self._talking = True
        self._partial = bytearray()
        self._errors = bytearray()
        self._closed = False
        if guarded:
            self._start_guard()

    @property
    def pid(self) -> int:
        """Return the process ID, which is also the ID of its group and session."""
        return self._process.pid

    @property
    def stderr(self) -> str:
        """Return the end of its standard error so far. This is untrusted text."""
        return self._errors.decode("utf-8", "backslashreplace")

    @property
    def unfinished(self) -> str:
        """Return the incomplete last line, safe to print; empty if there is none."""
        return shown_bytes(bytes(self._partial)) if self._partial else ""

    def send(self, data: bytes) -> None:
        """Write as much as the pipe accepts, and keep the rest for `receive`. Never blocks.

        Drops data for a process that has closed its input, because it will not answer.
        """
        if not self._hearing:
            return
        waiting = bool(self._unsent)
        self._unsent += data
        if not waiting:
            self._write()
            if self._unsent:
                self._selector.register(self._stdin, selectors.EVENT_WRITE)

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
            lines = self._turn(wait)
            if lines:
                return lines
            if not self._talking or (self._has_exited() and not self._readable()):
                raise ProcessEndedError(self._last_words())
            if time.monotonic() >= deadline:
                return []

    def end(self, last_line: bytes = b"") -> list[bytes]:
        """Send a last line, close the input, wait for the process to end, and kill its group.

        Returns the first few lines that it still wrote. A process that floods, hangs or crashes now
        is only killed.
        """
        lines: list[bytes] = []
        if not self._closed:
            self.send(last_line)
            deadline = time.monotonic() + self._limits.farewell
            with contextlib.suppress(LineTooLongError):
                while self._talking and time.monotonic() < deadline and not self._stop.is_set():
                    if not self._unsent:
                        self._close_input()
                    lines += self._turn(_TICK)
                    del lines[_EXTRA_LINES:]
                    if self._has_exited() and not self._readable():
                        break
            self._wait_for_exit(deadline)
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
        self._selector.close()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _start_guard(self) -> None:
        try:
            self._guard = Guard(self._process.pid)
        except OSError as error:
            self.kill()
            raise NotStartedError(f"cannot start its guard: /bin/sh: {error.strerror}") from None

    def _turn(self, wait: float) -> list[bytes]:
        """Wait for any pipe, serve the pipes that are ready, and return the complete lines."""
        lines: list[bytes] = []
        for key, _ in self._selector.select(wait):
            if key.fd == self._stdout:
                lines = self._read_lines()
            elif key.fd == self._stderr:
                self._read_errors()
            else:
                self._write()
                if not self._unsent:
                    self._selector.unregister(self._stdin)
        return lines

    def _write(self) -> None:
        try:
            written = os.write(self._stdin, self._unsent)
        except BlockingIOError:
            return
        except OSError:
            self._hearing = False
            self._unsent.clear()
            return
        del self._unsent[:written]

    def _read_lines(self) -> list[bytes]:
        chunk = _read(self._stdout)
        if chunk is None:
            return []
        if not chunk:
            self._talking = False
            self._selector.unregister(self._stdout)
            return []
        first, *rest = chunk.split(b"\n")
        self._partial += first
        if len(self._partial) > self._limits.longest_line:
            self._partial.clear()
            raise LineTooLongError
        if not rest:
            return []
        *middle, last = rest
        lines = [bytes(self._partial), *middle]
        self._partial = bytearray(last)
        return lines

    def _read_errors(self) -> None:
        chunk = _read(self._stderr)
        if chunk:
            self._errors += chunk
            del self._errors[: max(0, len(self._errors) - self._limits.stderr_kept)]
        elif chunk is not None:
            self._selector.unregister(self._stderr)

    def _readable(self) -> bool:
        """Return whether its output has more data. A child may keep an empty pipe open."""
        return any(key.fd == self._stdout for key, _ in self._selector.select(0))

    def _close_input(self) -> None:
        if self._hearing:
            self._hearing = False
            with contextlib.suppress(OSError):
                _pipe(self._process.stdin).close()

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
            if self._selector.get_map():
                with contextlib.suppress(LineTooLongError):
                    self._turn(min(remaining, _TICK))
            else:
                time.sleep(min(remaining, _MOMENT))
        for _ in range(_LAST_TURNS):
            if not self._selector.get_map() or not self._selector.select(0):
                return
            with contextlib.suppress(LineTooLongError):
                self._turn(0)

    def _last_words(self) -> str:
        """Return how it ended, and kill the rest of its group."""
        self._wait_for_exit(time.monotonic() + _LAST_WORDS)
        exited = self._has_exited()
        self.kill()
        if not exited:
            how = "it closed its standard output but did not end"
        elif self._process.returncode >= 0:
            how = f"it ended with exit code {self._process.returncode}"
        else:
            how = f"it was ended by {_signal_name(-self._process.returncode)}"
        return how + (f", in the middle of the line {self.unfinished}" if self._partial else "")


def _read(descriptor: int) -> bytes | None:
    """Return the data available now: None if there is none, empty at the end."""
    try:
        return os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None, "Popen was called with three pipes"
    return pipe


def _descriptor(pipe: IO[bytes] | None) -> int:
    return _pipe(pipe).fileno()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
