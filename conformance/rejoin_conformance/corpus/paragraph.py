"""Read written vectors from a paragraph of text.

    name  CLAUSE-ID CLAUSE-ID  [should|may]
      One sentence: the summary.
      the question and its answer, in the system's notation

Lines that begin with one of these words belong to the format, in all systems:

    after NAME                  the question and answers of a paragraph above come before these
    refused                     every reading refuses the input
    refused in READING          only this one does (or these: `refused in A, B`)
    in READING:                 what this reading answers, if it answers something else
    only in READING             the vector is for this reading alone (or these)
    mended:                     the same question with its one fault mended
    scenario NAME, step STEP    the vector's place in a story
    not yet checked             no person has confirmed the answer

`in READING:` and `mended:` are followed by text on the same line, or by lines that are indented
further, or both. A name with words in braces, such as `change-{snapshots,maps}`, is one vector for
each word; the notation derives their lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar, get_args

from attrs import define, field, frozen

from rejoin_conformance.contract.drafting import written_out
from rejoin_conformance.contract.notation import Example, Notation
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.tier import Level
from rejoin_conformance.contract.vector import Draft, Scenario
from rejoin_conformance.corpus.load import CorpusError
from rejoin_conformance.kit.json_types import JsonObject, canonical_json
from rejoin_conformance.kit.phrases import END_OF_TEXT, NotationError

T = TypeVar("T")

INDENTATION: Final = "  "
NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
UNCHECKED: Final = "not yet checked"
AFTER: Final = "after "
_CLAUSE: Final = re.compile(r"[A-Z]+(-[A-Z0-9]+)+")
_SCENARIO: Final = re.compile(r"scenario (?P<name>.+), step (?P<step>.+)")
_SEVERAL: Final = re.compile(r"(?P<stem>[a-z0-9-]+)\{(?P<words>[a-z0-9,-]+)\}(?P<rest>.*)")


@frozen
class Line:
    """A line of a file. number: counted from 1. text: without trailing white space."""

    number: int
    text: str


@frozen
class Paragraph:
    """A written vector. line: where it begins. checked: whether a person confirmed the answer."""

    draft: Draft
    line: int
    checked: bool = True


@define
class Said:
    """The lines of a paragraph after its summary, sorted by kind.

    last: the number of its last line. answers: reading -> the lines that state its answer.
    """

    last: int
    readings: tuple[str, ...]
    question: list[Line] = field(factory=list)
    answers: dict[str, list[Line]] = field(factory=dict)
    mended: list[Line] | None = None
    refusing: tuple[str, ...] = ()
    scenario: Scenario | None = None
    unchecked: bool = False


def lines_of(text: str) -> list[Line]:
    """Return the lines of a text, numbered from 1."""
    return [Line(number, line.rstrip()) for number, line in enumerate(text.split("\n"), start=1)]


def parse_paragraphs(
    system: System, lines: Sequence[Line], given: Sequence[Line], earlier: dict[str, Said]
) -> Iterator[Paragraph]:
    """Yield each vector that the lines of a paragraph describe.

    given: the lines to insert before its question, and before its mended question. earlier: name ->
    the paragraphs above it in the file; gets those of this one. Raises NotationError, whose line is
    the one in the file.
    """
    several = _SEVERAL.fullmatch(lines[0].text)
    first = lines[0].text if several is None else several.expand(r"\g<stem>x\g<rest>")
    _head(Line(lines[0].number, first))
    summary, body = _summary(lines)
    for head, own in _vectors(system, lines[0], body):
        name, clauses, level = _head(head)
        said = _said(system, lines[-1].number, own, earlier)
        draft = _draft(system, (name, clauses, level, summary), said, given)
        earlier[name] = said
        yield Paragraph(draft, head.number, not said.unchecked)


def given_lines(lines: Sequence[Line]) -> list[Line]:
    """Return the lines of a paragraph `given`, as they stand before the questions after it."""
    return [_dedented(line) for line in lines[1:]]


def notation_of(system: System) -> Notation:
    """Return the system's notation. Raises CorpusError if it has none."""
    if system.notation is None:
        raise CorpusError(f"{system.name} has no text notation: write its vectors in Python")
    return system.notation


