"""All commands of `rejoin`, as its help groups them."""

from __future__ import annotations

from typing import Final

import click

import rejoin
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
from rejoin_conformance.command_line.campaigns.mutants import mutants
from rejoin_conformance.command_line.campaigns.profiles import profiles
from rejoin_conformance.command_line.campaigns.replay import replay
from rejoin_conformance.command_line.campaigns.shrink import shrink
from rejoin_conformance.command_line.corpus.show import show
from rejoin_conformance.command_line.corpus.trace import trace
from rejoin_conformance.command_line.corpus.vectors import vectors
from rejoin_conformance.command_line.corpus.verify import verify
from rejoin_conformance.command_line.model_checking.model import model
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.corpus.version import CORPUS_VERSION

SECTIONS: Final = (
    ("Check an implementation", (init, doctor, run_adapter, report, diff, serve)),
    ("Corpus", (show, verify, vectors, mutants)),
    ("Campaigns", (fuzz, campaign, replay, shrink, distil, profiles)),
    ("Spec authors", (trace, compare, exhaust)),
    ("Formal models", (model,)),
)
"""The commands as `rejoin --help` groups them."""


class _Root(click.Group):
    """The group of all commands. Its help lists them by section and ends with the systems."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        for title, commands in SECTIONS:
            with formatter.section(title):
                formatter.write_dl([(str(each.name), summary_of(each)) for each in commands])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Systems"):
            formatter.write_dl([(system.name, system.summary) for system in all_systems()])


def summary_of(command: click.Command) -> str:
    """Return the first line of a command's help, without its full stop."""
    return (command.help or "").strip().partition("\n")[0].removesuffix(".")


@click.group(
    cls=_Root,
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
      rejoin init --lang rust --dir my-adapter
      rejoin run --adapter './my-adapter/target/release/adapter'
      rejoin fuzz config-merge --histories 200

    \b
    Exit codes:
      0  conformant, or done            3  incomplete: interrupted, no Java or no Spark
      1  not conformant                 4  the adapter cannot be used
      2  wrong usage, or corrupt file
    """


for _, commands in SECTIONS:
    for command in commands:
        cli.add_command(command)

for command in (shrink, distil):  # both take a campaign's directory, so users look for them there
    campaign.add_command(command)
