"""Run the cases of a plan for `rejoin run`: write each verdict, and show the progress."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click
from attrs import evolve, frozen

from rejoin_conformance.adapters.results.failure_groups import told_in_full
from rejoin_conformance.adapters.results.records import Key, Record, footer, record
from rejoin_conformance.adapters.results.summary import RunSummary, summarise
from rejoin_conformance.adapters.results.write import ResultsFile
from rejoin_conformance.adapters.runner.ask_steps import StepsAsked
from rejoin_conformance.adapters.runner.patience import GaveUpError, Patience
from rejoin_conformance.adapters.runner.pool import run_cases
from rejoin_conformance.adapters.runner.run_plan import RunPlan
from rejoin_conformance.adapters.runner.verdict import FAILURES, Outcome
from rejoin_conformance.command_line.progress import progress_bar
from rejoin_conformance.contract.asked import output_in
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.untrusted import shown_line

_PROGRESS_EVERY: Final = 0.1

Records = dict[Key, Record]


@frozen
class Ran:
    """The end of a run. gave_up: why it ended early, or None. left: the cases without a verdict."""

    summary: RunSummary
    gave_up: GaveUpError | None
    left: int


def run_plan(
    plan: RunPlan,
    patience: Patience,
    jobs: int,
    results_file: Path | None,
    *,
    fresh: bool,
    quiet: bool,
) -> Ran:
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
        patience.answered = any(each.verdict in {"pass", "fail"} for each in records.values())
        left = [case for case in plan.cases if case.key not in records]
        if not quiet:
            name = shown_line(f"{plan.hello.name} {plan.hello.version}".strip())
            done = f", {len(records):,} of them already in the results file" if records else ""
            click.echo(f"{name}: {len(plan.cases):,} vectors{done}", err=True)
        with progress_bar("run", quiet=quiet, unit="vectors") as progress:
            report = _throttled(progress, len(plan.cases))

            def deliver(outcome: Outcome) -> None:
                line = record(outcome)
                if results is not None:
                    results.write(line)
                records[line.key] = line
                report(len(records), outcome.verdict in FAILURES)
                patience.take(outcome)

            gave_up = None
            try:
                run_cases(plan.adapter, plan.hello, left, deliver, jobs)
            except GaveUpError as error:
                gave_up = error
        if gave_up is None or gave_up.limit == "failures":
            for line in _with_steps(plan, records):
                records[line.key] = line
                if results is not None:
                    results.write(line)
        if results is not None and gave_up is None:
            ended: JsonObject = {"ended": datetime.now(UTC).isoformat(timespec="seconds")}
            results.write(footer(records.values(), ended))
    summary = summarise(records.values(), plan.known, allow_restarts=plan.allow_restarts)
    return Ran(summary, gave_up, len(plan.cases) - len(records))


def _with_steps(plan: RunPlan, records: Records) -> Iterator[Record]:
    """Yield the failures that reports tell in full, with the steps of their outputs."""
    summary = summarise(records.values(), plan.known)
    wrong = [each for each in told_in_full(summary.failures) if each.fault == "wrong-output"]
    cases = {case.key: case for case in plan.cases}
    with StepsAsked(plan.adapter, plan.hello) as asked:
        for each in wrong:
            steps = asked.of(cases[each.key], output_in(each.observed))
            if steps is not None:
                yield evolve(each, steps=steps)


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
