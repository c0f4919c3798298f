"""`rejoin verify`: check the reference against the corpus."""

from __future__ import annotations

import fnmatch
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from rejoin_conformance.command_line.campaigns.reading_options import chosen_side
from rejoin_conformance.command_line.campaigns.untried import (
    end_if_untried,
    reach_json,
    reach_text,
)
from rejoin_conformance.command_line.console import (
    CORPUS_OPTION,
    NOT_CONFORMANT,
    SYSTEM,
    WRONG_USAGE,
    chosen_reading,
    print_json,
    stop,
)
from rejoin_conformance.command_line.progress import progress_bar
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import TIERS, Vector
from rejoin_conformance.corpus.load import load_system, topic_files
from rejoin_conformance.corpus.moved import MovedClause, MovedVectors, moves
from rejoin_conformance.corpus.verify import Mismatch, verify_in_forks
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.readings.in_force import Side

MISMATCHES_SHOWN: Final = 20
RESULT_SHOWN: Final = 1000
_OWN: Final = "clauses of the changed code, by the share of their vectors that change"
_OTHER: Final = "other clauses, by the share of their vectors that change"


@click.command()
@click.argument("systems", type=SYSTEM, nargs=-1)
@click.option(
    "--id",
    "pattern",
    default="*",
    show_default=True,
    help="Check only vectors whose ID matches this shell pattern.",
)
@click.option(
    "--tier",
    "tiers",
    multiple=True,
    type=click.Choice(TIERS),
    help="Check only vectors of this tier.  [default: all tiers]",
)
@click.option(
    "--reading",
    metavar="READING",
    help="List the vectors whose result changes under this reading or rule file.  "
    "[default: check every reading]",
)
@click.option(
    "--base",
    metavar="READING",
    help="With --reading: compare with the expected results of this reading.  "
    "[default: the system's default reading]",
)
@CORPUS_OPTION
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON instead of text.")
def verify(
    systems: tuple[System, ...],
    pattern: str,
    tiers: tuple[str, ...],
    reading: str | None,
    base: str | None,
    corpus: Path | None,
    *,
    as_json: bool,
) -> None:
    """Check the reference against the test vectors.

    The command runs every vector in this process, in every reading that has an expected result.
    Without SYSTEM, it checks all systems. If the reference has two evaluations of an operation, as
    for the history merge, both run and must agree.

    With --reading, it answers another question: which vectors of one SYSTEM have a different result
    under this reading? The results are compared with the expected results under the reading --base.
    READING can also be a rule file such as rule.py; see `rejoin compare --help`. Then the command
    also prints how often each overridden function was called, and how often its answer differed
    from the original's. Changed vectors that a person wrote come first. Changed clauses are listed
    by the share of their vectors that changed, the clauses of the changed code first.

    \b
    Examples:
      rejoin verify
      rejoin verify config-merge --id '*/resolve/*'
      rejoin verify config-merge --reading document+replay_cutoff=false
      rejoin verify conflict-detection --reading my_rule.py

    \b
    Exit codes:
      0  every result is as expected      2  wrong usage
      1  some result differs              3  an overridden function was not called
    """
    chosen = systems or all_systems()
    if reading is not None and len(systems) != 1:
        raise click.UsageError("--reading applies to one system; name one SYSTEM")
    if base is not None and reading is None:
        raise click.UsageError("--base needs --reading")
    side = None if reading is None else chosen_side(systems[0], reading)
    base_name = chosen_reading(chosen[0], base) if side is not None else ""
    if side is not None and base_name not in systems[0].readings:
        known = ", ".join(systems[0].readings)
        raise click.UsageError(
            f"--base: the corpus has no results for {base}; choose one of {known}"
        )
    vectors = [
        vector
        for system in chosen
        for vector in load_system(system.name, corpus)
        if fnmatch.fnmatchcase(vector.id, pattern) and (not tiers or vector.tier in tiers)
    ]
    if not vectors:
        empty = not any(topic_files(system.name, corpus) for system in chosen)
        why = f"{corpus} has no vectors of the chosen systems" if corpus and empty else ""
        stop(
            WRONG_USAGE,
            why or "no vector matches these filters; list all with: rejoin vectors list",
        )
    if side is not None:
        found = _moved(systems[0], vectors, side, base_name, as_json=as_json)
        end_if_untried(found.reached, side, systems[0], base_name, corpus)
        if found.moved:
            raise click.exceptions.Exit(NOT_CONFORMANT)
        return
    answers = sum(len(vector.readings) for vector in vectors)
    faults: dict[int, list[Mismatch]] = {}
    with (
        verify_in_forks(vectors) as results,  # before the bar, which starts a thread
        progress_bar("verify", quiet=as_json) as progress,
    ):
        for place, mismatches_of in results:
            faults[place] = mismatches_of
            progress(len(faults), len(vectors), "")
    mismatches = [each for place in sorted(faults) for each in faults[place]]
    if as_json:
        listed: list[Json] = [
            {"id": each.vector.id, "reading": each.reading, "observed": each.observed}
            for each in mismatches
        ]
        print_json({"vectors": len(vectors), "answers": answers, "mismatches": listed})
    else:
        for each in mismatches[:MISMATCHES_SHOWN]:
            click.echo(f"FAIL {each.vector.id} [{each.reading}]\n     {each.observed[:500]}")
        if len(mismatches) > MISMATCHES_SHOWN:
            click.echo(f"... and {len(mismatches) - MISMATCHES_SHOWN} more")
        for system in chosen:
            count = sum(1 for vector in vectors if vector.system == system.name)
            vectors_of = counted(count, "vector")
            click.echo(f"{system.name}: {vectors_of}, readings {', '.join(system.every_reading)}")
        click.echo(
            f"{answers - len(mismatches)} of {answers} results of the reference are as expected"
        )
    if mismatches:
        raise click.exceptions.Exit(NOT_CONFORMANT)


