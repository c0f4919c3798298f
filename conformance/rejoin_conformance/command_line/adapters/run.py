"""`rejoin run`: run the corpus against an adapter."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import click
from attrs import evolve

from rejoin_conformance.adapters.results.read import ResultsError
from rejoin_conformance.adapters.results.text import render
from rejoin_conformance.adapters.runner.cases import Selection
from rejoin_conformance.adapters.runner.declared import DeclarationError, unknown_operations
from rejoin_conformance.adapters.runner.known_failures import KnownFailuresError
from rejoin_conformance.adapters.runner.patience import MAX_TIMEOUTS, Patience
from rejoin_conformance.adapters.runner.run_plan import WrongUsageError, make_adapter, make_plan
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.command_line.adapters.adapter_options import limit_options, limits_of
from rejoin_conformance.command_line.adapters.running import Ran, interruptible, run_plan
from rejoin_conformance.command_line.console import (
    ADAPTER_UNUSABLE,
    CORPUS_OPTION,
    INCOMPLETE,
    NOT_CONFORMANT,
    SYSTEM,
    WRONG_USAGE,
    print_json,
    stop,
)
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import TIERS
from rejoin_conformance.kit.codec import plain
from rejoin_conformance.kit.counted import counted


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
@limit_options
@click.option(
    "--known-failures",
    "known_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="TOML file that lists expected failures.  [default: none]",
)
@click.option(
    "--allow-restarts",
    is_flag=True,
    help="Accept answers that needed another process because the adapter broke before.",
)
@click.option(
    "--max-failures",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="End the run after N failures that are not known; 0 means never.  [default: 0]",
)
@click.option(
    "--max-timeouts",
    type=click.IntRange(min=0),
    default=MAX_TIMEOUTS,
    metavar="N",
    help=f"End the run after N timeouts in a row; 0 means never.  [default: {MAX_TIMEOUTS}]",
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
    memory: int,
    known_file: Path | None,
    max_failures: int,
    max_timeouts: int,
    results_file: Path | None,
    *,
    allow_restarts: bool,
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
      rejoin run --adapter ./adapter --corpus found --level must

    \b
    Exit codes:
      0  conformant             3  incomplete: interrupted, too many timeouts in a row,
      1  not conformant            or no vector was run
      2  wrong usage            4  the adapter cannot be used, or answers nothing
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
        adapter = make_adapter(command, limits_of(timeout, hello_timeout, memory))
        with interruptible():
            plan = evolve(
                make_plan(adapter, systems or all_systems(), selection, known_file, corpus),
                allow_restarts=allow_restarts,
            )
            for line in unknown_operations(plan.hello, all_systems()):
                click.echo(f"rejoin: {line}", err=True)
            patience = Patience(
                known=plan.known, max_failures=max_failures, max_timeouts=max_timeouts
            )
            ran = run_plan(plan, patience, jobs, results_file, fresh=fresh, quiet=as_json)
    except (WrongUsageError, KnownFailuresError, ResultsError) as error:
        stop(WRONG_USAGE, str(error))
    except (AdapterUnusableError, DeclarationError) as error:
        stop(ADAPTER_UNUSABLE, str(error))
    except KeyboardInterrupt:
        kept = (
            ""
            if results_file is None
            else f"; to resume from {results_file}, run the same command again"
        )
        stop(INCOMPLETE, f"interrupted{kept}")
    if as_json:
        print_json({"adapter": plain(plan.hello), "not_run": ran.left, **ran.summary.to_json()})
    else:
        click.echo(render(ran.summary, adapter.command))
    if ran.gave_up is not None:
        _stop_early(ran, patience, results_file)
    if not ran.summary.exercised:
        stop(INCOMPLETE, "no vector was run: the adapter declares none of the selected operations")
    if not ran.summary.conformant:
        raise click.exceptions.Exit(NOT_CONFORMANT)


def _stop_early(ran: Ran, patience: Patience, results_file: Path | None) -> NoReturn:
    """Say why the run ended early, and what to do. End the command."""
    left = f"{ran.gave_up}; {counted(ran.left, 'vector')} not run"
    rest = "" if results_file is None else "; to run them, run the command again"
    if ran.gave_up is not None and ran.gave_up.limit == "failures":
        stop(NOT_CONFORMANT, f"{left} (--max-failures){rest}")
    code = INCOMPLETE if patience.answered else ADAPTER_UNUSABLE
    stop(code, f"{left}; give a longer --timeout, or --max-timeouts 0 to run all of them")
