"""Add a written vector to a text file of the corpus, and fill in a missing answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import evolve, frozen

from rejoin_conformance.contract.operation import Output, Rejected, Result
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import EVERY_READING, Draft, Topic
from rejoin_conformance.corpus.clauses import clauses_of
from rejoin_conformance.corpus.generate import vectors_of
from rejoin_conformance.corpus.load import CorpusError, retired_ids
from rejoin_conformance.corpus.paragraph import Line, Paragraph, lines_of
from rejoin_conformance.corpus.paragraph_text import render_paragraph
from rejoin_conformance.corpus.text_vectors import (
    parse_text_topic,
    read_text_topic,
    written_topics,
)
from rejoin_conformance.kit.files import write_whole
from rejoin_conformance.kit.json_types import JsonObject
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
    completed: list[Draft] = []
    for draft in drafts:
        name = f"{system.name}/{topic}/{draft.name}"
        _refuse_name(system, topic, name, directory)
        _refuse_unknown_clauses(system, draft, lines[0], source)
        completed.append(_completed(system, draft, name))
    vectors = vectors_of(system, Topic(topic, "", tuple(completed)))
    names = tuple(vector.id for vector in vectors)
    if completed == drafts:
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


def _completed(system: System, draft: Draft, name: str) -> Draft:
    """Return the draft with the reference's answer if its author states none."""
    operation = system.operation(draft.operation)
    if operation is None:
        raise CorpusError(f"{name}: there is no operation {draft.operation}")
    readings = draft.readings or system.readings
    results = {reading: operation.run(draft.input, reading) for reading in readings}
    stated = _stated(draft, readings[0])
    if not stated and not draft.rejected_by:
        draft = evolve(draft, rejected_by=_refusing(name, draft, results))
    refusing = readings if draft.rejected_by == EVERY_READING else draft.rejected_by
    outputs = {
        reading: stated.get(reading, result.value)
        for reading, result in results.items()
        if isinstance(result, Output) and reading not in refusing
    }
    if outputs.keys() <= stated.keys():
        return draft
    default = outputs.pop(readings[0], None)
    answers = [*outputs.values(), *([] if default is None else [default])]
    differ = bool(refusing) and len(refusing) < len(readings)
    return evolve(
        draft,
        output=default,
        output_by_reading=outputs,
        readings_differ=differ or any(answer != answers[0] for answer in answers),
    )


def _stated(draft: Draft, default: str) -> dict[str, JsonObject]:
    stated: dict[str, JsonObject] = dict(draft.output_by_reading)
    if draft.output is not None:
        stated[default] = draft.output
    return stated


def _refusing(name: str, draft: Draft, results: Mapping[str, Result]) -> tuple[str, ...]:
    """Return the readings that refuse the input. It must then have a mended form."""
    refusals = {
        reading: result.reason
        for reading, result in results.items()
        if isinstance(result, Rejected)
    }
    if refusals and draft.mended is None:
        reading, reason = next(iter(refusals.items()))
        raise CorpusError(
            f"{name}: the reading {reading} refuses this input: {reason}. If this is intended, add "
            "`mended:` with the question without its fault"
        )
    return tuple(refusals)
