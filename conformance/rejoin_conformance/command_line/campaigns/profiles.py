"""`rejoin profiles`: compare the coverage of the profiles of random histories."""

from __future__ import annotations

import click

from rejoin_conformance.campaigns.plan import DEFAULT_SEED
from rejoin_conformance.campaigns.profile_coverage import CoveragePlan, profile_coverage
from rejoin_conformance.campaigns.profile_coverage_text import render
from rejoin_conformance.command_line.campaigns.cluster import cluster_of, cluster_options
from rejoin_conformance.command_line.campaigns.spreading import spreading
from rejoin_conformance.command_line.console import (
    SYSTEM,
    chosen_profile,
    chosen_reading,
    print_json,
)
from rejoin_conformance.command_line.progress import progress_bar
from rejoin_conformance.contract.system import System


@click.command()
@click.argument("system", type=SYSTEM)
@click.option(
    "--profile",
    "profiles",
    multiple=True,
    help="Profile to measure; may be repeated.  [default: all]",
)
@click.option(
    "--histories",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Number of histories of each profile.",
)
@click.option(
    "--seed", type=int, default=DEFAULT_SEED, show_default=True, help="Seed of the campaign."
)
@click.option("--reading", help="Reading to run under.  [default: the system's default reading]")
@click.option("--all", "everything", is_flag=True, help="Also print the keys of all profiles.")
@click.option("--in-process", is_flag=True, help="Run in this process; needs no Spark and no Java.")
@cluster_options
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON instead of text.")
def profiles(
    system: System,
    profiles: tuple[str, ...],
    histories: int,
    seed: int,
    reading: str | None,
    master: str | None,
    remote: str | None,
    settings: tuple[tuple[str, str], ...],
    *,
    everything: bool,
    in_process: bool,
    as_json: bool,
) -> None:
    """Compare the coverage of the profiles of random histories.

    The command runs the same number of histories of each profile. Coverage means shapes, clauses
    decided and kinds of events. The tables list the coverage that `uniform` does not have, or has
    five times less often, in occurrences per 1,000 histories. For sizes, such as the number of
    heads, they list the largest. The profile `uniform` is the baseline: it draws events of any kind
    one by one, and does not aim at races or late merges. --json prints all counts, and the first
    history that covers each item.

    \b
    Examples:
      rejoin profiles config-merge
      rejoin profiles history-merge --profile racing --profile uniform --histories 200 --in-process

    \b
    Exit codes:
      0  done    2  wrong usage    3  interrupted, or no Spark
    """
    chosen = tuple(dict.fromkeys(chosen_profile(system, each) for each in profiles))
    plan = CoveragePlan(
        system=system.name,
        profiles=chosen or tuple(system.histories.profiles),
        reading=chosen_reading(system, reading),
        seed=seed,
        histories=histories,
    )
    cluster = cluster_of(master, remote, settings)
    with (
        progress_bar(f"profiles {system.name}", quiet=as_json) as progress,
        spreading(None if in_process else cluster, progress) as spread,
    ):
        report = profile_coverage(plan, spread)
    if as_json:
        print_json(report)
    else:
        click.echo(render(report, everything=everything))
