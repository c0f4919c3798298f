"""`rejoin vectors`: list, show, add, generate, check and export test vectors."""

from __future__ import annotations

import fnmatch
import json
from pathlib import Path
from typing import Final

import click

from rejoin_conformance.command_line.console import (
    CORPUS_OPTION,
    NOT_CONFORMANT,
    SYSTEM,
    WRONG_USAGE,
    print_json,
    require_checkout,
    stop,
)
from rejoin_conformance.command_line.corpus.vectors_add import add
from rejoin_conformance.command_line.corpus.vectors_describe import describe
from rejoin_conformance.command_line.corpus.vectors_diff import diff
from rejoin_conformance.contract.registry import all_systems, system_named, system_names
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import TIERS, Vector
from rejoin_conformance.corpus.check import check_system
from rejoin_conformance.corpus.generate import (
    INDEX_PATH,
    index_text,
    refuse_lost_ids,
    system_files,
)
from rejoin_conformance.corpus.load import load_index, load_system
from rejoin_conformance.corpus.paragraph_text import render_paragraph
from rejoin_conformance.corpus.text_vectors import unchecked
from rejoin_conformance.corpus.version import CORPUS_VERSION
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.files import write_whole
from rejoin_conformance.kit.json_types import canonical_json
from rejoin_conformance.kit.locations import vectors_directory
from rejoin_conformance.kit.near_misses import did_you_mean

_CHANGES_SHOWN: Final = 20


@click.group()
def vectors() -> None:
    """List, show, compare, add, generate or check test vectors.

    \b
    Examples:
      rejoin vectors list history-merge
      rejoin vectors generate --check
    """


@vectors.command(name="list")
@click.argument("systems", type=SYSTEM, nargs=-1)
@click.option("--clause", help="List only vectors that decide this clause.  [default: all clauses]")
@click.option("--operation", help="List only vectors of this operation.  [default: all operations]")
@click.option(
    "--tier",
    "tiers",
    multiple=True,
    type=click.Choice(TIERS),
    help="List only vectors of this tier.  [default: all tiers]",
)
@click.option(
    "--id",
    "pattern",
    default="*",
    show_default=True,
    help="List only vectors whose ID matches this shell pattern.",
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print one line of JSON for each vector instead of text.",
)
def list_vectors(
    systems: tuple[System, ...],
    clause: str | None,
    operation: str | None,
    tiers: tuple[str, ...],
    pattern: str,
    *,
    as_json: bool,
) -> None:
    """List vectors by ID and summary.

    \b
    Examples:
      rejoin vectors list config-merge --clause CM-RESOLVE-BASE
      rejoin vectors list --id '*/worked-example/*'
    """
    found = [
        vector
        for vector in _corpus(systems)
        if fnmatch.fnmatchcase(vector.id, pattern)
        and (clause is None or clause in vector.clauses)
        and (operation is None or operation == vector.operation)
        and (not tiers or vector.tier in tiers)
    ]
    for vector in found:
        if as_json:
            print_json({"id": vector.id, "operation": vector.operation, "summary": vector.summary})
        else:
            click.echo(f"{vector.id}\n    {vector.summary}")
    if clause is not None and not any(clause in vector.clauses for vector in _corpus(systems)):
        known = {each for vector in _corpus(systems) for each in vector.clauses}
        near = did_you_mean(clause, sorted(known))
        stop(WRONG_USAGE, f"no vector decides the clause {clause!r}{near}")
    if not as_json:
        click.echo(counted(len(found), "vector"), err=True)


@vectors.command()
@click.argument("vector_id")
@click.option("--json", "as_json", is_flag=True, help="Print the vector as JSON instead of text.")
def show(vector_id: str, *, as_json: bool) -> None:
    """Print one vector: its input and its expected result.

    The command prints the vector as a paragraph of text (docs/notation.md). If the text notation
    cannot express the vector, the command prints it as JSON.

    \b
    Examples:
      rejoin vectors show history-merge/two-branches/picture-from-b
      rejoin vectors show config-merge/decode/integer-largest --json
    """
    name = vector_id.partition("/")[0]
    if name not in system_names():
        near = did_you_mean(name, system_names())
        stop(
            WRONG_USAGE,
            f"there is no vector {vector_id!r}; list all with: rejoin vectors list{near}",
        )
    for vector in load_system(name):
        if vector.id == vector_id:
            text = None if as_json else render_paragraph(system_named(name), vector)
            click.echo(text or json.dumps(vector.to_json(), indent=2), nl=text is None)
            return
    stop(
        WRONG_USAGE,
        f"there is no vector {vector_id!r}; list all with: rejoin vectors list {name}"
        + did_you_mean(vector_id, (each.id for each in load_system(name))),
    )


