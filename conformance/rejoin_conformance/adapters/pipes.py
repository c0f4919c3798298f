"""The three pipes of an adapter's process. They never block the suite.

Requests that the process does not read wait here. Its output is read up to a limit, and only the
end of its standard error is kept.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import subprocess
from itertools import takewhile
from typing import IO, Final

from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.kit.text import shown_bytes

_CHUNK: Final = 64 * 1024
_LAST_TURNS: Final = 32
"""Chunks to read after a process has ended. There is a limit because a child may still write."""


class LineTooLongError(Exception):
    """The process wrote a line that is longer than the limit."""


class Pipes:
    """The three pipes of a new process.

    The suite also keeps the end of the input that the process reads. When the process has ended,
    it shows what the process has not read.

    hearing: whether the input is still open. talking: whether the process may still write.
    """

    def __init__(self, command: tuple[str, ...], limits: Limits) -> None:
        """Start a process that leads its own session. Raises OSError and ValueError."""
        self.hearing = True
        self.talking = True
        self.limits = limits
        unheard, self._stdin = os.pipe()
        self._pipes: list[IO[bytes]] = [os.fdopen(unheard, "rb"), os.fdopen(self._stdin, "wb")]
        try:
            self.process = subprocess.Popen(  # noqa: S603 - the user's own program, no shell
                command,
                stdin=unheard,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except BaseException:
            self._close_pipes()
            raise
        self._pipes += map(_pipe, (self.process.stdout, self.process.stderr))
        self._unheard, _, self._stdout, self._stderr = (each.fileno() for each in self._pipes)
        self._selector = selectors.DefaultSelector()
        for descriptor in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(descriptor, False)
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._selector.register(self._stderr, selectors.EVENT_READ)
        self._reading_errors = True
        self._unsent = bytearray()
        self._partial = bytearray()
        self._errors = bytearray()
        self._errors_read = 0

    @property
    def partial(self) -> bytes:
        """Return the incomplete last line; empty if there is none."""
        return bytes(self._partial)

    @property
    def unfinished(self) -> str:
        """Return the incomplete last line, safe to print; empty if there is none."""
        return shown_bytes(bytes(self._partial)) if self._partial else ""

    @property
    def open(self) -> bool:
        """Return whether `turn` can still wait for a pipe."""
        return bool(self._selector.get_map())

    def send(self, data: bytes) -> None:
        """Write as much as the pipe accepts, and keep the rest for `turn`."""
        if not self.hearing:
            return
        waiting = bool(self._unsent)
        self._unsent += data
        if not waiting:
            self._write()
            if self._unsent:
                self._selector.register(self._stdin, selectors.EVENT_WRITE)

    def turn(self, wait: float) -> list[bytes]:
        """Wait for any pipe, serve the pipes that are ready, and return the complete lines.

        wait: the maximum time in seconds. Raises LineTooLongError.
        """
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

    def readable(self) -> bool:
        """Return whether its output has more data. A child may keep an empty pipe open."""
        return any(key.fd == self._stdout for key, _ in self._selector.select(0))

    def read_rest(self) -> None:
        """Read the data that an ended process has left, and drop its lines."""
        for _ in range(_LAST_TURNS):
            if not self.open or not self._selector.select(0):
                return
            with contextlib.suppress(LineTooLongError):
                self.turn(0)

    def unheard(self) -> bytes:
        """Return all that was sent and that an ended process has not read."""
        os.set_blocking(self._unheard, False)  # not before: the process shares this setting
        chunks = iter(lambda: _read(self._unheard), None)
        return b"".join(takewhile(bool, chunks)) + self._unsent

    def stderr_mark(self) -> int:
        """Return the number of bytes of standard error so far."""
        if self._reading_errors:
            self._read_errors()
        return self._errors_read

    def stderr(self, since: int = 0) -> str:
        """Return the end of its standard error after a mark. This is untrusted text."""
        kept = self._errors[max(0, len(self._errors) - (self.stderr_mark() - since)) :]
        return kept.decode("utf-8", "backslashreplace")

    def close_input(self) -> None:
        """Close the input of the process."""
        if self.hearing:
            self.hearing = False
            with contextlib.suppress(OSError):
                self._pipes[1].close()

    def close(self) -> None:
        """Close all pipes."""
        self._reading_errors = False
        self._selector.close()
        self._close_pipes()

    def _close_pipes(self) -> None:
        for pipe in self._pipes:
            with contextlib.suppress(OSError):
                pipe.close()

    def _write(self) -> None:
        try:
            written = os.write(self._stdin, self._unsent)
        except BlockingIOError:
            return
        del self._unsent[:written]

    def _read_lines(self) -> list[bytes]:
        chunk = _read(self._stdout)
        if chunk is None:
            return []
        if not chunk:
            self.talking = False
            self._selector.unregister(self._stdout)
            return []
        first, *rest = chunk.split(b"\n")
        self._partial += first
        if len(self._partial) > self.limits.longest_line:
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
            self._errors_read += len(chunk)
            del self._errors[: max(0, len(self._errors) - self.limits.stderr_kept)]
        elif chunk is not None:
            self._reading_errors = False
            self._selector.unregister(self._stderr)


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
