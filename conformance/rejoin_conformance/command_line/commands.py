"""All commands of `rejoin`, as its help groups them."""

from __future__ import annotations

from typing import Final

import click
from attrs import frozen

import rejoin
from rejoin_conformance.command_line.lazy_group import LazyGroup
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.corpus.version import CORPUS_VERSION


@frozen
class Listed:
    """A command in the help of `rejoin`: its name, its module, and the first line of its help."""

    name: str
    module: str
    summary: str


SECTIONS: Final = (
    (
        "Check an implementation",
        (
            Listed(
                "init", "adapters.init", "Write a small working adapter with one place to fill in"
            ),
            Listed(
                "doctor",
                "adapters.doctor",
                "Check step by step whether an adapter speaks the protocol",
            ),
            Listed("run", "adapters.run", "Run the test vectors against an adapter"),
            Listed(
                "report",
                "adapters.report",
                "Turn results into HTML, JUnit XML, Markdown or a badge",
            ),
            Listed("diff", "adapters.diff", "Compare two result files vector by vector"),
            Listed("serve", "adapters.serve", "Run the reference implementation as an adapter"),
        ),
    ),
    (
        "Corpus",
        (
            Listed("show", "corpus.show", "Show a vector, a history or an example, step by step"),
            Listed("verify", "corpus.verify", "Check the reference against the test vectors"),
            Listed(
                "vectors",
                "corpus.vectors",
                "List, show, compare, add, generate or check test vectors",
            ),
            Listed(
                "mutants",
                "campaigns.mutants",
                "Check that the vectors notice changes of the reference",
            ),
        ),
    ),
    (
        "Campaigns",
        (
            Listed("fuzz", "campaigns.fuzz", "Check laws, or an adapter, on random histories"),
            Listed(
                "campaign",
                "campaigns.campaign",
                "Inspect the campaigns of `rejoin fuzz --directory`",
            ),
            Listed(
                "replay",
                "campaigns.replay",
                "Reproduce one history of a campaign, or a file of vectors",
            ),
            Listed(
                "shrink",
                "campaigns.shrink",
                "Shrink the failures of a campaign to minimal histories",
            ),
            Listed(
                "profiles",
                "campaigns.profiles",
                "Compare the coverage of the profiles of random histories",
            ),
        ),
    ),
    (
        "Spec authors",
        (
            Listed("trace", "corpus.trace", "Trace clauses to functions, vectors, laws and proofs"),
            Listed(
                "compare",
                "campaigns.compare",
                "Compare the results of two readings on the same histories",
            ),
            Listed("exhaust", "campaigns.exhaust", "Check every history up to a given size"),
        ),
    ),
    (
        "Formal models",
        (
            Listed(
                "model",
                "model_checking.model",
                "Check the formal models, and compare the code with them",
            ),
        ),
    ),
)
"""The commands as `rejoin --help` groups them."""


class _Root(LazyGroup):
    """The group of all commands. Its help lists them by section and ends with the systems."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        for title, commands in SECTIONS:
            with formatter.section(title):
                formatter.write_dl([(each.name, each.summary) for each in commands])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Systems"):
            formatter.write_dl([(system.name, system.summary) for system in all_systems()])


def summary_of(command: click.Command) -> str:
    """Return the first line of a command's help, without its full stop."""
    return (command.help or "").strip().partition("\n")[0].removesuffix(".")


@click.group(
    cls=_Root,
    elsewhere={each.name: each.module for _, commands in SECTIONS for each in commands},
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
