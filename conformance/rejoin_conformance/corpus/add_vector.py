"""Add a written vector to a text file of the corpus, and fill in a missing answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from attrs import evolve, frozen

from rejoin_conformance.contract.operation import Rejected
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import EVERY_READING, Draft, Topic
from rejoin_conformance.corpus.clauses import clauses_of
from rejoin_conformance.corpus.generate import differ, vectors_of
from rejoin_conformance.corpus.load import CorpusError, retired_ids
from rejoin_conformance.corpus.paragraph import Line, Paragraph, lines_of
from rejoin_conformance.corpus.paragraph_text import render_paragraph
from rejoin_conformance.corpus.text_vectors import (
    parse_text_topic,
    read_text_topic,
    written_topics,
)
from rejoin_conformance.kit.files import write_whole
from rejoin_conformance.kit.locations import vectors_directory
from rejoin_conformance.kit.phrases import NotationError


@frozen
class Addition:
    """A paragraph that can be added.

    ids: the IDs of its vectors. path: the text file. paragraph: the text to append, with its final
    newline. checked: whether the author stated the whole answer, and the reference agrees.
    """

    ids: tuple[str, ...]
    path: Path
    paragraph: str
    checked: bool

    def write(self) -> None:
        """Append the paragraph to the file. If this raises OSError, the file is as it was."""
        write_whole(self.path, f"{self.path.read_text(encoding='ascii')}\n{self.paragraph}")


def addition(
    system: System, topic: str, text: str, source: str, directory: Path | None = None
) -> Addition:
    """Return the addition of a paragraph to a topic. Writes nothing.

    source: the name of the text in errors. directory: the corpus; None for the project's own.
    Raises CorpusError, with the line, if the paragraph is not in the notation, its name or clauses
    are wrong, or the reference disagrees with its answer.
    """
    path = (directory or vectors_directory()) / system.name / f"{topic}.txt"
    if not path.is_file():
        raise CorpusError(
            f"{path}: there is no such file; create it with a first line `# ` and a description of "
            "the topic"
        )
    lines = [line for line in lines_of(text) if line.text]
    drafts = _drafts(system, lines, source, path)
    completed: list[tuple[Draft, bool]] = []
    for draft in drafts:
        name = f"{system.name}/{topic}/{draft.name}"
        _refuse_name(system, topic, name, directory)
        _refuse_unknown_clauses(system, draft, lines[0], source)
        completed.append(_completed(system, draft, name))
    vectors = vectors_of(system, Topic(topic, "", tuple(draft for draft, _ in completed)))
    names = tuple(vector.id for vector in vectors)
    if all(complete for _, complete in completed):
        return Addition(names, path, "\n".join(line.text for line in lines) + "\n", checked=True)
    if len(vectors) > 1:
        raise CorpusError(f"{source}: the paragraph has several vectors; state its answer")
    paragraph = render_paragraph(system, vectors[0], checked=False)
    if paragraph is None:
        raise CorpusError(
            f"{names[0]}: the notation cannot express the answer; write the draft in Python"
        )
    return Addition(names, path, paragraph, checked=False)


def _drafts(system: System, lines: Sequence[Line], source: str, path: Path) -> list[Draft]:
    """Return the vectors of the paragraph, read as if it were at the end of the file."""
    if not lines:
        raise CorpusError(f"{source}: the text is empty; write one paragraph")
    known = read_text_topic(system, path)
    before = path.read_text(encoding="ascii").rstrip("\n") + "\n\n"
    text = "\n".join(line.text for line in lines)
    try:
        parts = parse_text_topic(system, path, before + text).parts[len(known.parts) :]
    except NotationError as error:
        number = lines[error.line - before.count("\n") - 1].number
        raise CorpusError(f"{source}:{number}: {error.fault}") from None
    drafts = [part.draft for part in parts if isinstance(part, Paragraph)]
    if not drafts:
        raise CorpusError(f"{source}: the text has no vector; write one paragraph")
    return drafts


def _refuse_name(system: System, topic: str, name: str, directory: Path | None) -> None:
    (known,) = (each for each in written_topics(system, directory) if each.name == topic)
    if any(name == f"{system.name}/{topic}/{draft.name}" for draft in known.drafts):
        raise CorpusError(f"{name}: a vector with this ID exists; choose another name")
    if name in retired_ids():
        raise CorpusError(f"{name}: this ID is retired; choose another name")


def _refuse_unknown_clauses(system: System, draft: Draft, line: Line, source: str) -> None:
    known = {clause.id for clause in clauses_of(system.name)}
    for clause in draft.clauses:
        if clause not in known:
            raise CorpusError(
                f"{source}:{line.number}: expected a clause of spec/{system.name}, found `{clause}`"
            )


def _completed(system: System, draft: Draft, name: str) -> tuple[Draft, bool]:
    """Return the draft, and whether its author states all of the answer.

    If not, the reference says who refuses the input; the finished vector has its outputs.
    """
    operation = system.operation(draft.operation)
    if operation is None:
        raise CorpusError(f"{name}: there is no operation {draft.operation}")
    readings = draft.readings or system.readings
    results = {reading: operation.run(draft.input, reading) for reading in readings}
    refused = {r: each.reason for r, each in results.items() if isinstance(each, Rejected)}
    stated = {*draft.output_by_reading, *(readings[:1] if draft.output is not None else ())}
    refusing = readings if draft.rejected_by == EVERY_READING else draft.rejected_by
    if {*readings} <= stated.union(refusing):
        return draft, True
    if not stated and not refusing:
        refusing = tuple(refused)
        if refused and draft.mended is None:
            reading, reason = next(iter(refused.items()))
            raise CorpusError(
                f"{name}: the reading {reading} refuses this input: {reason}. If this is intended, "
                "add `mended:` with the question without its fault"
            )
    return evolve(draft, rejected_by=refusing, readings_differ=differ(results)), False
