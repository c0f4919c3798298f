"""Read one written vector from a paragraph of text.

    name  CLAUSE-ID CLAUSE-ID  [should|may]
      One sentence: the summary.
      the question and its answer, in the system's notation

Lines that begin with one of these words belong to the format, in all systems:

    refused                     every reading refuses the input
    refused in READING          only this one does (or these: `refused in A, B`)
    in READING:                 what this reading answers, if it answers something else
    only in READING             the vector is for this reading alone (or these)
    mended:                     the same question with its one fault mended
    scenario NAME, step STEP    the vector's place in a story
    not yet checked             no person has confirmed the answer

`in READING:` and `mended:` are followed by text on the same line, or by lines that are indented
further, or both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, TypeVar, get_args

from attrs import define, field, frozen

from rejoin_conformance.contract.notation import Example, Notation
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import Draft, Level, Scenario
from rejoin_conformance.corpus.load import CorpusError
from rejoin_conformance.kit.json_types import JsonObject, canonical_json
from rejoin_conformance.kit.phrases import END_OF_TEXT, NotationError

T = TypeVar("T")

INDENTATION: Final = "  "
NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_CLAUSE: Final = re.compile(r"[A-Z]+(-[A-Z0-9]+)+")
_SCENARIO: Final = re.compile(r"scenario (?P<name>.+), step (?P<step>.+)")
UNCHECKED: Final = "not yet checked"


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


def lines_of(text: str) -> list[Line]:
    """Return the lines of a text, numbered from 1."""
    return [Line(number, line.rstrip()) for number, line in enumerate(text.split("\n"), start=1)]


def parse_paragraph(system: System, lines: Sequence[Line], given: Sequence[Line] = ()) -> Paragraph:
    """Return the vector that the lines of a paragraph describe.

    given: the lines to insert before its question, and before its mended question.
    Raises NotationError, whose line is the one in the file.
    """
    name, clauses, level = _head(lines[0])
    indented = [_dedented(line) for line in lines[1:]]
    summary, body = _summary(lines[0], indented)
    parts = _parts(system, lines[-1].number, body)
    parts.body[:0] = given
    if parts.mended is not None:
        parts.mended = [*given, *_dedented_block(parts.mended)]
    draft = _draft(system, name, clauses, level, summary, parts)
    return Paragraph(draft, lines[0].number, not parts.unchecked)


def given_lines(lines: Sequence[Line]) -> list[Line]:
    """Return the lines of a paragraph `given`, as they stand before the questions after it."""
    return [_dedented(line) for line in lines[1:]]


def notation_of(system: System) -> Notation:
    """Return the system's notation. Raises CorpusError if it has none."""
    if system.notation is None:
        raise CorpusError(f"{system.name} has no text notation: write its vectors in Python")
    return system.notation


def _head(line: Line) -> tuple[str, tuple[str, ...], Level]:
    name, *words = line.text.split()
    if not NAME.fullmatch(name) or line.text != line.text.lstrip():
        raise NotationError(
            line.number,
            "the name of a vector in lower case with hyphens, without indentation",
            line.text,
        )
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
        raise NotationError(
            line.number, "a line that is indented by 2 spaces, or an empty line", line.text
        )
    return Line(line.number, line.text.removeprefix(INDENTATION))


def _summary(head: Line, lines: Sequence[Line]) -> tuple[str, Sequence[Line]]:
    """Return the sentence at the beginning of the lines, and the lines after it."""
    for place, line in enumerate(lines, start=1):
        if line.text.endswith("."):
            return " ".join(each.text.strip() for each in lines[:place]), lines[place:]
    last = lines[-1] if lines else head
    raise NotationError(last.number, "a sentence that ends with a full stop", END_OF_TEXT)


@define
class _Parts:
    """The lines of a paragraph after its summary, sorted by kind.

    last: the number of the paragraph's last line.
    """

    last: int
    readings: tuple[str, ...]
    body: list[Line] = field(factory=list)
    answers: dict[str, list[Line]] = field(factory=dict)
    mended: list[Line] | None = None
    refusing: tuple[str, ...] = ()
    scenario: Scenario | None = None
    unchecked: bool = False


def _parts(system: System, last: int, lines: Sequence[Line]) -> _Parts:
    parts = _Parts(last, system.readings)
    into = parts.body
    for line in lines:
        text = line.text
        if text.startswith(" "):
            into.append(line)
            continue
        into = parts.body
        before, colon, rest = text.partition(":")
        reading = before.removeprefix("in ")
        if text == "refused":
            parts.refusing = system.readings
        elif text.startswith("refused in "):
            parts.refusing = _readings(system, line, "refused in ")
        elif text.startswith("only in "):
            parts.readings = _readings(system, line, "only in ")
        elif text == UNCHECKED:
            parts.unchecked = True
        elif match := _SCENARIO.fullmatch(text):
            parts.scenario = Scenario(match["name"], match["step"])
        elif colon and before == "mended":
            _refuse_second(line, parts.mended)
            into = parts.mended = _beginning(line, rest)
        elif colon and before == f"in {reading}" and reading in system.every_reading:
            _refuse_second(line, parts.answers.get(reading))
            into = parts.answers[reading] = _beginning(line, rest)
        else:
            into.append(line)
    if parts.refusing == system.readings:
        parts.refusing = parts.readings
    return parts