def _summary(lines: Sequence[Line]) -> tuple[str, Sequence[Line]]:
    """Return the sentence after the name, and the lines after it, without their indentation."""
    indented = given_lines(lines)
    for place, line in enumerate(indented, start=1):
        if line.text.endswith("."):
            return " ".join(each.text.strip() for each in indented[:place]), indented[place:]
    raise NotationError(lines[-1].number, "a sentence that ends with a full stop", END_OF_TEXT)


def _vectors(
    system: System, head: Line, body: Sequence[Line]
) -> Iterator[tuple[Line, Sequence[Line]]]:
    """Yield the head and the lines of each vector of a paragraph."""
    match = _SEVERAL.fullmatch(head.text)
    if match is None:
        yield head, body
        return
    variants = notation_of(system).variants
    lines_of_word = {} if variants is None or not body else variants([each.text for each in body])
    words = match["words"].split(",")
    if not {*words} <= {*lines_of_word}:
        known = ", ".join(lines_of_word) or "no words"
        raise NotationError(head.number, f"some of {known}", match["words"])
    for word in words:
        lines = [Line(body[place].number, text) for place, text in lines_of_word[word]]
        yield Line(head.number, f"{match['stem']}{word}{match['rest']}"), lines


def _head(line: Line) -> tuple[str, tuple[str, ...], Level]:
    name, *words = line.text.split()
    if not NAME.fullmatch(name) or line.text != line.text.lstrip():
        expected = "the name of a vector in lower case with hyphens, without indentation"
        raise NotationError(line.number, expected, line.text)
    level: Level = "must"
    for known in get_args(Level):
        if words[-1:] == [known]:
            level = known
            words.pop()
    for word in words:
        if not _CLAUSE.fullmatch(word):
            raise NotationError(line.number, "the ID of a clause, or `should` or `may`", word)
    if not words:
        raise NotationError(line.number, f"the IDs of the clauses after {name}", END_OF_TEXT)
    if len(set(words)) < len(words):
        raise NotationError(line.number, "each clause once", " ".join(words))
    return name, tuple(words), level


def _dedented(line: Line) -> Line:
    if not line.text.startswith(INDENTATION):
        expected = "a line that is indented by 2 spaces, or an empty line"
        raise NotationError(line.number, expected, line.text)
    return Line(line.number, line.text.removeprefix(INDENTATION))


def _said(system: System, last: int, lines: Sequence[Line], earlier: dict[str, Said]) -> Said:
    """Return the lines by kind, those of the paragraph that they continue included."""
    said, before = Said(last, system.readings), Said(last, ())
    if lines and lines[0].text.startswith(AFTER):
        name = lines[0].text.removeprefix(AFTER)
        if name not in earlier:
            raise NotationError(lines[0].number, "the name of a paragraph above", name)
        before, lines = earlier[name], lines[1:]
    into = said.question
    for line in lines:
        text = line.text
        if text.startswith(" "):
            into.append(line)
            continue
        into = said.question
        start, colon, rest = text.partition(":")
        reading = start.removeprefix("in ")
        if text == "refused":
            said.refusing = system.readings
        elif text.startswith("refused in "):
            said.refusing = _readings(system, line, "refused in ")
        elif text.startswith("only in "):
            said.readings = _readings(system, line, "only in ")
        elif text == UNCHECKED:
            said.unchecked = True
        elif match := _SCENARIO.fullmatch(text):
            said.scenario = Scenario(match["name"], match["step"])
        elif colon and start == "mended":
            _refuse_second(line, said.mended)
            into = said.mended = _beginning(line, rest)
        elif colon and start == f"in {reading}" and reading in system.every_reading:
            _refuse_second(line, said.answers.get(reading))
            into = said.answers[reading] = _beginning(line, rest)
        else:
            into.append(line)
    if said.refusing == system.readings:
        said.refusing = said.readings
    own = {reading: _block(each) for reading, each in said.answers.items()}
    said.answers = {
        reading: [*before.answers.get(reading, ()), *own.get(reading, ())]
        for reading in (*before.answers, *own)
    }
    said.question = [*before.question, *said.question]
    said.mended = None if said.mended is None else _block(said.mended)
    return said


