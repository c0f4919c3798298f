"""`rejoin distil --by mutants`: choose the random vectors that the corpus needs."""

from __future__ import annotations

import json
from pathlib import Path

import click

from rejoin_conformance.campaigns.distilling.by_mutants import (
    Chosen,
    LostKillError,
    Rows,
    choose,
    random_vectors,
    refuse_lost_kills,
    rows_of_knockouts,
    rows_of_mutants,
)
from rejoin_conformance.campaigns.distilling.retire import retired_text, text_of_needed
from rejoin_conformance.campaigns.kept_lines import KeptResultsError
from rejoin_conformance.campaigns.mutants.corpus import corpus_of
from rejoin_conformance.campaigns.mutants.entries import EntriesError
from rejoin_conformance.campaigns.mutants.equivalent import FILE, load_argued
from rejoin_conformance.campaigns.mutants.kept import kept_in
from rejoin_conformance.campaigns.mutants.knockout import load_knockouts
from rejoin_conformance.campaigns.mutants.mutant import mutants_of
from rejoin_conformance.campaigns.spark.session import Cluster
from rejoin_conformance.command_line.campaigns.spreading import spreading
from rejoin_conformance.command_line.console import (
    NOT_CONFORMANT,
    WRONG_USAGE,
    print_json,
    stop,
)
from rejoin_conformance.command_line.progress import progress_bar
from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.contract.system import System
from rejoin_conformance.corpus.load import load_topic_of_histories, retired_entries
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.files import write_whole
from rejoin_conformance.kit.locations import mutants_directory, vectors_directory


def distil_by_mutants(
    system: System,
    directory: Path | None,
    kills: tuple[Path, ...],
    cluster: Cluster | None,
    *,
    retire: bool,
    as_json: bool,
) -> None:
    """Print the random vectors that are needed, and how many are not. Retire these on request.

    directory: the folder of kept results of `rejoin mutants`. kills: files of the mutants of ports.
    """
    rows_of_ports = {key: row for file in kills for key, row in _rows_in(file, system).items()}
    with (
        progress_bar(f"distil {system.name}", quiet=as_json) as progress,
        spreading(cluster, progress) as spread,
    ):
        try:
            chosen, confirmed = _chosen(system, directory, rows_of_ports, spread)
        except (EntriesError, KeptResultsError) as error:
            stop(WRONG_USAGE, str(error))
        except LostKillError as error:
            stop(NOT_CONFORMANT, str(error))
    if retire:
        _retire(system, chosen)
    if as_json:
        print_json(
            {
                "system": system.name,
                "needed": {name: [*each] for name, each in chosen.needed.items()},
                "retired": [*chosen.retired],
                "confirmed": confirmed,
            }
        )
    else:
        click.echo(_text(chosen, confirmed, retire=retire))


def _chosen(
    system: System, directory: Path | None, rows_of_ports: Rows, spread: Spread
) -> tuple[Chosen, int]:
    """Return the chosen vectors, and the number of mutants that were run without the others."""
    folder = mutants_directory() / system.name
    argued = load_argued(folder / FILE)
    mutants = mutants_of(system.name)
    corpus = corpus_of(system.name)
    kept = None if directory is None else kept_in(directory, system.name, corpus, matrix=False)
    knockouts = load_knockouts(folder, system.name)
    rows = {
        **rows_of_mutants(system.name, mutants, argued, spread, kept),
        **rows_of_knockouts(system.name, knockouts, spread),
        **rows_of_ports,
    }
    chosen = choose([*random_vectors(system.name).values()], rows)
    return chosen, refuse_lost_kills(system.name, mutants, chosen.retired, spread, kept)


def _rows_in(file: Path, system: System) -> Rows:
    """Return the rows of a file that have a random vector of the system."""
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
        rows = {name: [*row] for name, row in value.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        stop(WRONG_USAGE, f"{file}: not a JSON object of mutant -> list of IDs of vectors")
    prefix = f"{system.name}/"
    mine = {key: [each for each in row if each.startswith(prefix)] for key, row in rows.items()}
    return {f"{file.stem} {key}": row for key, row in mine.items() if row}


def _retire(system: System, chosen: Chosen) -> None:
    vectors = random_vectors(system.name)
    for path in system.kept:
        topic = load_topic_of_histories(path)
        write_whole(path, text_of_needed(system, topic, vectors, chosen))
    text = retired_text(retired_entries(), chosen.retired)
    write_whole(vectors_directory() / "retired.json", text)


def _text(chosen: Chosen, confirmed: int, *, retire: bool) -> str:
    lines = [f"{name}: {', '.join(changes)}" for name, changes in chosen.needed.items()]
    count = len(chosen.needed) + len(chosen.retired)
    lines += [
        "",
        f"{len(chosen.needed)} of {counted(count, 'random vector')} are needed",
        f"ran {counted(confirmed, 'mutant')} again without the others: all are still killed",
    ]
    if retire:
        lines.append("retired the others; run: rejoin vectors generate")
    return "\n".join(lines)
