"""`rejoin compare`: run the same histories under two readings, or a reading and a rule file."""

from __future__ import annotations

from typing import Any

import click

from rejoin_conformance.campaigns.comparing.compare import compare as compared
from rejoin_conformance.campaigns.comparing.comparison import Comparison
from rejoin_conformance.campaigns.comparing.render import render
from rejoin_conformance.campaigns.plan import DEFAULT_SEED
from rejoin_conformance.command_line.campaigns.cluster import cluster_of, cluster_options
from rejoin_conformance.command_line.campaigns.reading_options import chosen_side
from rejoin_conformance.command_line.campaigns.spreading import spreading
from rejoin_conformance.command_line.campaigns.untried import end_if_untried
from rejoin_conformance.command_line.console import SYSTEM, chosen_profile, print_json
from rejoin_conformance.command_line.progress import progress_bar
from rejoin_conformance.contract.system import System
from rejoin_conformance.readings.in_force import between
from rejoin_conformance.readings.reach import Reach
from rejoin_conformance.readings.rule_file import RuleError


@click.command()
@click.argument("system", type=SYSTEM)
@click.option(
    "--a",
    "given_a",
    metavar="READING",
    help="Reading or rule file to start from.  [default: the system's default reading]",
)
@click.option(
    "--b", "given_b", metavar="READING", required=True, help="Reading or rule file to compare with."
)
@click.option(
    "--histories",
    type=click.IntRange(min=1),
    default=2000,
    show_default=True,
    help="Number of histories.",
)
@click.option(
    "--seed", type=int, default=DEFAULT_SEED, show_default=True, help="Seed of the campaign."
)
@click.option("--profile", default="default", show_default=True, help="Profile of the histories.")
@click.option("--no-stories", is_flag=True, help="Print only the tables; shrink no example.")
@click.option(
    "--no-samples",
    is_flag=True,
    help="Do not search for histories to which a hardly reached choice could matter.",
)
@click.option("--in-process", is_flag=True, help="Run in this process; needs no Spark and no Java.")
@cluster_options
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON instead of text.")
def compare(
    system: System,
    given_a: str | None,
    given_b: str,
    histories: int,
    seed: int,
    profile: str,
    master: str | None,
    remote: str | None,
    settings: tuple[tuple[str, str], ...],
    *,
    no_stories: bool,
    no_samples: bool,
    in_process: bool,
    as_json: bool,
) -> None:
    """Compare the results of two readings on the same histories.

    A READING is a name (document), a name with some choice points switched
    (document+replay_cutoff=false), or a rule file (rule.py). A rule file is Python code that
    defines READING, or OVERRIDES of functions of the reference, or both. The command runs this
    code, so use only rule files that you trust.

    The command compares three aspects of the observable results: held (the data, members or files
    that each party has), decided (the result of each step: merged, ignored, refused or classified)
    and stored (the data that others can fetch). Caches and law verdicts are not compared.

    For each choice point and overridden function, the command prints in how many histories it was
    consulted, and in how many it could matter: a function that depends on it answered differently
    from what it answers without the change. If these are fewer than 1 % of the histories, the
    command says that they hardly reach it, and searches all profiles for histories that do
    (unless you give --no-samples).

    If the readings differ in several choice points, the command also switches each one alone: it
    runs a with only this choice of b. "only together" counts histories that differ although no
    single choice point makes a difference. "cancelled out" counts histories that do not differ
    although a single choice point does. For each choice point that makes a difference, the command
    shrinks one history and prints its events. The result depends only on the readings, profile,
    seed and number of histories.

    For config merge, the command also prints what the histories cost on each side: bytes per
    message, messages that are ignored as stale, and lost edits. The window N is a choice point:
    document+window=7 replaces the N of every history.

    \b
    Examples:
      rejoin compare config-merge --b libsession
      rejoin compare config-merge --b document+replay_cutoff=false --profile partitioned
      rejoin compare config-merge --a document+window=5 --b document+window=2
      rejoin compare conflict-detection --a repaired --b literal --histories 20000
      rejoin compare history-merge --b my_rule.py --in-process --histories 200

    \b
    Exit codes:
      0  done, with or without differences    2  wrong usage, or a rule file with a fault
      3  interrupted, no Spark, or an overridden function was not called
    """
    comparison = Comparison(
        system=system.name,
        a=chosen_side(system, given_a or system.default_reading),
        b=chosen_side(system, given_b),
        profile=chosen_profile(system, profile),
        seed=seed,
        histories=histories,
    )
    try:
        sides = between(comparison.a, comparison.b, system)
    except RuleError as error:
        raise click.UsageError(str(error)) from None
    if not sides.points:
        raise click.UsageError(f"{comparison.a.name} and {comparison.b.name} are the same reading")
    cluster = cluster_of(master, remote, settings)
    title = f"compare {system.name}"
    with (
        progress_bar(title, quiet=as_json) as progress,
        spreading(None if in_process else cluster, progress) as spread_work,
    ):
        report = compared(comparison, spread_work, shrink=not no_stories, sample=not no_samples)
    if as_json:
        print_json(report)
    else:
        click.echo(render(report, system, stories=not no_stories))
    rows: Any = report["points"]
    untried = [row["point"] for row in rows if row["overridden"] and not row["consulted"]]
    for side, one in ((comparison.b, sides.b), (comparison.a, sides.a)):
        here = {point: Reach() for point in untried if point in one.overrides}
        if here:
            end_if_untried(here, side, system)
