"""The entry point of `rejoin`.

It imports the commands when it runs, because that takes half a second, and Ctrl-C must end the
command then as at any other time: with one line and exit code 3.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

_INCOMPLETE: Final = 3
_AGAIN: Final = 0.05
"""Seconds after which Ctrl-C comes again."""


def main() -> None:
    """Run the command line. Print each expected error as one line on standard error."""
    open_standard_streams()
    let_interruptions_through()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # not every terminal can show every character
            stream.reconfigure(errors="backslashreplace")
    code = run(sys.argv[1:])
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError as error:
            if stream is sys.stdout:
                if code != _INCOMPLETE and not isinstance(error, BrokenPipeError):  # not yet said
                    _say(f"cannot write the output: {error.strerror}")
                code = code or _INCOMPLETE
            with suppress(OSError):  # the interpreter flushes once more when it ends
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    if code == _INCOMPLETE:
        # What is kept is written. A thread that a library has just begun can abort an exit.
        os._exit(code)
    sys.exit(code)


def open_standard_streams() -> None:
    """Connect each standard stream that the caller closed to the null device.

    Otherwise Python has no such stream, and the next file that opens gets its number.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - stays open
            os.set_inheritable(stream.fileno(), True)  # noqa: FBT003 - it takes no name
            setattr(sys, name, stream)


def let_interruptions_through() -> None:
    """Send Ctrl-C again if Python swallows it, as it does in a finaliser and while it forks."""
    report = sys.unraisablehook

    def hook(swallowed: sys.UnraisableHookArgs) -> None:
        if issubclass(swallowed.exc_type, KeyboardInterrupt):
            threading.Timer(_AGAIN, os.kill, (os.getpid(), signal.SIGINT)).start()
        else:
            report(swallowed)

    sys.unraisablehook = hook


def run(arguments: list[str]) -> int:
    """Run the command line on arguments and return its exit code."""
    try:
        # A module in Rust panics if Ctrl-C arrives while it is imported, so Ctrl-C waits.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            from rejoin_conformance.command_line.commands import dispatch  # noqa: PLC0415 - above
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return dispatch(arguments)
    except KeyboardInterrupt:
        _say("interrupted")
        return _INCOMPLETE


def _say(message: str) -> None:
    with suppress(OSError):
        print(f"rejoin: {message}", file=sys.stderr)  # noqa: T201 - click may not be imported yet


if __name__ == "__main__":
    main()
