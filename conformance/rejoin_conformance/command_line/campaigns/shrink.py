"""`rejoin shrink`: shrink each failure class of a campaign to a minimal history."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rejoin_conformance.campaigns.findings.finding_file import findings_files, write_files
from rejoin_conformance.campaigns.findings.law_findings import (
    LawFinding,
    failure_classes,
    shrink_findings,
)
from rejoin_conformance.campaigns.in_process import InProcess
from rejoin_conformance.campaigns.kept.campaign import directory_to_read, local_folder
from rejoin_conformance.campaigns.mutants.entries import EntriesError
from rejoin_conformance.campaigns.spark.session import spark_session
from rejoin_conformance.campaigns.spark.spread import OnSpark
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.command_line.campaigns.campaign_plan import campaign_in
from rejoin_conformance.command_line.campaigns.cluster import cluster_of, cluster_options
from rejoin_conformance.command_line.console import (
    WRONG_USAGE,
    print_json,
    stop,
)
from rejoin_conformance.command_line.progress import progress_bar
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.kit.counted import counted
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
    help="Folder to write the findings to, as a corpus.",
)
@click.option(
    "--tries",
    type=click.IntRange(min=1),
    default=DEFAULT_BUDGET,
    show_default=True,
    help="Maximum number of smaller histories to try for each class.",
)
@click.option("--in-process", is_flag=True, help="Run in this process; needs no Spark and no Java.")
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
    """Shrink the failures of a campaign to minimal histories.

    DIR is the directory of a campaign (`rejoin fuzz --directory DIR`), finished or not. A failure
    class is one law, broken in one way under one reading. For each class, the command reproduces
    the first history and shrinks it as long as it breaks the same law in the same way. The result
    is minimal: no event can be removed and no value can be simplified. If several classes of one
    law shrink to the same shape, they are one finding.

    The command writes the findings as a corpus: OUT/SYSTEM/found.json, where OUT is the folder of
    --out. The file holds vectors that `rejoin run` can run, and the shrunk histories, each with the
    seed, index, profile and version that it comes from.

    \b
    Examples:
      rejoin fuzz conflict-detection --all-readings --directory campaigns/cd
      rejoin shrink campaigns/cd --out found
      rejoin replay found/conflict-detection/found.json
      rejoin run --corpus found --adapter './my-port'

    \b
    Exit codes:
      0  done, with or without findings    2  wrong usage, or DIR has no campaign to shrink
      3  interrupted, or no Spark
    """
    cluster = cluster_of(master, remote, settings)
    with ExitStack() as stack:
        session: SparkSession | None = None
        if local_folder(directory) is None:
            session = stack.enter_context(spark_session(cluster))
        store = directory_to_read(directory, session)
        summary = campaign_in(store, directory)
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
    try:
        files, vectors = findings_files([(system, findings)])
    except EntriesError as error:
        stop(WRONG_USAGE, str(error))
    try:
        write_files(folder, files)
    except OSError as error:
        stop(WRONG_USAGE, f"{error.filename or folder}: {error.strerror}")
    if as_json:
        print_json(_as_json(summary, findings, vectors))
    else:
        click.echo(_as_text(summary, findings, vectors, folder / system.name / "found.json"))


def _make(folder: Path) -> None:
    """Create the folder of the findings before the work, so that a wrong name costs no time."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        stop(WRONG_USAGE, f"{folder}: cannot create this folder: {error.strerror}")


def _as_text(
    summary: Summary, findings: tuple[LawFinding, ...], vectors: tuple[Vector, ...], path: Path
) -> str:
    classes = failure_classes(summary)
    if not classes:
        histories = counted(summary.histories, "history", "histories")
        return f"no failures in {histories}"
    lines = []
    for finding in findings:
        lineage = finding.kept.lineage
        events = finding.kept.history.get("events")
        count = len(events) if isinstance(events, list) else 0
        least = "" if finding.minimal else "; may not be minimal: --tries was reached"
        lines += [
            f"{lineage.history} [{', '.join(lineage.readings)}]: {counted(count, 'event')}{least}",
            f"    {'; '.join(lineage.kinds)}",
            f"    {(finding.detail.splitlines() or [''])[0]}",
        ]
    lost = len(_lost(summary, findings))
    total = counted(len(classes), "failure class", "failure classes")
    lines += ["", f"{total}, {counted(len(findings), 'finding')}"]
    if lost:
        lines.append(f"{counted(lost, 'class', 'classes')} could not be reproduced")
    lines += [f"wrote {counted(len(vectors), 'vector')} to {path}", f"    rejoin replay {path}"]
    return "\n".join(lines)


def _as_json(
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
    """Return the failure classes without a finding, as `law kind [reading]`."""
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
