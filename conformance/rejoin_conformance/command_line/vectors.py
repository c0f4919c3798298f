"""`rejoin vectors`: list, show, compare, add, generate, check and export test vectors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import click
from attrs import frozen

from rejoin_conformance.adapters.run_options import Selection
from rejoin_conformance.command_line.choices import Chosen, corpus_option
from rejoin_conformance.command_line.console import (
    INCOMPLETE,
    NOT_CONFORMANT,
    SYSTEM,
    Out,
    print_json,
    require_checkout,
    stop,
    write_text,
)
from rejoin_conformance.command_line.options import FORM, command, written
from rejoin_conformance.command_line.vectors_diff import diff
from rejoin_conformance.contract.registry import all_systems, system_named
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.add_vector import addition
from rejoin_conformance.corpus.check import check_system
from rejoin_conformance.corpus.document_examples import vector_of
from rejoin_conformance.corpus.generate import INDEX_PATH, index_text, refuse_lost_ids, system_files
from rejoin_conformance.corpus.load import load_index, load_system, meant_by, topic_files
from rejoin_conformance.corpus.operation_page import operation_page
from rejoin_conformance.corpus.paragraph import NAME
from rejoin_conformance.corpus.paragraph_text import render_paragraph
from rejoin_conformance.corpus.text_vectors import unchecked, written_text
from rejoin_conformance.corpus.version import CORPUS_VERSION
from rejoin_conformance.kit.files import read_at_most, read_input_text, write_whole
from rejoin_conformance.kit.json_types import canonical_json
from rejoin_conformance.kit.locations import vectors_directory
from rejoin_conformance.kit.options import arg, opt
from rejoin_conformance.kit.text import counted

_CHANGES_SHOWN: Final = 20


@click.group()
def vectors() -> None:
    """List, show, compare, add, generate or check test vectors.

    \b
    Examples:
      rejoin vectors list history-merge
      rejoin vectors generate --check
    """


@frozen(kw_only=True)
class List:
    """The vectors to list."""

    chosen: Chosen
    out: Out


@command(List, "list", vectors)
def list_vectors(options: List) -> None:
    """List vectors by ID and summary.

    \b
    Examples:
      rejoin vectors list config-merge --clause CM-RESOLVE-BASE
      rejoin vectors list --id '*/worked-example/*'
    """
    found = options.chosen.vectors()
    for vector in found:
        if options.out.as_json:
            print_json({"id": vector.id, "operation": vector.operation, "summary": vector.summary})
        else:
            click.echo(f"{vector.id}\n    {vector.summary}")
    if not options.out.as_json:
        click.echo(counted(len(found), "vector"), err=True)


@frozen(kw_only=True)
class Show:
    """The vectors to print."""

    vector_id: str = arg()
    out: Out


@command(Show, "show", vectors)
def show(options: Show) -> None:
    """Print a vector: its input and its expected result.

    The command prints the vector as a paragraph of text (docs/notation.md). If the text notation
    cannot express the vector, the command prints it as JSON. A shell pattern prints all vectors
    whose IDs match.

    \b
    Examples:
      rejoin vectors show history-merge/two-branches/picture-from-b
      rejoin vectors show config-merge/decode/integer-largest --json
    """
    try:
        found = [vector_of(options.vector_id)]
    except KeyError:
        found = Chosen(selection=Selection(ids=(options.vector_id,))).vectors()
    for vector in found:
        text = written_text(vector.id, whole=True)
        text = text or render_paragraph(system_named(vector.system), vector)
        if text is None or options.out.as_json:
            text = json.dumps(vector.to_json(), indent=2) + "\n"
        click.echo(text, nl=False)


@frozen(kw_only=True)
class Generate:
    """The systems to generate."""

    systems: tuple[System, ...] = arg("[SYSTEM]...", ())
    check: bool = opt("Write nothing; exit with 1 if a committed file differs.", default=False)


@command(Generate, "generate", vectors)
def generate(options: Generate) -> None:
    """Generate the corpus from the drafts and the reference.

    The command removes JSON files of these systems that the generator does not write. It stops if
    a vector would disappear whose ID is not in retired.json.

    \b
    Examples:
      rejoin vectors generate
      rejoin vectors generate history-merge --check
    """
    if not options.check:
        require_checkout("rejoin vectors generate")
    names = {system.name for system in options.systems or all_systems()}
    files: dict[str, str] = {}
    made: list[Vector] = []
    generated = 0
    for system in all_systems():
        if system.name in names:
            of_system, of_vectors = system_files(system)
            files.update(of_system)
            generated += len(of_vectors)
        else:
            of_vectors = load_system(system.name)
        made += of_vectors
    refuse_lost_ids(load_index(), (vector.id for vector in made))
    files[INDEX_PATH] = index_text(made, CORPUS_VERSION)
    root = vectors_directory()
    folders = [root / part / name for name in sorted(names) for part in ("", "schema")]
    found = [path for folder in folders for path in sorted(folder.glob("*.json"))]
    stale = [path for path in found if path.relative_to(root).as_posix() not in files]
    changed = [path for path, text in files.items() if _committed(root / path) != text]
    if options.check:
        _refuse_differences(changed, [path.relative_to(root).as_posix() for path in stale])
        click.echo(f"{counted(len(files), 'file')} equal the generator's output")
        return
    for path in changed:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        write_whole(root / path, files[path])
    for old in stale:
        old.unlink()
    what = f"changed {len(changed)} of {len(files)} files, removed {len(stale)}"
    click.echo(f"generated {counted(generated, 'vector')}; {what}")


@frozen(kw_only=True)
class Check:
    """The systems to check."""

    systems: tuple[System, ...] = arg("[SYSTEM]...", ())
    corpus: Path | None = corpus_option()


@command(Check, "check", vectors)
def check(options: Check) -> None:
    """Check the schemas, IDs, digests and clauses of the corpus.

    The command prints one line for each fault. It also checks that each negative vector has exactly
    one fault in its input. It lists written vectors whose answer nobody has checked by hand; these
    are not faults.

    \b
    Examples:
      rejoin vectors check
      rejoin vectors check history-merge
    """
    chosen, corpus = options.systems or all_systems(), options.corpus
    faults = [fault for system in chosen for fault in check_system(system.name, corpus)]
    for fault in faults:
        click.echo(fault)
    if faults:
        stop(f"{counted(len(faults), 'fault')} in the corpus", NOT_CONFORMANT)
    for system in chosen:
        for topic, paragraph in unchecked(system, corpus):
            name = f"{system.name}/{topic.name}/{paragraph.draft.name}"
            click.echo(f"{topic.path}:{paragraph.line}: {name} is not yet checked")
    if not any(topic_files(system.name, corpus) for system in chosen):
        what = f"{corpus or vectors_directory()} has no files of the chosen systems"
        stop(f"{what}{meant_by(corpus)}")
    total = sum(len(load_system(system.name, corpus)) for system in chosen)
    click.echo(f"{counted(total, 'vector')} of all readings, no faults")


@frozen(kw_only=True)
class Export:
    """The vectors to export, and the file."""

    chosen: Chosen
    output: Path = written("File to write.", Path("-"), shown="standard output")
    expand: bool = opt("Expand the recipes of large vectors.", default=False)


@command(Export, "export", vectors)
def export(options: Export) -> None:
    """Write the corpus as one NDJSON stream.

    Each vector is one line of canonical JSON. A large vector is a recipe (docs/vector-format.md)
    unless you expand it.

    \b
    Examples:
      rejoin vectors export --expand --output vectors.ndjson
      rejoin vectors export config-merge | wc -l
    """
    found = options.chosen.vectors()
    written = (each.written_out if options.expand else each for each in found)
    write_text(options.output, "".join(f"{canonical_json(each.to_json())}\n" for each in written))


@frozen(kw_only=True)
class Add:
    """The topic to add to, and the paragraph."""

    topic: str = arg("SYSTEM/TOPIC")
    file: Path = opt("File that holds the paragraph.", Path("-"), form=FORM, shown="standard input")


@command(Add, "add", vectors)
def add(options: Add) -> None:
    """Add a written vector to the corpus.

    The vector is one paragraph of text: its name and clauses, a sentence, a question and its
    answer (docs/notation.md). The command appends it to vectors/SYSTEM/TOPIC.txt. If the paragraph
    has no answer, the reference fills it in, and the command marks the vector `not yet checked`.
    Work the answer out by hand, then delete this line.

    \b
    Examples:
      rejoin vectors add history-merge/two-branches < paragraph.txt
      rejoin vectors add history-merge/two-branches --file paragraph.txt
    """
    require_checkout("rejoin vectors add")
    name, _, topic = options.topic.partition("/")
    system = SYSTEM.convert(name, None, None)
    if not NAME.fullmatch(topic):
        stop(f"{options.topic!r} is not a topic; write SYSTEM/TOPIC")
    source = "standard input" if options.file == Path("-") else str(options.file)
    try:
        text = _standard_input() if options.file == Path("-") else read_input_text(options.file)
    except UnicodeDecodeError:
        stop(f"{source}: it is not UTF-8")
    except OSError as error:
        stop(f"{source}: {error.strerror}")
    try:
        added = addition(system, topic, text, source)
        added.write()
    except OSError as error:
        stop(f"{options.topic}: {error.strerror}", INCOMPLETE)
    for each in added.ids:
        click.echo(f"added {each} to {added.path}")
    if not added.checked:
        click.echo(added.paragraph, nl=False)
        click.echo("work the answer out by hand, then delete the line `not yet checked`")
    click.echo(f"next, run: rejoin vectors generate {system.name}")


@frozen(kw_only=True)
class Describe:
    """The system to describe, and the file."""

    system: System = arg()
    output: Path = written("File to write.", Path("-"), shown="standard output")
    corpus: Path | None = corpus_option()


@command(Describe, "describe", vectors)
def describe(options: Describe) -> None:
    """Describe the operations of a system in words.

    The command writes a page in Markdown: each operation with the fields of its input and output,
    and one vector as an example. docs/operations/ holds these pages.

    \b
    Examples:
      rejoin vectors describe config-merge
      rejoin vectors describe history-merge --output docs/operations/history-merge.md
    """
    corpus = load_system(options.system.name, options.corpus)
    write_text(options.output, operation_page(options.system, corpus))


vectors.add_command(diff)


def _standard_input() -> str:
    with click.open_file("-", "rb") as file:
        return read_at_most(file, "standard input").decode("utf-8")


def _committed(path: Path) -> str | None:
    return path.read_bytes().decode("ascii", "replace") if path.exists() else None


def _refuse_differences(changed: list[str], stale: list[str]) -> None:
    """End the command with code 1 if a committed file is not what the generator writes."""
    for what, paths in (("differs", changed), ("not generated", stale)):
        for path in paths[:_CHANGES_SHOWN]:
            click.echo(f"{what}: {path}")
    if changed or stale:
        files = counted(len(changed) + len(stale), "file")
        why = "of the corpus do not equal the generator's output; run: rejoin vectors generate"
        stop(f"{files} {why}", NOT_CONFORMANT)
