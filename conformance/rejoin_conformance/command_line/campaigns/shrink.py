"""`rejoin shrink`: what a campaign found, each failure class as a minimal history and vector."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rejoin_conformance.campaigns.directory.kept import summary_kept
from rejoin_conformance.campaigns.directory.open_directory import directory_to_read, local_folder
from rejoin_conformance.campaigns.findings.finding_file import findings_files, write_files
from rejoin_conformance.campaigns.findings.law_findings import (
    LawFinding,
    failure_classes,
    shrink_findings,
)
from rejoin_conformance.campaigns.in_process import InProcess
from rejoin_conformance.campaigns.spark.session import spark_session
from rejoin_conformance.campaigns.spark.spread import OnSpark
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.command_line.campaigns.campaign_plan import plan_in
from rejoin_conformance.command_line.campaigns.cluster import cluster_of, cluster_options
from rejoin_conformance.command_line.console import (
    WRONG_USAGE,
    print_json,
    progress_bar,
    stop,
)
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.shrinking.reduce import DEFAULT_BUDGET

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@click.command()
@click.argument("directory", metavar="DIR")
@click.option(
    "--out",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("found"),
    show_default=True,
    help="Folder for the findings: a corpus of its own.",
)
@click.option(
    "--tries",
    type=click.IntRange(min=1),
    default=DEFAULT_BUDGET,
    show_default=True,
    help="How many smaller histories are tried for each class at most.",
)
@click.option("--in-process", is_flag=True, help="Without Spark, one class after another.")
@cluster_options
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON instead of text.")
def shrink(
    directory: str,
    folder: Path,
    tries: int,
    master: str | None,
    remote: str | None,
    settings: tuple[tuple[str, str], ...],
    *,
    in_process: bool,
    as_json: bool,
) -> None:
    """Make what the campaign in DIR found as small as it gets, and write it as vectors.

    DIR is what `rejoin fuzz --directory DIR` keeps, finished or not. For each failure class (a law
    that broke in one way under one reading) its first history is made again, and shrunk while it
    breaks the same law in the same way, until no event can be left out and no value made simpler.
    Classes of one law whose histories come to one shape are one finding.

    The findings are written as a corpus: FOLDER/<system>/found.json with vectors, ready to run,
    and the shrunk histories, each with the seed, index, profile and version that it comes from.

    \b
    Examples:
      rejoin fuzz conflict-detection --all-readings --directory campaigns/cd
      rejoin shrink campaigns/cd --out found
      rejoin replay found/conflict-detection/found.json
      rejoin run --corpus found --adapter './my-port'

    \b
    Exit codes:
      0  done, whatever was found    2  wrong usage, or no campaign there that can be shrunk
      3  interrupted, or no Spark
    """
    cluster = cluster_of(master, remote, settings)
    with ExitStack() as stack:
        session: SparkSession | None = None
        if local_folder(directory) is None:
            session = stack.enter_context(spark_session(cluster))
        store = directory_to_read(directory, session)
        summary = summary_kept(store, directory, plan_in(store, directory))
        system = system_named(summary.plan.system)
        _make(folder)
        classes = len(failure_classes(summary))
        if session is None and not in_process and classes > 1:
            session = stack.enter_context(spark_session(cluster))
        with progress_bar(f"shrink {system.name}", quiet=as_json) as progress:
            spread: Spread = InProcess(progress)
            if session is not None and not in_process and classes > 1:
                spread = OnSpark(session, progress, classes)
            findings = shrink_findings(summary, system, spread, budget=tries)
    files, vectors = findings_files([(system, findings)])
    try:
        write_files(folder, files)
    except OSError as error:
        stop(WRONG_USAGE, f"{error.filename or folder}: {error.strerror}")
    if as_json:
        print_json(_told_as_json(summary, findings, vectors))
    else:
        click.echo(_told(summary, findings, vectors, folder / system.name / "found.json"))


def _make(folder: Path) -> None:
    """Make the folder of the findings before the work, so that a wrong one costs nothing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        stop(WRONG_USAGE, f"{folder} cannot be made: {error.strerror}")


def _told(
    summary: Summary, findings: tuple[LawFinding, ...], vectors: tuple[Vector, ...], path: Path
) -> str:
    classes = failure_classes(summary)
    if not classes:
        return f"nothing was found in {summary.histories:,} histories"
    lines = []
    for finding in findings:
        lineage = finding.kept.lineage
        events = finding.kept.history.get("events")
        count = len(events) if isinstance(events, list) else 0
        least = "" if finding.minimal else ", perhaps not minimal: the tries ran out"
        lines += [
            f"{lineage.history} [{', '.join(lineage.readings)}]: {count} events{least}",
            f"    {'; '.join(lineage.kinds)}",
            f"    {(finding.detail.splitlines() or [''])[0]}",
        ]
    lost = len(_lost(summary, findings))
    lines += ["", f"{len(classes)} failure classes, {len(findings)} findings"]
    if lost:
        lines.append(f"{lost} classes did not show again")
    lines += [f"{len(vectors)} vectors written to {path}", f"    rejoin replay {path}"]
    return "\n".join(lines)


def _told_as_json(
    summary: Summary, findings: tuple[LawFinding, ...], vectors: tuple[Vector, ...]
) -> JsonObject:
    found: list[Json] = [
        {
            **finding.kept.to_json(),
            "detail": finding.detail,
            "minimal": finding.minimal,
            "vectors": [vector.id for vector in vectors if vector.lineage == finding.kept.lineage],
        }
        for finding in findings
    ]
    return {
        "system": summary.plan.system,
        "classes": len(failure_classes(summary)),
        "not_shown_again": _lost(summary, findings),
        "findings": found,
    }


def _lost(summary: Summary, findings: tuple[LawFinding, ...]) -> list[Json]:
    """The failure classes that no finding stands for, as `law kind [reading]`."""
    shown = {
        (reading, finding.kept.lineage.law, kind)
        for finding in findings
        for reading in finding.kept.lineage.readings
        for kind in finding.kept.lineage.kinds
    }
    return [
        f"{each.law} {each.kind} [{each.reading}]"
        for each in failure_classes(summary)
        if (each.reading, each.law, each.kind) not in shown
    ]
