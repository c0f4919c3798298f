"""`rejoin compare`: the same histories under two readings, or a reading and a changed rule."""

from __future__ import annotations

import click

from rejoin_conformance.campaigns.comparing.compare import compare as compared
from rejoin_conformance.campaigns.comparing.comparison import Comparison
from rejoin_conformance.campaigns.comparing.render import render
from rejoin_conformance.campaigns.plan import DEFAULT_SEED
from rejoin_conformance.command_line.campaigns.cluster import cluster_of, cluster_options
from rejoin_conformance.command_line.campaigns.reading_options import chosen_side
from rejoin_conformance.command_line.campaigns.spreading import spreading
from rejoin_conformance.command_line.console import SYSTEM, chosen_profile, print_json, progress_bar
from rejoin_conformance.contract.system import System
from rejoin_conformance.readings.in_force import between
from rejoin_conformance.readings.rule_file import RuleError


@click.command()
@click.argument("system", type=SYSTEM)
@click.option("--a", "given_a", metavar="READING", help="The side to start from.  [default]")
@click.option("--b", "given_b", metavar="READING", required=True, help="The other side.")
@click.option(
    "--histories",
    type=click.IntRange(min=1),
    default=2000,
    show_default=True,
    help="How many histories.",
)
@click.option("--seed", type=int, default=DEFAULT_SEED, show_default=True, help="Campaign seed.")
@click.option("--profile", default="default", show_default=True, help="What they are like.")
@click.option("--no-stories", is_flag=True, help="Only the tables: nothing is shrunk or told.")
@click.option("--in-process", is_flag=True, help="Without Spark, one history after another.")
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
    in_process: bool,
    as_json: bool,
) -> None:
    """Run the same histories under two readings, and say how often results differ and why.

    A READING is the name of one (document), a name with choice points switched
    (document+replay_cutoff=false), or a rule file (rule.py): Python that defines READING, or
    OVERRIDES of functions of the reference, or both. A rule file is run, so it must be yours.

    Results are what somebody can observe after the same events, in these aspects: held (the data,
    members or files that each party has), decided (what each step came to: merged, ignored,
    refused, classified) and stored (what was put where others see it). Caches, and what the laws
    say, are no results.

    Each choice point in which the two differ is also switched alone: a with only this one of b.
    "only together" counts histories that differ although no choice point alone shows it; "cancelled
    out" those that do not differ, although one alone would. For each choice point that made a
    difference, a history that shows it is made as small as it gets, and told. The result depends
    on nothing but the readings, profile, seed and number of histories.

    \b
    Examples:
      rejoin compare config-merge --b libsession
      rejoin compare config-merge --b document+replay_cutoff=false --profile partitioned
      rejoin compare conflict-detection --a repaired --b literal --histories 20000
      rejoin compare history-merge --b my_rule.py --in-process --histories 200

    \b
    Exit codes:
      0  done, whatever differs    2  wrong usage, or a broken rule file
      3  interrupted, or no Spark
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
        report = compared(comparison, spread_work, shrink=not no_stories)
    if as_json:
        print_json(report)
    else:
        click.echo(render(report, system, stories=not no_stories))
