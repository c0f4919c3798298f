"""`rejoin distil`: the fewest small histories that reach all that campaigns reached."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import click
from attrs import evolve

from rejoin_conformance.campaign.directory import directory_to_read, local_folder
from rejoin_conformance.campaign.manifest import manifest_of
from rejoin_conformance.campaign.plan import Plan
from rejoin_conformance.campaign.session import spark_session
from rejoin_conformance.command_line.cluster import cluster_of, cluster_options
from rejoin_conformance.command_line.console import (
    SYSTEM,
    WRONG_USAGE,
    chosen_reading,
    print_json,
    progress_bar,
    stop,
)
from rejoin_conformance.command_line.fuzz import DEFAULT_SEED, chosen_profile
from rejoin_conformance.command_line.shrink import plan_in
from rejoin_conformance.command_line.spreading import spreading
from rejoin_conformance.distilling.distil import DEFAULT_TRIES, DistilPlan
from rejoin_conformance.distilling.distil import distil as distilled_of
from rejoin_conformance.distilling.file import distilled_text, kept_histories
from rejoin_conformance.distilling.keys import each_choice as choices_of
from rejoin_conformance.json_types import Json
from rejoin_conformance.registry import system_named, system_names
from rejoin_conformance.vectors import KeptHistory

_DEFAULT_HISTORIES = 1000


@click.command()
@click.argument("subject", metavar="SYSTEM|DIR")
@click.option(
    "--out",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write the histories to.  [default: distilled-SYSTEM.json]",
)
@click.option(
    "--profile",
    "profiles",
    multiple=True,
    help="Profile to draw histories from; may be repeated.  [default: default]",
)
@click.option(
    "--histories",
    type=click.IntRange(min=1),
    help=f"How many histories of each profile.  [default: {_DEFAULT_HISTORIES}]",
)
@click.option("--seed", type=int, help=f"Campaign seed.  [default: {DEFAULT_SEED}]")
@click.option(
    "--reading", "readings", multiple=True, help="Reading to run under; may be repeated.  [all]"
)
@click.option(
    "--each-choice",
    is_flag=True,
    help="Tell the default reading apart from itself with each choice point switched, too.",
)
@click.option(
    "--tries",
    type=click.IntRange(min=1),
    default=DEFAULT_TRIES,
    show_default=True,
    help="How many smaller histories are tried at most for each that is kept.",
)
@click.option("--in-process", is_flag=True, help="Without Spark, one piece after another.")
@cluster_options
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON instead of text.")
def distil(
    subject: str,
    file: Path | None,
    profiles: tuple[str, ...],
    histories: int | None,
    seed: int | None,
    readings: tuple[str, ...],
    tries: int,
    master: str | None,
    remote: str | None,
    settings: tuple[tuple[str, str], ...],
    *,
    each_choice: bool,
    in_process: bool,
    as_json: bool,
) -> None:
    """Find few small histories that together reach everything that many random ones reach.

    What a history reaches: the clauses that it decides, its events and refusals, its shapes, the
    laws that it is held to and those whose premises it does not meet, the laws that it breaks,
    each in every reading; and where the outcome differs between readings, or with a choice point
    switched. Few histories are chosen
    that reach all of it, and each is shrunk while it reaches what it was chosen for.

    With a SYSTEM, histories are drawn as the options say. With a DIR, the campaign that `rejoin
    fuzz --directory DIR` keeps says which they are. The result does not depend on how the work is
    spread, and memory does not grow with the number of histories.

    \b
    Examples:
      rejoin distil history-merge --profile default --profile racing --histories 5000
      rejoin distil campaigns/cd --out distilled.json
      rejoin replay distilled.json
    """
    cluster = cluster_of(master, remote, settings)
    if subject in system_names():
        chosen = readings or system_named(subject).readings
        plan = _plan(subject, profiles, chosen, seed, histories, tries)
    else:
        if profiles or readings or histories is not None or seed is not None:
            raise click.UsageError("a campaign's directory says itself which histories it has")
        with nullcontext() if local_folder(subject) else spark_session(cluster) as session:
            kept = plan_in(directory_to_read(subject, session), subject)
        plan = _plan(kept.system, (kept.profile,), kept.readings, kept.seed, kept.histories, tries)
    system = system_named(plan.system)
    if each_choice:
        plan = evolve(plan, switched=choices_of(system))
    target = file or Path(f"distilled-{system.name}.json")
    if not target.parent.is_dir():
        stop(WRONG_USAGE, f"{target.parent}: there is no such folder")
    with (
        progress_bar(f"distil {system.name}", quiet=as_json) as progress,
        spreading(None if in_process else cluster, progress) as spread,
    ):
        distilled = distilled_of(plan, spread)
    histories_kept = kept_histories(plan, distilled, _code_of(plan))
    try:
        target.write_text(distilled_text(system, histories_kept), encoding="ascii")
    except OSError as error:
        stop(WRONG_USAGE, f"{target}: {error.strerror}")
    if as_json:
        listed: list[Json] = [each.to_json() for each in histories_kept]
        print_json({"system": system.name, "file": str(target), "histories": listed})
    else:
        click.echo(_told(plan, histories_kept, target))


def _plan(
    name: str,
    profiles: tuple[str, ...],
    readings: tuple[str, ...],
    seed: int | None,
    histories: int | None,
    tries: int,
) -> DistilPlan:
    """The plan that the options name; wrong usage for profiles and readings that are none."""
    system = SYSTEM.convert(name, None, None)
    return DistilPlan(
        system=system.name,
        profiles=tuple(
            dict.fromkeys(chosen_profile(system, each) for each in profiles or ("default",))
        ),
        readings=tuple(dict.fromkeys(chosen_reading(system, each) for each in readings)),
        seed=DEFAULT_SEED if seed is None else seed,
        histories=histories or _DEFAULT_HISTORIES,
        tries=tries,
    )


def _code_of(plan: DistilPlan) -> str:
    """The version of the code that makes and judges these histories, as manifests spell it."""
    campaign = Plan(
        system=plan.system,
        profile=plan.profiles[0],
        readings=plan.readings,
        seed=plan.seed,
        histories=plan.histories,
    )
    return str(manifest_of(campaign)["code"])


def _told(plan: DistilPlan, kept: tuple[KeptHistory, ...], target: Path) -> str:
    lines = []
    for each in kept:
        events = each.history.get("events")
        count = len(events) if isinstance(events, list) else 0
        lines.append(f"{each.name}: {count} events. {each.shows}")
    total = plan.histories * len(plan.profiles)
    keys = sum(len(each.reaches) for each in kept)
    lines += [
        "",
        f"{total:,} histories reach {keys} things; {len(kept)} of them, shrunk, do so too",
        f"written to {target}",
        f"    rejoin replay {target}",
    ]
    return "\n".join(lines)