def _refuse_second(line: Line, first: list[Line] | None) -> None:
    if first is not None:
        raise NotationError(line.number, "this keyword at most once in a paragraph", line.text)


def _beginning(line: Line, rest: str) -> list[Line]:
    """Return the rest of the line that begins with the keyword of a block."""
    return [Line(line.number, rest.strip())] if rest.strip() else []


def _block(lines: Sequence[Line]) -> list[Line]:
    """Return the lines of a block without their common indentation."""
    widths = [len(line.text) - len(line.text.lstrip()) for line in lines]
    common = min((width for width in widths if width), default=0)
    return [
        Line(line.number, line.text[common:] if width else line.text)
        for line, width in zip(lines, widths, strict=True)
    ]


def _readings(system: System, line: Line, keyword: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in line.text.removeprefix(keyword).split(","))
    for name in names:
        if name not in system.every_reading:
            known = ", ".join(system.every_reading)
            raise NotationError(line.number, f"a reading of {system.name} ({known})", name)
    return tuple(each for each in system.every_reading if each in names)


def _draft(
    system: System,
    named: tuple[str, tuple[str, ...], Level, str],
    said: Said,
    given: Sequence[Line],
) -> Draft:
    """Return the draft of a vector. named: its name, clauses, level and summary."""
    notation, (name, clauses, level, summary) = notation_of(system), named
    question = [*given, *said.question]
    example = _parsed(said.last, question, notation.parse)
    outputs = _outputs(notation, said, question, example)
    stated = [*outputs.values()]
    differ = bool(said.answers) or 0 < len(said.refusing) < len(said.readings)
    return Draft(
        name=name,
        operation=example.operation,
        summary=summary,
        clauses=clauses,
        input=example.input,
        level=level,
        output=outputs.pop(said.readings[0], None),
        output_by_reading=outputs,
        rejected_by=said.refusing,
        mended=_mended(notation, said, given, example),
        readings_differ=differ or any(output != stated[0] for output in stated),
        readings=() if said.readings == system.readings else said.readings,
        scenario=said.scenario,
        recipe='"$repeat"' in canonical_json(example.input),
    )


def _outputs(
    notation: Notation, said: Said, question: Sequence[Line], example: Example
) -> dict[str, JsonObject]:
    """Reading -> the answer that is stated for it."""
    accepting = [each for each in said.readings if each not in said.refusing]
    outputs: dict[str, JsonObject] = {}
    if example.output is not None:
        if not accepting:
            last = question[-1]
            raise NotationError(last.number, "no answer to an input that is refused", last.text)
        outputs = dict.fromkeys(accepting, example.output)
    for reading in dict.fromkeys((*accepting, *said.answers)):
        output = _output(notation, said, question, example, reading)
        if output is not None:
            outputs[reading] = output
    return outputs


def _output(
    notation: Notation, said: Said, question: Sequence[Line], example: Example, reading: str
) -> JsonObject | None:
    """Return the answer that is stated for a reading and no other one, if there is one."""
    lines, answer, asked = said.answers.get(reading), notation.answer, len(question)
    if answer is not None:
        every = [*question, *(lines or ())]
        return _parsed(said.last, every, lambda text: answer(text[:asked], text[asked:], reading))
    if lines is None:
        return None
    return _parsed(said.last, lines, lambda text: notation.parse_output(text, example))


def _mended(
    notation: Notation, said: Said, given: Sequence[Line], example: Example
) -> JsonObject | None:
    if said.mended is None:
        return None
    lines, parse_mended = [*given, *said.mended], notation.parse_mended
    if parse_mended is None:
        mended = _parsed(said.last, lines, notation.parse)
    else:
        mended = _parsed(said.last, lines, lambda text: parse_mended(text, example))
    if mended.operation != example.operation:
        raise NotationError(lines[-1].number, f"a question to {example.operation}", lines[-1].text)
    return mended.input


def _parsed(last: int, lines: Sequence[Line], parse: Callable[[Sequence[str]], T]) -> T:
    """Return the parsed lines. Raises NotationError with the line number in the file."""
    try:
        return parse([written_out(line.text, number) for number, line in enumerate(lines, start=1)])
    except NotationError as error:
        number = lines[error.line - 1].number if error.line <= len(lines) else last
        raise NotationError(number, error.expected, error.found) from None
