"""`rejoin profiles`: what each profile of random histories reaches, and how often."""

from __future__ import annotations

from typing import Any

import click

from rejoin_conformance.command_line.cluster import cluster_of, cluster_options
from rejoin_conformance.command_line.console import (
    SYSTEM,
    chosen_reading,
    print_json,
    progress_bar,
)
from rejoin_conformance.command_line.fuzz import DEFAULT_SEED, chosen_profile
from rejoin_conformance.command_line.spreading import spreading
from rejoin_conformance.reach import UNIFORM, ReachPlan, reached
from rejoin_conformance.system import System


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
    help="How many histories of each profile.",
)
@click.option("--seed", type=int, default=DEFAULT_SEED, show_default=True, help="Campaign seed.")
@click.option("--reading", help="Reading to run under; the system's default if left out.")
@click.option("--all", "everything", is_flag=True, help="Also what every profile reaches.")
@click.option("--in-process", is_flag=True, help="Without Spark, one history after another.")
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
    """Run as many histories of each profile, and say what each reaches that others do not.

    What is reached is what a history covers: shapes, clauses decided, kinds of events. For each of
    these the table says in how many of 1,000 histories of a profile it came up. The profile
    `uniform` draws events of any kind one by one, with no regard to what makes a race or a late
    merge; it is what guiding is measured against.

    \b
    Examples:
      rejoin profiles config-merge
      rejoin profiles history-merge --profile racing --profile uniform --histories 200 --in-process
    """
    chosen = tuple(dict.fromkeys(chosen_profile(system, each) for each in profiles))
    plan = ReachPlan(
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
        report = reached(plan, spread)
    if as_json:
        print_json(report)
    else:
        click.echo(render(report, everything=everything))


def render(report: Any, *, everything: bool = False) -> str:
    """What `reached` found, as text."""
    names = list(report["profiles"])
    keys = sorted({key for each in report["profiles"].values() for key in each["reached"]})
    drawn = f"reading {report['reading']}, seed {report['seed']}"
    lines = [
        f"{report['system']}: {report['histories']:,} histories of each profile, {drawn}",
        "",
        f"  {'profile':<14}{'events':>8}{'reached':>9}{'beyond uniform':>16}",
    ]
    beyond = report.get("beyond", {})
    for name in names:
        each = report["profiles"][name]
        mean = each["events"] / report["histories"]
        count = len(beyond[name]) if name in beyond else ""
        crashed = f"   {each['crashed']} crashed" if each["crashed"] else ""
        lines.append(f"  {name:<14}{mean:>8.1f}{len(each['reached']):>9}{count:>16}{crashed}")
    lines += ["", "  events: a history has on average", ""]
    if UNIFORM in names:
        known = report["profiles"][UNIFORM]["reached"]
        rest = [key for key in keys if key not in known]
        lines += _table(report, f"what {UNIFORM} does not reach", rest)
        others = [name for name in names if name != UNIFORM]
        alone = [
            key
            for key in keys
            if all(key not in report["profiles"][name]["reached"] for name in others)
        ]
        lines += _table(report, f"what only {UNIFORM} reaches", alone)
    if everything or UNIFORM not in names:
        lines += _table(report, "everything that is reached", keys)
    return "\n".join(lines).rstrip()


def _table(report: Any, title: str, keys: list[str]) -> list[str]:
    """A row for each key: of 1,000 histories of a profile, how many reach it."""
    if not keys:
        return [f"{title}: nothing", ""]
    names = list(report["profiles"])
    width = max(len(title), *(len(key) for key in keys)) + 2
    lines = [f"{title:<{width}}" + "".join(f"{name[:11]:>12}" for name in names) + "   first"]
    for key in keys:
        cells = ""
        first: list[tuple[int, str]] = []
        for name in names:
            each = report["profiles"][name]["reached"].get(key)
            rate = "-" if each is None else f"{1000 * each['histories'] / report['histories']:.1f}"
            cells += f"{rate:>12}"
            if each is not None:
                first.append((each["first"], name))
        index, name = min(first)
        lines.append(f"{key:<{width}}{cells}   {name} {index}")
    return [*lines, ""]
