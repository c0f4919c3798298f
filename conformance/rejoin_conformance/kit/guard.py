"""A guard outlives a killed suite: it ends the process group of a program that nobody ends.

A worker of Spark may be killed at any moment, and an adapter need not notice the end of its input;
nor does TLC notice that nobody waits for what it finds. So a small process in a session of its own
waits at a pipe that only the suite's process holds: a word on it says that all is well, its end
without that word says that the process is gone.
"""

from __future__ import annotations

import contextlib
import subprocess
from typing import Final

_WAIT: Final = 'read -r word; [ "$word" = ended ] || kill -s KILL -- "-$1"'


class Guard:
    """Watches over one process group from now until `dismiss`."""

    def __init__(self, group: int) -> None:
        """Raises OSError where there is no shell to watch."""
        self._process = subprocess.Popen(  # noqa: S603 - nothing in it comes from outside
            ["/bin/sh", "-c", _WAIT, "guard", str(group)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def dismiss(self) -> None:
        """Say that the group has ended; to be called at once, before its number is another's."""
        pipe = self._process.stdin
        assert pipe is not None, "it was asked for"
        with contextlib.suppress(OSError):
            pipe.write(b"ended\n")
        with contextlib.suppress(OSError):
            pipe.close()
        self._process.wait()
