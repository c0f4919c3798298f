"""The corpus' written vectors: text files and Python drafts, topic by topic.

`vectors/<system>/<topic>.txt` holds the vectors of a topic as paragraphs with empty lines between
them. Comment lines (`#`) at its head are the topic's notes; elsewhere they are for people alone. A
topic may have drafts in Python besides, if they are computed. A line

    computed: NAME NAME

(which may go on in indented lines) says that these stand here in the topic. All that no such line
names stand at its end. A paragraph that begins with the line

    given

has lines that stand before the questions of all paragraphs after it, up to the next such one. What
vectors of a topic share is defined there.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from attrs import evolve, frozen

from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.corpus.load import CorpusError
from rejoin_conformance.corpus.paragraph import (
    AFTER,
    INDENTATION,
    NAME,
    Line,
    Paragraph,
    Said,
    given_lines,
    lines_of,
    parse_paragraphs,
)
from rejoin_conformance.kit.files import read_input_text
from rejoin_conformance.kit.locations import vectors_directory
from rejoin_conformance.kit.phrases import NotationError

_COMMENT: Final = "#"
_GIVEN: Final = "given"
_COMPUTED: Final = re.compile(r"computed:( .*)?")

Part: TypeAlias = "Paragraph | str"
"""A written vector, or the name of a Python draft that stands in its place."""


@frozen
class TextTopic:
    """One text file of the corpus. parts: in their order."""

    path: Path
    name: str
    notes: str
    parts: tuple[Part, ...]

    @property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        """Return the written vectors."""
        return tuple(part for part in self.parts if isinstance(part, Paragraph))


def written_topics(system: System, directory: Path | None = None) -> tuple[Topic, ...]:
    """Return every topic that somebody wrote, by name: the text files, and the drafts in Python.

    Raises CorpusError for text that is not in the notation, and for a name that stands twice.
    """
    drafts = {topic.name: topic for topic in system.topics()}
    texts = {text.name: text for text in text_topics(system, directory)}
    return tuple(
        _joined(drafts.get(name, Topic(name, "", ())), texts[name]) if name in texts
        else drafts[name]
        for name in sorted({*drafts, *texts})
    )  # fmt: skip


def text_topics(system: System, directory: Path | None = None) -> Iterator[TextTopic]:
    """Yield the text files of a system. Raises CorpusError for text that is not in the notation."""
    folder = (directory or vectors_directory()) / system.name
    for path in sorted(folder.glob("*.txt")):
        yield read_text_topic(system, path)


def read_text_topic(system: System, path: Path) -> TextTopic:
    """Return the contents of one text file. Raises CorpusError with the file and the line."""
    try:
        text = read_input_text(path, "ascii")
    except (OSError, UnicodeDecodeError) as error:
        raise CorpusError(f"{path}: not a readable ASCII file: {error}") from None
    try:
        return parse_text_topic(system, path, text)
    except NotationError as error:
        raise CorpusError(f"{path}:{error.line}: {error.fault}") from None


def parse_text_topic(system: System, path: Path, text: str) -> TextTopic:
    """Return the topic that the text of a file describes. Raises NotationError and CorpusError."""
    lines = lines_of(text)
    for line in lines:
        if not (line.text.isascii() and line.text.isprintable()):
            raise NotationError(line.number, "a line of printable ASCII", ascii(line.text))
    blocks = [*_blocks(lines)]
    notes = ""
    if blocks and all(line.text.startswith(_COMMENT) for line in blocks[0]):
        notes = " ".join(line.text.lstrip(_COMMENT).strip() for line in blocks.pop(0))
    parts: dict[str, Part] = {}
    given: tuple[Line, ...] = ()
    earlier: dict[str, Said] = {}
    for block in blocks:
        lines = [line for line in block if not line.text.startswith(_COMMENT)]
        if not lines:
            continue
        if lines[0].text == _GIVEN:
            given = tuple(given_lines(lines))
            continue
        computed = _COMPUTED.fullmatch(lines[0].text)
        found: Iterator[Part] = (
            _computed(lines) if computed else parse_paragraphs(system, lines, given, earlier)
        )
        for part in found:
            name = part if isinstance(part, str) else part.draft.name
            if name in parts:
                raise CorpusError(f"{path}: two vectors are called {name}")
            parts[name] = part
    return TextTopic(path, path.stem, notes, tuple(parts.values()))


def unchecked(
    system: System, directory: Path | None = None
) -> Iterator[tuple[TextTopic, Paragraph]]:
    """Yield the written vectors whose answer no person has confirmed, each with its topic."""
    for topic in text_topics(system, directory):
        for paragraph in topic.paragraphs:
            if not paragraph.checked:
                yield topic, paragraph


def written_text(vector_id: str, *, whole: bool = False) -> str | None:
    """Return the question of a written vector with its answers, as its text file has them.

    A recipe stays short. whole: whether the name, the clauses and the summary come first. Returns
    None for any other vector, and if the text continues another one.
    """
    topic, _, name = vector_id.rpartition("/")
    path = vectors_directory() / f"{topic}.txt"
    given: list[str] = []
    for block in _blocks(lines_of(read_input_text(path, "ascii"))) if path.is_file() else ():
        first, *lines = [line.text for line in block if not line.text.startswith(_COMMENT)] or [""]
        if first == _GIVEN:
            given = lines
        if first.partition(" ")[0] == name:
            ends = next(place for place, line in enumerate(lines) if line.endswith("."))
            head, asked = [first, *lines[: ends + 1]], lines[ends + 1 :]
            if asked and asked[0].startswith(INDENTATION + AFTER):
                return None
            text = "\n".join([*given, *asked])
            return "\n".join([*head, text]) + "\n" if whole else textwrap.dedent(text)
    return None


def _blocks(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield the lines between empty lines."""
    block: list[Line] = []
    for line in (*lines, Line(0, "")):
        if line.text:
            block.append(line)
        elif block:
            yield block
            block = []


def _computed(lines: Sequence[Line]) -> Iterator[str]:
    """Yield the names of Python drafts in the lines of a block."""
    for line in lines:
        for name in line.text.removeprefix("computed:").split():
            if not NAME.fullmatch(name):
                raise NotationError(line.number, "the name of a Python draft", name)
            yield name


def _joined(drafts: Topic, text: TextTopic) -> Topic:
    """Return the vectors of a topic in their order, those of the text and those in Python."""
    computed = {draft.name: draft for draft in drafts.drafts}
    placed: dict[str, Draft] = {}
    for part in text.parts:
        if isinstance(part, str):
            if part not in computed:
                raise CorpusError(f"{text.path}: there is no Python draft called {part}")
            placed[part] = computed[part]
        elif part.draft.name in computed:
            why = f"a Python draft is called {part.draft.name} too"
            raise CorpusError(f"{text.path}:{part.line}: {why}")
        else:
            placed[part.draft.name] = part.draft
    notes = text.notes or drafts.notes
    return evolve(drafts, notes=notes, drafts=tuple((placed | computed).values()))
