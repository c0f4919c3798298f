"""`rejoin run`: run the corpus against an adapter."""

from __future__ import annotations

import signal
from pathlib import Path

import click
from attrs import evolve, frozen

from rejoin_conformance.adapters.results.text import summary_blocks
from rejoin_conformance.adapters.runner.cases import Selection
from rejoin_conformance.adapters.runner.declared import unknown_operations
from rejoin_conformance.adapters.runner.patience import MAX_TIMEOUTS, Patience
from rejoin_conformance.adapters.runner.run_plan import make_adapter, make_plan
from rejoin_conformance.command_line.choices import AdapterLimits, corpus_option, json_option
from rejoin_conformance.command_line.console import (
    ADAPTER_UNUSABLE,
    INCOMPLETE,
    NOT_CONFORMANT,
    interruptible,
    stop,
    tell,
)
from rejoin_conformance.command_line.options import command
from rejoin_conformance.command_line.running import Ran, run_plan
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import Level, Tier
from rejoin_conformance.kit.codec import plain
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.options import arg, opt


@frozen(kw_only=True)
class Chosen:
    """The vectors to run: a vector must match a value of each field that is not empty."""

    systems: tuple[System, ...] = arg("[SYSTEM]...", ())
    operations: tuple[str, ...] = opt(
        "Run only vectors of this operation or shell pattern.",
        (),
        name="operation",
        shown="all declared",
    )
    clauses: tuple[str, ...] = opt(
        "Run only vectors that decide this clause.", (), name="clause", shown="all clauses"
    )
    levels: tuple[Level, ...] = opt(
        "Run only vectors of this level.", (), name="level", shown="all levels"
    )
    tiers: tuple[Tier, ...] = opt(
        "Run only vectors of this tier.", (), name="tier", shown="all tiers"
    )
    ids: tuple[str, ...] = opt(
        "Run only vectors whose ID matches this shell pattern.", (), name="id", shown="*"
    )
    readings: tuple[str, ...] = opt(
        "Use this reading for the systems that have it.",
        (),
        name="reading",
        shown="the adapter's reading",
    )

    def selection(self) -> Selection:
        """Return the selection of a run."""
        return Selection(
            systems=tuple(system.name for system in self.systems),
            operations=self.operations,
            clauses=self.clauses,
            levels=self.levels,
            tiers=self.tiers,
            ids=self.ids,
            readings=self.readings,
        )


@frozen(kw_only=True)
class Run:
    """An adapter, the vectors to run, and when to give up."""

    adapter: str = opt("Command line of the adapter.", metavar="CMD")
    chosen: Chosen
    corpus: Path | None = corpus_option()
    jobs: int = opt("Number of adapter processes to run at the same time.", 1, least=1, most=64)
    limits: AdapterLimits
    known_failures: Path | None = opt(
        "TOML file that lists expected failures.", None, metavar="FILE", shown="none"
    )
    allow_restarts: bool = opt(
        "Accept answers that needed another process because the adapter broke before.",
        default=False,
    )
    max_failures: int = opt(
        "End the run after N failures that are not known; 0 means never.", 0, metavar="N", least=0
    )
    max_timeouts: int = opt(
        "End the run after N timeouts in a row; 0 means never.", MAX_TIMEOUTS, metavar="N", least=0
    )
    results: Path | None = opt(
        "Write every verdict to this NDJSON file; an interrupted run resumes from it.",
        None,
        metavar="FILE",
    )
    fresh: bool = opt("Discard previous results in the results file.", default=False)
    as_json: bool = json_option("Print the summary as one line of JSON.")


@command(Run, "run")
def run(options: Run) -> int:
    """Run the test vectors against an adapter.

    The command splits CMD into words as a shell does, and runs it without a shell. Without SYSTEM,
    it runs the vectors of all systems. --operation, --clause, --level, --tier and --id select
    vectors. You can repeat each: a vector must match at least one value of every option given. The
    run counts vectors that the adapter does not declare, but they do not make it fail.

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

    \b
    Examples:
      rejoin run --adapter 'node adapter.js' config-merge
      rejoin run --adapter ./adapter --clause CM-RESOLVE-BASE --level must
      rejoin run --adapter ./adapter --jobs 2 --results results.ndjson
      rejoin run --adapter ./adapter --corpus found

    \b
    Exit codes:
      0  conformant             3  incomplete: interrupted, too many timeouts in a row,
      1  not conformant            or no vector was run
      2  wrong usage            4  the adapter cannot be used, or answers nothing
    """
    adapter = make_adapter(options.adapter, options.limits.limits())
    systems = options.chosen.systems or all_systems()
    try:
        with interruptible(signal.SIGHUP):  # the run then ends the adapter's processes
            plan = evolve(
                make_plan(
                    adapter,
                    systems,
                    options.chosen.selection(),
                    options.known_failures,
                    options.corpus,
                ),
                allow_restarts=options.allow_restarts,
            )
            for line in unknown_operations(plan.hello, all_systems()):
                click.echo(f"rejoin: {line}", err=True)
            patience = Patience(
                known=plan.known,
                max_failures=options.max_failures,
                max_timeouts=options.max_timeouts,
            )
            ran = run_plan(
                plan,
                patience,
                options.jobs,
                options.results,
                fresh=options.fresh,
                quiet=options.as_json,
            )
    except KeyboardInterrupt:
        kept = options.results
        resume = "" if kept is None else f"; to resume from {kept}, run the same command again"
        stop(INCOMPLETE, f"interrupted{resume}")
    about: JsonObject = {"adapter": plain(plan.hello), "not_run": ran.left}
    tell(
        options,
        lambda: {**about, **ran.summary.to_json()},
        lambda: summary_blocks(ran.summary, adapter.command),
    )
    if ran.gave_up is not None:
        _stop_early(ran, patience, options.results)
    if not ran.summary.exercised:
        stop(INCOMPLETE, "no vector was run: the adapter declares none of the selected operations")
    return 0 if ran.summary.conformant else NOT_CONFORMANT


def _stop_early(ran: Ran, patience: Patience, results_file: Path | None) -> None:
    """Say why the run ended early, and what to do. End the command."""
    left = f"{ran.gave_up}; {counted(ran.left, 'vector')} not run"
    rest = "" if results_file is None else "; to run them, run the command again"
    if ran.gave_up is not None and ran.gave_up.limit == "failures":
        stop(NOT_CONFORMANT, f"{left} (--max-failures){rest}")
    code = INCOMPLETE if patience.answered else ADAPTER_UNUSABLE
    stop(code, f"{left}; give a longer --timeout, or --max-timeouts 0 to run all of them")
