"""Run a command line: map each expected error to one line on standard error and an exit code."""

from __future__ import annotations

from contextlib import suppress

import click

from rejoin_conformance.command_line.commands import cli
from rejoin_conformance.command_line.console import INCOMPLETE, WRONG_USAGE


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
    except (click.Abort, KeyboardInterrupt):
        return _fail("interrupted", INCOMPLETE)
    except (BrokenPipeError, SystemExit):
        # click ends the process with SystemExit if the reader of the output has gone, as in
        # `| head`. The command is then incomplete, and has nobody to tell.
        return INCOMPLETE
    except Exception as error:  # noqa: BLE001 - an unexpected error is raised again
        from rejoin_conformance.command_line.expected import ending  # noqa: PLC0415 - slow

        message, code = ending(error, arguments)
        return _fail(message, code)
    return code if isinstance(code, int) else 0


def _command_path(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    return context.command_path if isinstance(context, click.Context) else "rejoin"


def _fail(message: str, code: int) -> int:
    with suppress(OSError):  # standard error may be closed or on a full disk
        click.echo(f"rejoin: {message}", err=True)
    return code
