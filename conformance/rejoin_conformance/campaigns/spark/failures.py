"""Every failure of Spark as one error of one line, whatever Spark was doing when Java ended."""

from __future__ import annotations

import traceback
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
