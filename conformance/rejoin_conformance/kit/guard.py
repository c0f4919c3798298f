"""End the process group of an adapter or of TLC after the suite's own process was killed.

A Spark worker can be killed at any moment. An adapter may not notice the end of its input, and TLC
does not notice that nobody reads its results. A guard is a small process in its own session that
reads a pipe held only by the suite's process. If the pipe ends without the word `ended`, the
suite's process is gone, and the guard kills the group.
"""

from __future__ import annotations

import contextlib
import subprocess
from typing import Final

_WAIT: Final = 'read -r word; [ "$word" = ended ] || kill -s KILL -- "-$1"'


class Guard:
    """A guard of one process group, from now until `dismiss`."""

    def __init__(self, group: int) -> None:
        """Start the guard. Raises OSError if there is no shell to run it."""
        self._process = subprocess.Popen(  # noqa: S603 - all arguments are our own
            ["/bin/sh", "-c", _WAIT, "guard", str(group)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def dismiss(self) -> None:
        """End the guard. Call this as soon as the group has ended, before its number is reused."""
        pipe = self._process.stdin
        assert pipe is not None, "Popen was called with stdin=PIPE"
        with contextlib.suppress(OSError):
            pipe.write(b"ended\n")
        with contextlib.suppress(OSError):
            pipe.close()
        self._process.wait()
