"""`rejoin verify`: the corpus against the reference, in process."""

from __future__ import annotations

import fnmatch
from pathlib import Path
from typing import Final

import click

from rejoin_conformance.command_line.console import (
    CORPUS_OPTION,
    NOT_CONFORMANT,
    SYSTEM,
    WRONG_USAGE,
    print_json,
    progress_bar,
    stop,
)
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.corpus.verify import Mismatch, verify_vector
from rejoin_conformance.json_types import Json
from rejoin_conformance.registry import all_systems
from rejoin_conformance.system import System

MISMATCHES_SHOWN: Final = 20


@click.command()
@click.argument("systems", type=SYSTEM, nargs=-1)
@click.option("--id", "pattern", default="*", help="Only vectors whose ID matches, as in a shell.")
@CORPUS_OPTION
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON instead of text.")
def verify(
    systems: tuple[System, ...], pattern: str, corpus: Path | None, *, as_json: bool
) -> None:
    """Check that the reference answers every vector of the corpus as the corpus says.

    Runs in process, every vector in every reading that it has an expectation for. Without SYSTEM,
    all systems are checked.

    \b
    Examples:
      rejoin verify
      rejoin verify config-merge --id '*/resolve/*'
    """
    chosen = systems or all_systems()
    vectors = [
        vector
        for system in chosen
        for vector in load_system(system.name, corpus)
        if fnmatch.fnmatchcase(vector.id, pattern)
    ]
    if not vectors:
        stop(WRONG_USAGE, f"no vector matches {pattern!r}")
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
