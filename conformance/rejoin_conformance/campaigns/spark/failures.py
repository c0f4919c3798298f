"""Every failure of Spark as one error of one line, whatever Spark was doing when Java ended.

The command `rejoin` owns its process, so it may change its globals to keep Spark quiet.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import traceback
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rejoin_conformance.kit.errors import ExpectedError, IncompleteError

_OF_SPARK: Final = ("py4j", "pyspark", "grpc")
_SAYS_NOTHING: Final = (
    "[INTERNAL_ERROR]",
    "An error has occurred",
    "Exception thrown in awaitResult",
    "[TASK_WRITE_FAILED]",
)
"""Parts of the messages of Java exceptions that only their causes explain."""

_ADVICE: Final = "; For more details see:"
"""Begins the part of Hadoop's messages that gives a link instead of a reason."""


class JobFailedError(IncompleteError):
    """A Spark job failed after all retries of its tasks, or Spark itself has ended."""


class JavaRefusedError(ExpectedError):
    """Java ended when it read its settings. The message is its own line."""


@contextmanager
def failures_in_one_line(what: str = "") -> Iterator[None]:
    """Raise JobFailedError for any exception that comes out of Spark's own modules in the block.

    Java can end at any moment, so any call to Spark can fail. Other exceptions are not changed.
    what: a name for the job, if there is one.
    """
    try:
        yield
    except Exception as error:
        if isinstance(error, ExpectedError) or not is_of_spark(error):
            raise
        on = f" on {what}" if what else ""
        raise JobFailedError(f"Spark failed{on}: {reason_of(error)}") from error


def is_of_spark(error: BaseException) -> bool:
    """Return whether an exception was raised in one of Spark's modules."""
    modules = (
        str(frame.f_globals.get("__name__", ""))
        for frame, _ in traceback.walk_tb(error.__traceback__)
    )
    return any(name.partition(".")[0] in _OF_SPARK for name in modules)


def reason_of(error: BaseException) -> str:
    """Return the reason of a Spark exception in one line."""
    if isinstance(error, (ConnectionError, EOFError)) or type(error).__name__ == "Py4JNetworkError":
        return f"its Java process has ended ({type(error).__name__})"
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    causes = [line for line in lines if "Exception: " in line or "Error: " in line]
    telling = (line for line in causes if not any(part in line for part in _SAYS_NOTHING))
    line = next(telling, next(iter([*causes, *lines]), type(error).__name__))
    return line.removeprefix("Caused by:").lstrip(": ").partition(_ADVICE)[0][:400]


def print_no_tracebacks() -> None:
    """Keep Spark's client from printing a traceback for each connection that it loses.

    It logs them to the root logger, and its server for accumulators prints them. Without a handler,
    the root logger would print them too.
    """
    from pyspark import accumulators  # noqa: PLC0415 - optional

    for name in ("AccumulatorTCPServer", "AccumulatorUnixServer"):
        server = getattr(accumulators, name, None)
        if server is not None:
            server.handle_error = lambda _self, _request, _address: None
    if not logging.getLogger().handlers:
        logging.getLogger().addHandler(logging.NullHandler())


@contextmanager
def quiet_start() -> Iterator[None]:
    """Keep the JVM that starts in the block from our terminal and pipes, which it inherits.

    The JVM ends after this process, and a reader of our output would wait for it. Raises
    JavaRefusedError if it ended at once and said why.
    """
    print_no_tracebacks()
    sys.stdout.flush()
    sys.stderr.flush()
    kept = {number: os.dup(number) for number in (1, 2)}
    quiet = os.open(os.devnull, os.O_WRONLY)
    reads, writes = os.pipe()
    said: deque[str] = deque(maxlen=100)
    lines = os.fdopen(reads, errors="replace")  # read as long as Java runs, which would wait
    reader = threading.Thread(target=said.extend, args=(lines,), daemon=True)
    reader.start()
    try:
        try:
            os.dup2(quiet, 1)
            os.dup2(writes, 2)
            yield
        finally:
            for number, copy in kept.items():
                os.dup2(copy, number)
                os.close(copy)
            os.close(quiet)
            os.close(writes)
    except Exception as error:
        if "[JAVA_GATEWAY_EXITED]" not in str(error):
            raise
        reader.join(timeout=5)
        for line in said:
            if any(word in line for word in ("Exception", "Error", "Invalid")):
                raise JavaRefusedError(line.split('"main" ')[-1].strip()) from error
        raise
