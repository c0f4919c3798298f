"""`rejoin run`: run the corpus against an adapter."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import click
from attrs import evolve, frozen

from rejoin_conformance.adapters.results.configuration import said_of_files
from rejoin_conformance.adapters.results.failure_groups import told_in_full
from rejoin_conformance.adapters.results.file import Results, ResultsFile, writing_results
from rejoin_conformance.adapters.results.records import Key, Record, footer, record
from rejoin_conformance.adapters.results.summary import RunSummary, summarise
from rejoin_conformance.adapters.results.text import summary_blocks
from rejoin_conformance.adapters.run_options import RunOptions
from rejoin_conformance.adapters.runner.ask_steps import StepsAsked
from rejoin_conformance.adapters.runner.cases import FAILURES, Case, Outcome, Verdict
from rejoin_conformance.adapters.runner.declared import undeclared_readings, unknown_names
from rejoin_conformance.adapters.runner.pool import MAX_TIMEOUTS, GaveUpError, Patience, run_cases
from rejoin_conformance.adapters.runner.run_plan import RunPlan, make_plan
from rejoin_conformance.adapters.runner.worker import Deliver
from rejoin_conformance.adapters.shipped import shipped_here
from rejoin_conformance.campaigns.findings.suspecting import with_evidence
from rejoin_conformance.command_line.choices import Chosen, Shown, ship_option
from rejoin_conformance.command_line.console import Out, ended, interruptible, stop
from rejoin_conformance.command_line.forms import Forms, write_forms
from rejoin_conformance.command_line.options import command, written
from rejoin_conformance.command_line.vectors_on_spark import MaybeSpark, run_cases_on_spark
from rejoin_conformance.contract.operation import output_in
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.kit.codec import plain
from rejoin_conformance.kit.errors import Interrupted
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.options import opt
from rejoin_conformance.kit.text import counted, shown_line
from rejoin_conformance.reports.columns import columns_of

Records = dict[Key, Record]

_ASKED_AGAIN: Final = 8
"""The number of answers of an interrupted run that the adapter must give once more."""


@frozen(kw_only=True)
class Run:
    """An adapter, the vectors to run, and when to give up."""

    adapter: str = opt("Command line of the adapter.", metavar="CMD")
    place: MaybeSpark
    ship: Path | None = ship_option()
    chosen: Chosen
    how: RunOptions
    max_failures: int = opt(
        "End the run after N failures that are not known; 0 means never.", 0, metavar="N", least=0
    )
    max_timeouts: int = opt(
        "End the run after N timeouts in a row, or after N requests without a valid reply if there "
        "was none before; 0 means never.",
        MAX_TIMEOUTS,
        metavar="N",
        least=0,
    )
    results: Path | None = written(
        "Write every verdict to this NDJSON file; an interrupted run resumes from it.",
        name="output",
    )
    forms: Forms
    laws: bool = opt("Check the laws on random histories instead of the vectors.", default=False)
    fresh: bool = opt("Discard previous results in the results file.", default=False)
    shown: Shown
    out: Out


@command(Run, "run")
def run(options: Run) -> int:
    """Run the test vectors against an adapter.

    The command splits CMD into words as a shell does, and runs it without a shell. Without SYSTEM,
    it runs the vectors of all systems. --operation, --clause, --level, --tier and --id select
    vectors. You can repeat each: a vector must match at least one value of every option given. The
    run counts vectors that the adapter does not declare, but they do not make it fail.

    With --spark, --master or --remote, the tasks of Spark run the vectors, each with a process of
    the adapter. --ship sends the adapter's program to them.

    Each vector has its own verdict: pass, fail, crash, timeout, protocol-error or not-declared. A
    crash, a timeout or a line that is not a reply ends the adapter process. The runner then starts
    a new process and tries the request once more, alone. An answer that needed another process is
    a restart. An adapter with restarts does not conform, unless you give --allow-restarts.

    \b
    Known failures, in TOML:
      [[failure]]
      id = "config-merge/resolve/same-scalar-two-values"
      reason = "why it fails"
      link = "https://example.org/issues/12"

    A rejection can carry a code of the spec's errors.md. --strict-codes compares it where a vector
    expects one: a rejection with another code, or with none, fails as `wrong-reason`. --codes
    names a TOML file with a table for each system, in which your own names stand for codes:
      [config-merge]
      E_INT = ["bad-integer", "integer-not-canonical"]

    With --laws, the command checks commutativity, determinism, idempotence and convergence instead:
    on random histories, and on vectors in other orders. It needs the extra `laws`. A failure is
    printed as a paragraph for `rejoin vectors add`.

    \b
    Examples:
      rejoin run --adapter 'node adapter.js' config-merge
      rejoin run --adapter ./adapter --clause CM-RESOLVE-BASE --level must
      rejoin run --adapter ./adapter --jobs 2 --output results.ndjson
      rejoin run --adapter ./adapter --html report.html
      rejoin run --adapter ./adapter --corpus found
      rejoin run --adapter ./adapter --strict-codes --codes codes.toml
      rejoin run --adapter ./adapter --laws
    """
    if options.laws:
        return _run_laws(options)
    if options.results == Path("-"):
        raise click.UsageError("--output names a file; --json prints the summary")
    chosen = options.chosen
    if options.how.conformance and chosen.corpus is not None:
        raise click.UsageError(
            "--conformance asks for the vectors of the project; leave out --corpus"
        )
    if options.how.compared.strict_codes and options.place.wanted:
        raise click.UsageError("--strict-codes compares codes in this process; leave out Spark")
    if options.ship is not None and not options.place.wanted:
        raise click.UsageError("--ship needs --spark, --master or --remote")
    files = options.forms.files
    # After a signal, the run ends the adapter's processes.
    with shipped_here(options.ship), interruptible(signal.SIGHUP):
        plan = make_plan(
            options.adapter,
            chosen.systems,
            chosen.selection,
            options.how,
            chosen.corpus,
            indexed=not chosen.no_index,
        )
        for line in (
            *unknown_names(plan.hello, all_systems()),
            *undeclared_readings(plan.hello, chosen.systems or all_systems(), options.how.readings),
        ):
            click.echo(f"rejoin: {line}", err=True)
        patience = Patience(
            known=plan.configuration.known,
            max_failures=options.max_failures,
            max_timeouts=options.max_timeouts,
        )
        results, summary, gave_up = _run(plan, patience, options)
    about: JsonObject = {"adapter": plain(plan.hello)}
    options.out.tell(
        lambda: {**about, **summary.to_json()},
        lambda: summary_blocks(summary, options.shown.most, chosen.corpus),
        files.values(),
    )
    if files:
        write_forms(files, columns_of([(Path("run"), results)]))
    if gave_up is not None:
        click.echo(f"rejoin: {_why_early(gave_up, summary.left, options.results)}", err=True)
    return ended(summary.judged, "the adapter declares none of the selected operations")


def _run_laws(options: Run) -> int:
    """Hold the adapter to the laws, tell the results, and return the exit code."""
    how, chosen = options.how, options.chosen
    given = (options.place.wanted, options.ship, options.results, options.max_failures)
    other = how != RunOptions(limits=how.limits) or chosen != Chosen(systems=chosen.systems)
    if other or any((*given, *options.forms.files)):
        stop("--laws checks no vectors: it goes with SYSTEM, --timeout and --json")
    from rejoin_conformance.laws.results import held_to_the_laws  # noqa: PLC0415 - needs an extra

    systems = chosen.systems or all_systems()
    results = held_to_the_laws(options.adapter, how.limits, systems)
    options.out.tell(results.to_json, results.blocks)
    return ended(results.judged, "the adapter declares nothing that the laws ask")


def _why_early(gave_up: GaveUpError, left: int, results_file: Path | None) -> str:
    """Return why the run ended early, and what to do. left: the number of vectors not run."""
    said = f"{gave_up}; {counted(left, 'vector')} not run"
    rest = "" if results_file is None else "; to run them, run the command again"
    if gave_up.limit == "failures":
        return f"{said} (--max-failures){rest}"
    return f"{said}; correct the adapter, give a longer --timeout, or --max-timeouts 0 to run all"


def _run(
    plan: RunPlan, patience: Patience, options: Run
) -> tuple[Results, RunSummary, GaveUpError | None]:
    """Run the cases that have no result yet, and write their results.

    Returns the results of all, their summary, and why the run ended early, if it did.
    """
    started = datetime.now(UTC).isoformat(timespec="seconds")
    volatile: JsonObject = {"started": started, "jobs": plan.options.jobs}
    file: Any = nullcontext()
    if options.results is not None:
        file = writing_results(options.results, plan.configuration, volatile, fresh=options.fresh)
    with file as results:
        records: Records = {} if results is None else dict(results.done)
        again = [key for key, each in records.items() if each.answers][-_ASKED_AGAIN:]
        left = [each for each in plan.cases if each.key not in records or each.key in again]
        if not options.out.as_json:
            _say_beginning(plan, records, results)
        with options.out.progress("run", unit="vectors") as progress:
            failed: list[Verdict] = []

            def deliver(outcome: Outcome) -> None:
                line = record(outcome)
                before = records.get(line.key)
                if before is not None and before.volatile.restarted:  # asked again after a restart
                    line = evolve(line, volatile=evolve(line.volatile, restarted=True))
                if results is not None:
                    results.refuse_another(line)
                    results.write(line)
                records[line.key] = line
                failed.extend([outcome.verdict] if outcome.verdict in FAILURES else [])
                what = f"{len(failed):,} failed" if failed else ""
                progress(len(records), len(plan.cases), what)
                patience.take(outcome)

            gave_up = None
            try:
                _ask(plan, left, deliver, options)
            except GaveUpError as error:
                gave_up = error
            except KeyboardInterrupt:
                if results is None:
                    raise
                kept = f"{counted(len(records), 'verdict')} of {len(plan.cases):,}"
                raise Interrupted(f"{options.results} keeps {kept}") from None
        if gave_up is None or gave_up.limit == "failures":
            for line in _with_more(plan, records):
                records[line.key] = line
                if results is not None:
                    results.write(line)
        last = None
        if gave_up is None:
            now = datetime.now(UTC).isoformat(timespec="seconds")
            last = footer(records.values(), {**volatile, "ended": now})
            if results is not None:
                results.write(evolve(last, volatile={"ended": now}))
    summary = summarise(records.values(), plan.configuration, finished=last is not None)
    whole = Results(configuration=plan.configuration, records=records, footer=last)
    return whole, summary, gave_up


def _say_beginning(plan: RunPlan, records: Records, results: ResultsFile | None) -> None:
    """Say who is asked how much, and what of it a results file has."""
    name = shown_line(f"{plan.hello.name} {plan.hello.version}".strip())
    done = f", {len(records):,} of them already in the results file" if records else ""
    click.echo(f"{name}: {counted(len(plan.cases), 'vector')}{done}", err=True)
    if results is not None and records:
        said = said_of_files(plan.configuration.command)
        click.echo(f"resuming from {results.path}; {said}", err=True)
    if results is not None and results.replaces:
        click.echo(f"{results.path} had results of a whole run; they are replaced", err=True)


def _ask(plan: RunPlan, cases: Sequence[Case], deliver: Deliver, options: Run) -> None:
    """Run cases, with processes of this machine or in the tasks of Spark."""
    if not options.place.wanted:
        run_cases(plan.adapter, plan.hello, cases, deliver, plan.options.jobs)
        return
    limits, ship = plan.options.limits, options.ship
    run_cases_on_spark(
        options.place, options.adapter, cases, deliver, hello=plan.hello, limits=limits, ship=ship
    )


def _with_more(plan: RunPlan, records: Records) -> Iterator[Record]:
    """Yield the failures that reports tell in full, with their steps and what they decide."""
    failures = summarise(records.values(), plan.configuration).failures
    cases = {case.key: case for case in plan.cases}
    decided = {each.key: each for each in with_evidence(records.values(), failures, cases)}
    with StepsAsked(plan.adapter, plan.hello) as asked:
        for each in told_in_full(failures):
            if each.fault == "wrong-output":
                steps = asked.of(cases[each.key], output_in(each.observed))
                decided[each.key] = evolve(decided.get(each.key, each), steps=steps)
    yield from decided.values()