@vectors.command()
@click.argument("systems", type=SYSTEM, nargs=-1)
@click.option(
    "--check", is_flag=True, help="Write nothing; exit with 1 if a committed file differs."
)
def generate(systems: tuple[System, ...], *, check: bool) -> None:
    """Generate the corpus from the drafts and the reference.

    The command removes JSON files of these systems that the generator does not write. It stops if
    a vector would disappear whose ID is not in retired.json.

    \b
    Examples:
      rejoin vectors generate
      rejoin vectors generate history-merge --check

    \b
    Exit codes:
      0  done      1  --check found a difference      2  wrong usage, or a draft with a fault
    """
    if not check:
        require_checkout("rejoin vectors generate")
    chosen = systems or all_systems()
    files: dict[str, str] = {}
    made: list[Vector] = []
    for system in chosen:
        of_system, of_vectors = system_files(system)
        files.update(of_system)
        made += of_vectors
    names = {system.name for system in chosen}
    others = [
        vector for name in system_names() if name not in names for vector in load_system(name)
    ]
    refuse_lost_ids(load_index(), (vector.id for vector in (*made, *others)))
    files[INDEX_PATH] = index_text((*made, *others), CORPUS_VERSION)
    root = vectors_directory()
    stale = [
        path
        for name in sorted(names)
        for folder in (root / name, root / "schema" / name)
        for path in sorted(folder.glob("*.json"))
        if path.relative_to(root).as_posix() not in files
    ]
    changed = [path for path, text in files.items() if _committed(root / path) != text]
    if check:
        _report_differences(changed, [path.relative_to(root).as_posix() for path in stale])
        click.echo(f"{counted(len(files), 'file')} equal the generator's output")
        return
    for path in changed:
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, files[path])
    for old in stale:
        old.unlink()
    click.echo(
        f"generated {counted(len(made), 'vector')}; changed {len(changed)} of {len(files)} files, "
        f"removed {len(stale)}"
    )


@vectors.command()
@click.argument("systems", type=SYSTEM, nargs=-1)
@CORPUS_OPTION
def check(systems: tuple[System, ...], corpus: Path | None) -> None:
    """Check the schemas, IDs, digests and clauses of the corpus.

    The command prints one line for each fault. It also checks that each negative vector has exactly
    one fault in its input. It lists written vectors whose answer nobody has checked by hand; these
    are not faults.

    \b
    Examples:
      rejoin vectors check
      rejoin vectors check history-merge

    \b
    Exit codes:
      0  no faults      1  at least one fault      2  wrong usage
    """
    chosen = systems or all_systems()
    faults = [fault for system in chosen for fault in check_system(system.name, corpus)]
    for fault in faults:
        click.echo(fault)
    if faults:
        stop(NOT_CONFORMANT, f"{counted(len(faults), 'fault')} in the corpus")
    for system in chosen:
        for topic, paragraph in unchecked(system, corpus):
            name = f"{system.name}/{topic.name}/{paragraph.draft.name}"
            click.echo(f"{topic.path}:{paragraph.line}: {name} is not yet checked")
    total = sum(len(load_system(system.name, corpus)) for system in chosen)
    click.echo(f"{counted(total, 'vector')}, no faults")


@vectors.command()
@click.argument("systems", type=SYSTEM, nargs=-1)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write.  [default: standard output]",
)
@click.option("--expand", is_flag=True, help="Expand the recipes of large vectors.")
def export(systems: tuple[System, ...], output: Path | None, *, expand: bool) -> None:
    """Write the corpus as one NDJSON stream.

    Each vector is one line of canonical JSON. A large vector is a recipe (docs/vector-format.md)
    unless you expand it.

    \b
    Examples:
      rejoin vectors export --expand --output vectors.ndjson
      rejoin vectors export config-merge | wc -l
    """
    vectors_written = (each.written_out if expand else each for each in _corpus(systems))
    lines = (f"{canonical_json(vector.to_json())}\n" for vector in vectors_written)
    if output is None:
        for line in lines:
            click.echo(line, nl=False)
        return
    try:
        write_whole(output, "".join(lines))
    except OSError as error:
        stop(WRONG_USAGE, f"{output}: {error.strerror}")


vectors.add_command(add)
vectors.add_command(describe)
vectors.add_command(diff)


def _corpus(systems: tuple[System, ...]) -> tuple[Vector, ...]:
    names = [system.name for system in systems] or list(system_names())
    return tuple(vector for name in names for vector in load_system(system_named(name).name))


def _committed(path: Path) -> str | None:
    return path.read_bytes().decode("ascii", "replace") if path.exists() else None


def _report_differences(changed: list[str], stale: list[str]) -> None:
    if not changed and not stale:
        return
    for path in changed[:_CHANGES_SHOWN]:
        click.echo(f"differs: {path}")
    for path in stale[:_CHANGES_SHOWN]:
        click.echo(f"not generated: {path}")
    stop(
        NOT_CONFORMANT,
        f"{counted(len(changed) + len(stale), 'file')} of the corpus do not equal the generator's "
        "output; run: rejoin vectors generate",
    )
