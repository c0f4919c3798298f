"""`rejoin distil`: choose the random vectors, or the histories, that matter."""

from __future__ import annotations

from pathlib import Path

import click
from attrs import evolve

from rejoin_conformance.campaigns.directory.open_directory import local_folder
from rejoin_conformance.campaigns.distilling.distil import DEFAULT_TRIES, DistilPlan
from rejoin_conformance.campaigns.distilling.distil import distil as distilled_of
from rejoin_conformance.campaigns.distilling.distilled_file import distilled_text, kept_histories
from rejoin_conformance.campaigns.plan import DEFAULT_SEED
from rejoin_conformance.command_line.campaigns.cluster import cluster_of, cluster_options
from rejoin_conformance.command_line.campaigns.distil_by_mutants import distil_by_mutants
from rejoin_conformance.command_line.campaigns.distil_plan import (
    DEFAULT_HISTORIES,
    beyond,
    code_of,
    drawn,
    of_campaign,
    with_choices,
)
from rejoin_conformance.command_line.campaigns.spreading import spreading
from rejoin_conformance.command_line.console import (
    WRONG_USAGE,
    print_json,
    stop,
)
from rejoin_conformance.command_line.progress import progress_bar
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.contract.vector import KeptHistory
from rejoin_conformance.corpus.load import retired_ids
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.files import write_whole
from rejoin_conformance.kit.json_types import Json


