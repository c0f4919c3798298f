"""`rejoin run`: run the corpus against an adapter."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click

from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.results.read import ResultsError
from rejoin_conformance.adapters.results.records import Key, Record, footer, record
from rejoin_conformance.adapters.results.summary import RunSummary, summarise
from rejoin_conformance.adapters.results.text import render
from rejoin_conformance.adapters.results.write import ResultsFile
from rejoin_conformance.adapters.runner.cases import Selection, UndeclaredReadingError
from rejoin_conformance.adapters.runner.known_failures import KnownFailuresError
from rejoin_conformance.adapters.runner.pool import run_cases
from rejoin_conformance.adapters.runner.run_plan import (
    RunPlan,
    WrongUsageError,
    make_adapter,
    make_plan,
)
from rejoin_conformance.adapters.runner.verdict import FAILURES, Outcome
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.command_line.adapters.adapter_options import timeout_options
from rejoin_conformance.command_line.console import (
    ADAPTER_UNUSABLE,
    CORPUS_OPTION,
    INCOMPLETE,
    NOT_CONFORMANT,
    SYSTEM,
    WRONG_USAGE,
    print_json,
    progress_bar,
    stop,
)
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import TIERS
from rejoin_conformance.kit.codec import plain
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.untrusted import shown_line

_PROGRESS_EVERY: Final = 0.1

Records = dict[Key, Record]


@click.command()
@click.argument("systems", type=SYSTEM, nargs=-1)
@click.option(
    "--adapter", "command", required=True, metavar="CMD", help="Command line of the adapter."
)
@click.option(
    "--operation",
    "operations",
    multiple=True,
    help="Run only vectors of this operation or shell pattern.  [default: all declared]",
)
@click.option(
    "--clause",
    "clauses",
    multiple=True,
    help="Run only vectors that decide this clause.  [default: all clauses]",
)
@click.option(
    "--level",
    "levels",
    multiple=True,
    type=click.Choice(["must", "should", "may"]),
    help="Run only vectors of this level.  [default: all levels]",
)
@click.option(
    "--tier",
    "tiers",
    multiple=True,
    type=click.Choice(TIERS),
    help="Run only vectors of this tier.  [default: all tiers]",
)
@click.option(
    "--id",
    "ids",
    multiple=True,
    help="Run only vectors whose ID matches this shell pattern.  [default: *]",
)
@click.option(
    "--reading",
    "readings",
    multiple=True,
    help="Use this reading for the systems that have it.  [default: the adapter's reading]",
)
@CORPUS_OPTION
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Number of adapter processes to run at the same time.",
)
@timeout_options
@click.option(
    "--known-failures",
    "known_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="TOML file that lists expected failures.  [default: none]",
)
@click.option(
    "--results",
    "results_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write every verdict to this NDJSON file; an interrupted run resumes from it.",
)
@click.option("--fresh", is_flag=True, help="Discard previous results in the results file.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as one line of JSON.")
def run(
    systems: tuple[System, ...],
    command: str,
    operations: tuple[str, ...],
    clauses: tuple[str, ...],
    levels: tuple[str, ...],
    tiers: tuple[str, ...],
    ids: tuple[str, ...],
    readings: tuple[str, ...],
    corpus: Path | None,
    jobs: int,
    timeout: float,
    hello_timeout: float,
    known_file: Path | None,
    results_file: Path | None,
    *,
    fresh: bool,
    as_json: bool,
) -> None:
    """Run the test vectors against an adapter.

    The command splits CMD into words as a shell does, and runs it without a shell. Without SYSTEM,
    it runs the vectors of all systems. --operation, --clause, --level, --tier and --id select
    vectors. You can repeat each: a vector must match at least one value of every option given. The
    run counts vectors that the adapter does not declare, but they do not make it fail.

    Each vector has its own verdict: pass, fail, crash, timeout, protocol-error or not-declared. A
    crash, a timeout or a line that is not a reply ends the adapter process. The runner then starts
    a new process and tries the request once more, alone.

    \b
    Known failures, in TOML:
      [[failure]]
      id = "config-merge/resolve/same-scalar-two-values"
      reason = "why it fails"
      link = "https://example.org/issues/12"

    \b
    Examples:
      rejoin run --adapter 'node adapter.js' config-merge
      rejoin run --adapter ./adapter --clause CM-RESOLVE-BASE --level must
      rejoin run --adapter ./adapter --jobs 2 --results results.ndjson
      rejoin run --adapter ./adapter --corpus found --level must

    \b
    Exit codes:
      0  conformant             3  incomplete: interrupted, or no vector was run
      1  not conformant         4  the adapter cannot be used
      2  wrong usage
    """
    selection = Selection(
        systems=tuple(system.name for system in systems),
        operations=operations,
        clauses=clauses,
        levels=levels,
        tiers=tiers,
        ids=ids,
        readings=readings,
    )
    try:
        adapter = make_adapter(command, Limits(timeout=timeout, hello=hello_timeout))
        with _interruptible():
            plan = make_plan(adapter, systems or all_systems(), selection, known_file, corpus)
            summary = _run(plan, jobs, results_file, fresh=fresh, quiet=as_json)
    except (WrongUsageError, KnownFailuresError, ResultsError) as error:
        stop(WRONG_USAGE, str(error))
    except (AdapterUnusableError, UndeclaredReadingError) as error:
        stop(ADAPTER_UNUSABLE, str(error))
    except KeyboardInterrupt:
        kept = (
            ""
            if results_file is None
            else f"; to resume from {results_file}, run the same command again"
        )
        stop(INCOMPLETE, f"interrupted{kept}")
    if as_json:
        print_json({"adapter": plain(plan.hello), **summary.to_json()})
    else:
        click.echo(render(summary))
    if not summary.exercised:
        stop(INCOMPLETE, "no vector was run: the adapter declares none of the selected operations")
    if not summary.conformant:
        raise click.exceptions.Exit(NOT_CONFORMANT)


def _run(
    plan: RunPlan, jobs: int, results_file: Path | None, *, fresh: bool, quiet: bool
) -> RunSummary:
    """Run the cases that have no result yet, write their results, and return the summary of all."""
    started = datetime.now(UTC).isoformat(timespec="seconds")
    volatile: JsonObject = {"started": started, "jobs": jobs}
    file = (
        nullcontext()
        if results_file is None
        else ResultsFile(results_file, plan.configuration(), volatile, fresh=fresh)
    )
    with file as results:
        records: Records = {} if results is None else dict(results.done)
        left = [case for case in plan.cases if case.key not in records]
        if not quiet:
            name = shown_line(f"{plan.hello.name} {plan.hello.version}".strip())
            done = f", {len(records):,} of them already in the results file" if records else ""
            click.echo(f"{name}: {len(plan.cases):,} vectors{done}", err=True)
        with progress_bar("run", quiet=quiet) as progress:
            report = _throttled(progress, len(plan.cases))

            def deliver(outcome: Outcome) -> None:
                line = record(outcome)
                if results is not None:
                    results.write(line)
                records[line.key] = line
                report(len(records), outcome.verdict in FAILURES)

            run_cases(plan.adapter, plan.hello, left, deliver, jobs)
        if results is not None:
            ended: JsonObject = {"ended": datetime.now(UTC).isoformat(timespec="seconds")}
            results.write(footer(records.values(), ended))
    return summarise(records.values(), plan.known)


def _throttled(
    progress: Callable[[int, int, str], None], total: int
) -> Callable[[int, bool], None]:
    """Return a report of progress at most 10 times a second: a bar costs more than a verdict."""
    failed = 0
    last = 0.0

    def report(done: int, failure: bool) -> None:  # noqa: FBT001 - called in one place
        nonlocal failed, last
        failed += failure
        now = time.monotonic()
        if now - last >= _PROGRESS_EVERY or done == total:
            last = now
            progress(done, total, f"{failed:,} failed" if failed else "")

    return report


@contextmanager
def _interruptible() -> Iterator[None]:
    """Within the block, let the signals TERM and HUP interrupt as Ctrl-C does.

    The run then ends the adapter's processes.
    """

    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    before = {
        number: signal.signal(number, interrupt) for number in (signal.SIGTERM, signal.SIGHUP)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
