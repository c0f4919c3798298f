"""The entry point of `rejoin`: the group of subcommands, and how errors reach the user."""

from __future__ import annotations

import sys

import click

import rejoin
from rejoin_conformance.campaigns.directory.store import BusyError, FailedWriteError, StoreError
from rejoin_conformance.campaigns.spark.session import JobFailedError, NoSparkError
from rejoin_conformance.command_line.adapters.diff import diff
from rejoin_conformance.command_line.adapters.doctor import doctor
from rejoin_conformance.command_line.adapters.init import init
from rejoin_conformance.command_line.adapters.report import report
from rejoin_conformance.command_line.adapters.run import run as run_adapter
from rejoin_conformance.command_line.adapters.serve import serve
from rejoin_conformance.command_line.campaigns.campaign import campaign
from rejoin_conformance.command_line.campaigns.compare import compare
from rejoin_conformance.command_line.campaigns.distil import distil
from rejoin_conformance.command_line.campaigns.exhaust import exhaust
from rejoin_conformance.command_line.campaigns.fuzz import fuzz
from rejoin_conformance.command_line.campaigns.profiles import profiles
from rejoin_conformance.command_line.campaigns.replay import replay
from rejoin_conformance.command_line.campaigns.shrink import shrink
from rejoin_conformance.command_line.console import INCOMPLETE, WRONG_USAGE
from rejoin_conformance.command_line.corpus.trace import trace
from rejoin_conformance.command_line.corpus.vectors import vectors
from rejoin_conformance.command_line.corpus.verify import verify
from rejoin_conformance.command_line.model_checking.model import model
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.corpus.faults import CorpusError
from rejoin_conformance.kit.java import NoJavaError
from rejoin_conformance.model_checking.tlc import NoTlcError, TlcFailedError


class _Root(click.Group):
    """The group of all commands; its help ends with the systems that there are."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Systems"):
            formatter.write_dl([(system.name, system.title) for system in all_systems()])


@click.group(
    cls=_Root,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(rejoin.__version__, prog_name="rejoin")
def cli() -> None:
    """Conformance kit for three protocols in which concurrent histories fork and rejoin.

    A SYSTEM is one of the protocols, listed at the end.

    \b
    First steps:
      rejoin verify                          the corpus against the reference
      rejoin init --lang rust --dir DIR      an adapter to begin with
      rejoin doctor --adapter 'CMD'          does your adapter speak the protocol?
      rejoin run --adapter 'CMD'             the corpus against your implementation
      rejoin report RESULTS --html FILE      what came of it, as a page
      rejoin vectors list config-merge       what the corpus holds
      rejoin fuzz config-merge               random histories against the laws
      rejoin campaign status DIR             how a kept campaign stands; report: as a page
      rejoin replay config-merge --index 7   one of them, told and drawn
      rejoin shrink DIR                      what a kept campaign found, as small as it gets
      rejoin distil SYSTEM                   few histories that reach what many do
      rejoin compare SYSTEM --b READING      what a changed rule would change
      rejoin model check                     the formal models, by TLC
      rejoin trace                           clause -> functions -> vectors -> laws

    \b
    Exit codes:
      0  conformant, or done        3  incomplete (interrupted, no Java, no Spark)
      1  not conformant             4  the adapter cannot be used
      2  wrong usage, broken file
    """


for command in (
    verify,
    run_adapter,
    init,
    doctor,
    report,
    diff,
    vectors,
    fuzz,
    campaign,
    replay,
    shrink,
    distil,
    compare,
    profiles,
    exhaust,
    model,
    trace,
    serve,
):
    cli.add_command(command)

for command in (shrink, distil):  # they take a campaign's directory, and are looked for there too
    campaign.add_command(command)


def main() -> None:
    """Run the command line; every foreseen error is one line on standard error."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run the command line on arguments and return its exit code."""
    try:
        code = cli.main(arguments, prog_name="rejoin", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return WRONG_USAGE
    except click.ClickException as error:
        command = _command_path(error)
        hint = f" (see '{command} --help')" if isinstance(error, click.UsageError) else ""
        return _say(f"{error.format_message()}{hint}", WRONG_USAGE)
    except CorpusError as error:
        return _say(str(error), WRONG_USAGE)
    except (NoJavaError, NoSparkError, JobFailedError, BusyError, FailedWriteError) as error:
        return _say(str(error), INCOMPLETE)
    except (NoTlcError, TlcFailedError) as error:
        return _say(str(error), INCOMPLETE)
    except StoreError as error:
        return _say(str(error), WRONG_USAGE)
    except (click.Abort, KeyboardInterrupt):
        return _say("interrupted", INCOMPLETE)
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    return code if isinstance(code, int) else 0


def _command_path(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    return context.command_path if isinstance(context, click.Context) else "rejoin"


def _say(message: str, code: int) -> int:
    click.echo(f"rejoin: {message}", err=True)
    return code
