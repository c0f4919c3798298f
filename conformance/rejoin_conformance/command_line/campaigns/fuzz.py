"""`rejoin fuzz`: check laws, or an adapter, on random histories."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import click

from rejoin_conformance.adapters.protocol import Hello
from rejoin_conformance.adapters.runner.known_failures import KnownFailures
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.campaigns.block import AGREES
from rejoin_conformance.campaigns.in_process import InProcess
from rejoin_conformance.campaigns.kept.campaign import directory_of, local_folder
from rejoin_conformance.campaigns.kept.store import Store
from rejoin_conformance.campaigns.plan import DEFAULT_SEED, MOST_HISTORIES, Plan
from rejoin_conformance.campaigns.run_campaign import run_campaign
from rejoin_conformance.campaigns.spark.failures import JobFailedError
from rejoin_conformance.campaigns.spark.session import Cluster, place_of, spark_session
from rejoin_conformance.campaigns.spark.spread import OnSpark
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.command_line.campaigns.cluster import cluster_of, cluster_options
from rejoin_conformance.command_line.campaigns.fuzz_adapter import (
    Written,
    asked_operations,
    differs,
    greeting,
    known_differences,
    known_text,
    readings_to_ask,
    systems_to_ask,
    text_of,
    watch_of,
    written_vectors,
)
from rejoin_conformance.command_line.campaigns.fuzz_options import fuzz_adapter_options
from rejoin_conformance.command_line.campaigns.fuzz_text import render
from rejoin_conformance.command_line.campaigns.reading_options import chosen_rule
from rejoin_conformance.command_line.campaigns.untried import (
    end_if_untried,
    overridden_by,
    reach_json,
)
from rejoin_conformance.command_line.console import (
    ADAPTER_UNUSABLE,
    INCOMPLETE,
    NOT_CONFORMANT,
    SYSTEM,
    chosen_profile,
    chosen_reading,
    stop,
    terminable,
)
from rejoin_conformance.command_line.progress import progress_bar
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.json_types import JsonObject, canonical_json
from rejoin_conformance.readings.in_force import Side

MOST_IN_PROCESS: Final = 2_000
"""The command runs more histories than this on Spark, unless an option chooses the place."""


@click.command()
@click.argument("systems", type=SYSTEM, nargs=-1)
@click.option(
    "--histories",
    type=click.IntRange(1, MOST_HISTORIES),
    default=20_000,
    show_default=True,
    help="Number of histories of each system.",
)
@click.option(
    "--seed", type=int, default=DEFAULT_SEED, show_default=True, help="Seed of the campaign."
)
@click.option("--profile", default="default", show_default=True, help="Profile of the histories.")
@click.option(
    "--reading",
    "readings",
    multiple=True,
    help="Reading to run under; may be repeated.  [default: the system's default reading]",
)
@click.option("--all-readings", is_flag=True, help="Run under every reading of the system.")
@click.option(
    "--partitions",
    type=click.IntRange(min=1),
    help="Number of Spark tasks; the result does not depend on it.  [default: chosen by speed]",
)
@click.option(
    "--directory",
    metavar="DIR",
    help="Keep the campaign in this folder or URL (hdfs://, s3a://), and resume from it.  "
    "[default: keep nothing]",
)
@fuzz_adapter_options
@click.option("--in-process", is_flag=True, help="Run in this process; needs no Spark and no Java.")
@click.option("--spark", is_flag=True, help="Run on Spark, even if there are few histories.")
@cluster_options
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print one line of JSON for each system instead of text.",
)
def fuzz(
    systems: tuple[System, ...],
    histories: int,
    seed: int,
    profile: str,
    readings: tuple[str, ...],
    partitions: int | None,
    directory: str | None,
    command: str | None,
    timeout: int,
    operations: tuple[str, ...],
    leave_out: tuple[str, ...],
    known_file: Path | None,
    folder: Path,
    master: str | None,
    remote: str | None,
    settings: tuple[tuple[str, str], ...],
    *,
    allow_restarts: bool,
    all_readings: bool,
    in_process: bool,
    spark: bool,
    as_json: bool,
) -> None:
    """Check laws, or an adapter, on random histories.

    Without SYSTEM, the command runs random histories of all systems. Up to 2,000 histories run in
    this process, without Spark. More histories run on Spark. Any number runs on Spark if you give
    --spark, --master, --remote, --conf, --partitions or --directory. The output names the place;
    the result is the same in both.

    The command prints the coverage and the broken laws. If a history breaks a law that its reading
    claims, this is a failure (exit code 1). If the reading does not claim the law, it is a finding.
    The digest depends only on the system, profile, readings, seed and number of histories.

    With --directory, the command saves finished histories every 30 seconds. After Ctrl-C or
    kill -9, run the same command again: it resumes, and its digest equals the digest of an
    uninterrupted campaign. A different command on the same directory is wrong usage. See `rejoin
    campaign --help`.

    A --reading can have some choice points switched (document+replay_cutoff=false), or be a rule
    file (rule.py); see `rejoin compare --help`. No law is claimed under a rule file: a broken law
    is a finding, and an unexpected exception is a failure. The command also prints how often each
    overridden function was called, and how often its answer differed from the original's.

    With --adapter, the command turns each history into calls of operations, and compares every
    answer of the adapter with the reference's. Each Spark task runs its own adapter process. For
    each kind of difference, the command writes one minimal vector and prints the command that
    reproduces it. It omits and counts calls that the adapter does not declare. Differences that
    --known-failures lists are counted, but are not failures. See docs/check-your-implementation.md.

    \b
    Examples:
      rejoin fuzz config-merge --histories 200 --in-process
      rejoin fuzz config-merge --histories 100000 --seed 7
      rejoin fuzz config-merge --all-readings --profile tiny
      rejoin fuzz history-merge --histories 1000000 --directory campaigns/hm
      rejoin fuzz config-merge --adapter './my-port' --write found-vectors
      rejoin fuzz history-merge --adapter './my-port' --operation merge --leave-out counter
      rejoin fuzz history-merge --master spark://host:7077 --directory hdfs:///campaigns/hm

    \b
    Exit codes:
      0  no claimed law is broken       2  wrong usage, or the directory cannot be used
      1  a claimed law is broken,       3  interrupted or failed: run the same command again; or
         or the adapter differs or         an overridden function was not called
         restarts
                                        4  the adapter cannot be used
    """
    known = known_differences(known_file)
    hello = None if command is None else greeting(command, timeout)
    if hello is None and (operations or leave_out or known_file):
        raise click.UsageError("--operation, --leave-out and --known-failures need --adapter")
    rule = chosen_rule(systems, readings, alone=not all_readings and command is None)
    chosen = (
        systems or all_systems()
        if hello is None
        else systems_to_ask(systems, all_systems(), hello, operations, leave_out)
    )
    plans = [
        (
            system,
            Plan(
                system=system.name,
                profile=chosen_profile(system, profile),
                readings=_chosen_readings(system, readings, hello, all_readings=all_readings)
                if rule is None
                else (rule.name,),
                seed=seed,
                histories=histories,
                adapter=command,
                timeout=timeout,
                rule=None if rule is None else rule.source,
                operations=asked_operations(system, operations),
                leave_out=tuple(sorted({*leave_out})),
            ),
        )
        for system in chosen
    ]
    cluster = cluster_of(master, remote, settings)
    here = _runs_here(
        histories,
        in_process=in_process,
        on_spark=spark
        or cluster != Cluster()
        or any(each is not None for each in (directory, partitions)),
    )
    if directory is not None and len(plans) != 1:
        raise click.UsageError("--directory holds one campaign; name one SYSTEM")
    overridden = () if rule is None else overridden_by(Side(rule.name, rule), systems[0])
    failed = False
    try:
        with terminable(), ExitStack() as stack:
            local = directory is not None and local_folder(directory) is not None
            store: Store | None = None
            if directory is not None and local:  # find an unusable directory before Spark starts
                store = stack.enter_context(directory_of(plans[0][1], directory))
            session = None if here else stack.enter_context(spark_session(cluster))
            if directory is not None and not local:
                store = stack.enter_context(directory_of(plans[0][1], directory, session))
            for system, plan in plans:
                with progress_bar(
                    f"fuzz {system.name}", quiet=as_json, unit="histories"
                ) as progress:
                    spread: Spread = InProcess(progress)
                    if session is not None:
                        spread = OnSpark(session, progress, partitions, place=place_of(cluster))
                    summary = run_campaign(
                        plan, spread, store, watch_of(plan, known, quiet=as_json), here=here
                    )
                failed = _failed(summary, known, allow_restarts=allow_restarts) or failed
                written = written_vectors(plan, summary, folder, known, quiet=as_json)
                texts = (known_text(summary, known), text_of(plan, written))
                click.echo(
                    _summary_json(summary, spread.place, written, overridden)
                    if as_json
                    else "\n".join(
                        filter(None, (render(system, summary, spread.place, overridden), *texts))
                    )
                )
    except AdapterUnusableError as error:
        stop(ADAPTER_UNUSABLE, str(error))
    except JobFailedError as error:
        if AdapterUnusableError.__name__ not in str(error):
            raise
        stop(ADAPTER_UNUSABLE, str(error))
    except KeyboardInterrupt:
        if directory is None:
            stop(INCOMPLETE, "interrupted; nothing was saved, because --directory was not given")
        stop(INCOMPLETE, f"interrupted; to resume from {directory}, run the same command again")
    if rule is not None:
        end_if_untried(summary.reached(overridden), Side(rule.name, rule), systems[0])
    if failed:
        raise click.exceptions.Exit(NOT_CONFORMANT)


def _failed(summary: Summary, known: KnownFailures, *, allow_restarts: bool) -> bool:
    """Return whether a campaign fails: a law is broken, or an adapter differs or restarts."""
    if summary.plan.adapter is None:
        return summary.failed()
    restarted = summary.restarts > 0 and not allow_restarts
    return summary.failed(AGREES.name) or differs(summary, known) or restarted


def _summary_json(
    summary: Summary,
    place: str,
    written: Sequence[Written],
    overridden: Sequence[str],
) -> str:
    """Return the summary of a campaign as one line of JSON. place: where the histories ran."""
    value: JsonObject = {
        **summary.to_json(),
        "found": [each.to_json() for each in written],
        "ran": place,
    }
    if overridden:
        value["overridden"] = reach_json(summary.reached(overridden))
    return canonical_json(value)


def _runs_here(histories: int, *, in_process: bool, on_spark: bool) -> bool:
    """Return whether the histories run in this process. on_spark: an option asks for Spark."""
    if in_process and on_spark:
        raise click.UsageError(
            "--in-process does not use Spark: leave out --spark, --master, --remote, --conf, "
            "--partitions and --directory"
        )
    return in_process or (not on_spark and histories <= MOST_IN_PROCESS)


def _chosen_readings(
    system: System, readings: tuple[str, ...], hello: Hello | None, *, all_readings: bool
) -> tuple[str, ...]:
    if all_readings:
        return system.readings
    named = tuple(dict.fromkeys(chosen_reading(system, reading) for reading in readings))
    if hello is not None:
        return readings_to_ask(system, hello, named)
    return named or (system.default_reading,)
