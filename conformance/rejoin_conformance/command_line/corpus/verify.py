"""`rejoin verify`: the corpus against the reference, in process."""

from __future__ import annotations

import fnmatch
import textwrap
from pathlib import Path
from typing import Final

import click

from rejoin_conformance.command_line.campaigns.reading_options import chosen_side
from rejoin_conformance.command_line.console import (
    CORPUS_OPTION,
    NOT_CONFORMANT,
    SYSTEM,
    WRONG_USAGE,
    chosen_reading,
    print_json,
    progress_bar,
    stop,
)
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.corpus.moved import moves
from rejoin_conformance.corpus.verify import Mismatch, verify_vector
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.readings.in_force import Side

MISMATCHES_SHOWN: Final = 20
RESULT_SHOWN: Final = 1000


@click.command()
@click.argument("systems", type=SYSTEM, nargs=-1)
@click.option("--id", "pattern", default="*", help="Only vectors whose ID matches, as in a shell.")
@click.option(
    "--reading", metavar="READING", help="Say which vectors move under this reading or rule file."
)
@click.option("--base", metavar="READING", help="Whose expectations move.  [default reading]")
@CORPUS_OPTION
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON instead of text.")
def verify(
    systems: tuple[System, ...],
    pattern: str,
    reading: str | None,
    base: str | None,
    corpus: Path | None,
    *,
    as_json: bool,
) -> None:
    """Check that the reference answers every vector of the corpus as the corpus says.

    Runs in process, every vector in every reading that it has an expectation for. Without SYSTEM,
    all systems are checked. If the reference has two evaluations of an operation, as for the
    history merge, both run and must agree.

    With --reading, the question is another one: which vectors of one system have another result
    under that reading, or under the changed rule of a file (rule.py; `rejoin compare --help` says
    what it holds), than the corpus expects under the reading --base. Exit code 1 where any has.

    \b
    Examples:
      rejoin verify
      rejoin verify config-merge --id '*/resolve/*'
      rejoin verify config-merge --reading document+replay_cutoff=false
      rejoin verify conflict-detection --reading my_rule.py
    """
    chosen = systems or all_systems()
    if reading is not None and len(systems) != 1:
        raise click.UsageError("--reading is of one system: name one SYSTEM")
    if base is not None and reading is None:
        raise click.UsageError("--base goes with --reading")
    side = None if reading is None else chosen_side(systems[0], reading)
    base_name = chosen_reading(chosen[0], base) if side is not None else ""
    if side is not None and base_name not in systems[0].readings:
        raise click.UsageError("--base is a reading that the corpus has expectations for")
    vectors = [
        vector
        for system in chosen
        for vector in load_system(system.name, corpus)
        if fnmatch.fnmatchcase(vector.id, pattern)
    ]
    if not vectors:
        stop(WRONG_USAGE, f"no vector matches {pattern!r}")
    if side is not None:
        _say_what_moves(systems[0], vectors, side, base_name, as_json=as_json)
        return
    mismatches: list[Mismatch] = []
    answers = 0
    with progress_bar("verify", quiet=as_json) as progress:
        for done, vector in enumerate(vectors, start=1):
            mismatches += verify_vector(vector)
            answers += len(vector.expected)
            progress(done, len(vectors), "")
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
            click.echo(f"{system.name}: {count} vectors, readings {', '.join(system.readings)}")
        click.echo(
            f"{answers - len(mismatches)} of {answers} answers of the reference are as expected"
        )
    if mismatches:
        raise click.exceptions.Exit(NOT_CONFORMANT)


def _say_what_moves(
    system: System, vectors: list[Vector], side: Side, base: str, *, as_json: bool
) -> None:
    with progress_bar("verify", quiet=as_json) as progress:
        found = moves(vectors, side, base, system, lambda done: progress(done, len(vectors), ""))
    if as_json:
        listed: list[Json] = [
            {"id": each.vector.id, "clauses": [*each.vector.clauses], "observed": each.observed}
            for each in found.moved
        ]
        clauses: JsonObject = {**found.clauses}
        print_json({"vectors": found.asked, "moved": listed, "clauses": clauses})
    else:
        for each in found.moved:
            click.echo(f"MOVED {each.vector.id}  [{', '.join(each.vector.clauses)}]")
            click.echo(textwrap.indent(each.observed[:RESULT_SHOWN], "      "))
        if found.moved:
            click.echo("")
            counts = (f"{clause} {count}" for clause, count in found.clauses.items())
            click.echo(f"clauses of the moved vectors: {', '.join(counts)}")
        click.echo(f"{len(found.moved)} of {found.asked} vectors of {base} move under {side.name}")
    if found.moved:
        raise click.exceptions.Exit(NOT_CONFORMANT)