def _clauses_text(clauses: Sequence[MovedClause]) -> str:
    lines: list[str] = []
    for title, changed in ((_OWN, True), (_OTHER, False)):
        some = [each for each in clauses if each.is_changed is changed]
        if some:
            lines += [title, *(f"  {each.clause}  {each.moved} of {each.asked}" for each in some)]
    return "\n".join(lines)


def _moved(
    system: System, vectors: list[Vector], side: Side, base: str, *, as_json: bool
) -> MovedVectors:
    """Print the vectors whose result changes under a side."""
    with progress_bar("verify", quiet=as_json) as progress:
        found = moves(vectors, side, base, system, lambda done: progress(done, len(vectors), ""))
    if as_json:
        listed: list[Json] = [
            {"id": each.vector.id, "clauses": [*each.vector.clauses], "observed": each.observed}
            for each in found.moved
        ]
        clauses: JsonObject = {
            each.clause: {"moved": each.moved, "vectors": each.asked} for each in found.clauses
        }
        reached = reach_json(found.reached)
        print_json(
            {
                "vectors": len(found.asked),
                "moved": listed,
                "clauses": clauses,
                "overridden": reached,
            }
        )
        return found
    for each in found.moved:
        click.echo(f"CHANGED {each.vector.id}  [{', '.join(each.vector.clauses)}]")
        click.echo(textwrap.indent(each.observed[:RESULT_SHOWN], "      "))
    if found.moved:
        click.echo(f"\n{_clauses_text(found.clauses)}\n")
    if found.reached:
        click.echo(reach_text(found.reached, "vector"))
    if found.reached and not any(each.calls.calls for each in found.reached.values()):
        click.echo(f"0 of {len(found.asked):,} vectors call an overridden function")
    else:
        vectors_of = f"{len(found.moved):,} of {len(found.asked):,} vectors"
        click.echo(f"{vectors_of} change from {base} to {side.name}")
    return found