def _refuse_second(line: Line, first: list[Line] | None) -> None:
    if first is not None:
        raise NotationError(line.number, "this keyword at most once in a paragraph", line.text)


def _beginning(line: Line, rest: str) -> list[Line]:
    """Return the rest of the line that begins with the keyword of a block."""
    return [Line(line.number, rest.strip())] if rest.strip() else []


def _readings(system: System, line: Line, keyword: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in line.text.removeprefix(keyword).split(","))
    for name in names:
        if name not in system.every_reading:
            known = ", ".join(system.every_reading)
            raise NotationError(line.number, f"a reading of {system.name} ({known})", name)
    return tuple(each for each in system.every_reading if each in names)


def _draft(
    system: System,
    name: str,
    clauses: tuple[str, ...],
    level: Level,
    summary: str,
    parts: _Parts,
) -> Draft:
    notation = notation_of(system)
    example = _parsed(parts.last, parts.body, notation.parse)
    outputs = _outputs(notation, parts, example)
    output = outputs.pop(parts.readings[0], None)
    return Draft(
        name=name,
        operation=example.operation,
        summary=summary,
        clauses=clauses,
        input=example.input,
        level=level,
        output=output,
        output_by_reading=outputs,
        rejected_by=parts.refusing,
        mended=_mended(notation, parts, example),
        readings_differ=_readings_differ(parts, [output, *outputs.values()]),
        readings=() if parts.readings == system.readings else parts.readings,
        scenario=parts.scenario,
        recipe='"$repeat"' in canonical_json(example.input),
    )


def _readings_differ(parts: _Parts, outputs: Sequence[JsonObject | None]) -> bool:
    """Return whether the readings differ in a refusal or in a stated answer."""
    if parts.answers or 0 < len(parts.refusing) < len(parts.readings):
        return True
    stated = [output for output in outputs if output is not None]
    return any(output != stated[0] for output in stated)


def _outputs(notation: Notation, parts: _Parts, example: Example) -> dict[str, JsonObject]:
    """Reading -> the answer that is stated for it."""
    accepting = [each for each in parts.readings if each not in parts.refusing]
    outputs: dict[str, JsonObject] = {}
    if example.output is not None:
        if not accepting:
            last = parts.body[-1]
            raise NotationError(last.number, "no answer to an input that is refused", last.text)
        outputs = dict.fromkeys(accepting, example.output)
    for reading in dict.fromkeys((*accepting, *parts.answers)):
        output = _output(notation, parts, example, reading)
        if output is not None:
            outputs[reading] = output
    return outputs


def _output(notation: Notation, parts: _Parts, example: Example, reading: str) -> JsonObject | None:
    """Return the answer that is stated for a reading and no other one, if there is one."""
    lines = parts.answers.get(reading)
    block = [] if lines is None else _dedented_block(lines)
    answer = notation.answer
    if answer is not None:
        body = [line.text for line in parts.body]
        return _parsed(
            parts.last, [*parts.body, *block], lambda text: answer(body, text[len(body) :], reading)
        )
    if lines is None:
        return None
    return _parsed(parts.last, block, lambda text: notation.parse_output(text, example))


def _mended(notation: Notation, parts: _Parts, example: Example) -> JsonObject | None:
    if parts.mended is None:
        return None
    block = parts.mended
    parse_mended = notation.parse_mended
    if parse_mended is None:
        mended = _parsed(parts.last, block, notation.parse)
    else:
        mended = _parsed(parts.last, block, lambda text: parse_mended(text, example))
    if mended.operation != example.operation:
        raise NotationError(block[-1].number, f"a question to {example.operation}", block[-1].text)
    return mended.input


def _dedented_block(lines: Sequence[Line]) -> list[Line]:
    """Return the lines of a block without their common indentation."""
    widths = [len(line.text) - len(line.text.lstrip()) for line in lines]
    common = min((width for width in widths if width), default=0)
    return [
        Line(line.number, line.text[common:] if width else line.text)
        for line, width in zip(lines, widths, strict=True)
    ]


def _parsed(last: int, lines: Sequence[Line], parse: Callable[[Sequence[str]], T]) -> T:
    """Return the parsed lines. Raises NotationError with the line number in the file."""
    try:
        return parse([line.text for line in lines])
    except NotationError as error:
        number = lines[error.line - 1].number if error.line <= len(lines) else last
        raise NotationError(number, error.expected, error.found) from None