@click.command()
@click.argument("subject", metavar="SYSTEM|DIR")
@click.option(
    "--by",
    type=click.Choice(["mutants", "coverage"]),
    default="mutants",
    show_default=True,
    help="Choose vectors of the corpus by mutants killed, or histories by coverage.",
)
@click.option(
    "--directory",
    type=click.Path(file_okay=False, path_type=Path),
    help="By mutants: folder of results that `rejoin mutants --directory` keeps.  [default: none]",
)
@click.option(
    "--kills",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="By mutants: JSON file of a port's mutants that only random vectors kill; may be "
    "repeated.  [default: none]",
)
@click.option(
    "--retire",
    is_flag=True,
    help="By mutants: add the vectors that are not needed to vectors/retired.json.",
)
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
    help=f"Number of histories of each profile.  [default: {DEFAULT_HISTORIES}]",
)
@click.option("--seed", type=int, help=f"Seed of the campaign.  [default: {DEFAULT_SEED}]")
@click.option(
    "--reading",
    "readings",
    multiple=True,
    help="Reading to run under; may be repeated.  [default: all readings]",
)
@click.option(
    "--each-choice",
    is_flag=True,
    help="Also cover differences between the default reading and each of its choices switched.",
)
@click.option(
    "--tries",
    type=click.IntRange(min=1),
    default=DEFAULT_TRIES,
    show_default=True,
    help="Maximum number of smaller histories to try for each history kept.",
)
@click.option(
    "--beyond",
    "known",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Keep the histories of this file, and add only histories with new coverage.  "
    "[default: none]",
)
@click.option("--in-process", is_flag=True, help="Run in this process; needs no Spark and no Java.")
@cluster_options
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON instead of text.")
def distil(
    subject: str,
    by: str,
    directory: Path | None,
    kills: tuple[Path, ...],
    file: Path | None,
    profiles: tuple[str, ...],
    histories: int | None,
    seed: int | None,
    readings: tuple[str, ...],
    tries: int,
    known: Path | None,
    master: str | None,
    remote: str | None,
    settings: tuple[tuple[str, str], ...],
    *,
    retire: bool,
    each_choice: bool,
    in_process: bool,
    as_json: bool,
) -> None:
    """Choose the random vectors or histories that matter.

    By mutants, the command chooses a small set of the random vectors of a SYSTEM: vectors from
    random histories and from behaviours of its model. Together with the written vectors, they kill
    each mutant and notice each knock-out that the whole corpus does. It runs the mutants that a
    vector left out was the first to kill against the other vectors. With --retire, it lists the
    vectors left out in vectors/retired.json, and removes histories without vectors.

    By coverage, the command finds a small set of histories with the same coverage as many. The
    coverage of a history consists of the clauses that it decides, its events and refusals, its
    shapes, the laws checked on it, the laws whose premises it does not meet, and the laws that it
    breaks, each in every reading. It also contains the readings or choice points that change its
    outcome. The command then shrinks each history as long as it keeps the coverage that it was
    chosen for. With a SYSTEM, the options select the histories. With a DIR, the histories are those
    of the campaign that `rejoin fuzz --directory DIR` keeps there. The command runs only the
    finished blocks that were first to count something.

    The result does not depend on where the command runs.

    \b
    Examples:
      rejoin distil history-merge --directory mutants --retire
      rejoin distil history-merge --by coverage --profile racing --histories 5000
      rejoin distil campaigns/cd --by coverage --out distilled.json
      rejoin distil campaigns/more --by coverage --beyond distilled.json --out distilled.json

    \b
    Exit codes:
      0  done                        2  wrong usage, or DIR has no campaign to distil
      3  interrupted, or no Spark    1  a vector left out is needed after all
    """
    cluster = cluster_of(master, remote, settings)
    drawing = bool(profiles or readings or histories or each_choice or file or known)
    if by == "mutants":
        if drawing or seed is not None or subject not in system_names():
            raise click.UsageError(
                "by mutants, distil takes a system and chooses among the vectors of the corpus. "
                "To choose among other histories, add --by coverage"
            )
        distil_by_mutants(
            system_named(subject),
            directory,
            kills,
            None if in_process else cluster,
            retire=retire,
            as_json=as_json,
        )
        return
    if directory is not None or kills or retire:
        raise click.UsageError("--directory, --kills and --retire need --by mutants")
    where = None
    if subject in system_names():
        plan = drawn(subject, profiles, readings, seed, histories)
    else:
        if profiles or readings or histories is not None or seed is not None:
            raise click.UsageError(
                f"{subject} is a campaign, which fixes the histories: leave out --profile, "
                "--reading, --histories and --seed"
            )
        folder = local_folder(subject)
        if folder is not None and not folder.exists():
            known_systems = ", ".join(system_names())
            raise click.UsageError(
                f"{subject} is neither a system nor a directory; the systems are {known_systems}"
            )
        plan, where = of_campaign(subject, cluster)
    plan = evolve(with_choices(plan) if each_choice else plan, tries=tries)
    plan, before = beyond(plan, known)
    if where is not None:
        plan = evolve(plan, only=where.stretches(plan.known))
    target = file or Path(f"distilled-{plan.system}.json")
    if not target.parent.is_dir():
        stop(WRONG_USAGE, f"{target.parent}: this folder does not exist; create it first")
    with (
        progress_bar(f"distil {plan.system}", quiet=as_json) as progress,
        spreading(None if in_process else cluster, progress) as spread,
    ):
        distilled = distilled_of(plan, spread)
    kept = kept_histories(
        plan, distilled, code_of(plan), [each.kept for each in before], retired_ids()
    )
    try:
        write_whole(target, distilled_text(system_named(plan.system), kept))
    except OSError as error:
        stop(WRONG_USAGE, f"{target}: {error.strerror}")
    if as_json:
        listed: list[Json] = [each.to_json() for each in kept]
        print_json({"system": plan.system, "file": str(target), "histories": listed})
    else:
        click.echo(_result_text(plan, kept[len(before) :], known, target))


def _result_text(
    plan: DistilPlan, kept: tuple[KeptHistory, ...], known: Path | None, target: Path
) -> str:
    lines = []
    for each in kept:
        events = each.history.get("events")
        count = len(events) if isinstance(events, list) else 0
        lines.append(f"{each.name}: {counted(count, 'event')}. {each.shows}")
    total = plan.histories * len(plan.profiles)
    keys = sum(len(each.reaches) for each in kept)
    new = "" if known is None else "new "
    beyond_known = "" if known is None else f" that {known} does not"
    covered = f"{counted(keys, new + 'key')}{beyond_known}"
    few = counted(len(kept), "history covers", "histories cover")
    lines += [
        "",
        f"{counted(total, 'history covers', 'histories cover')} {covered}",
        f"these {few} the same keys",
        f"wrote {target}",
        f"    rejoin replay {target}",
    ]
    return "\n".join(lines)
