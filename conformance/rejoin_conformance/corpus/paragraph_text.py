"""Write a vector as a paragraph of text, which `paragraph.parse_paragraphs` reads back."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from attrs import evolve

from rejoin_conformance.contract.notation import Example, Notation
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.paragraph import INDENTATION, UNCHECKED
from rejoin_conformance.kit.json_types import JsonObject

_WIDTH: Final = 100


def render_paragraph(system: System, vector: Vector, *, checked: bool = True) -> str | None:
    """Return a vector as a paragraph, or None if the notation cannot express all of it."""
    if vector.recipe:
        return None
    notation = system.notation
    answers = {
        reading: expected_output(value)
        for reading, value in vector.expected.items()
        if "rejected" not in value
    }
    common = next(iter(answers.values()), None)
    example = Example(operation=vector.operation, input=vector.input, output=common)
    body = None if notation is None else notation.render(example)
    if notation is None or body is None:
        return None
    lines = body.split("\n")
    others = _other_answers(notation, example, lines, answers)
    mended = _mended(notation, example, vector.mended)
    if others is None or mended is None:
        return None
    level = () if vector.level == "must" else (vector.level,)
    head = f"{vector.id.rpartition('/')[2]}  {' '.join((*vector.clauses, *level))}"
    refused = _refused(vector, answers)
    more = _more(system, vector, checked=checked)
    lines = [*_wrapped(vector.summary), *lines, *others, *refused, *mended, *more]
    return "\n".join([head, *_indented(lines)]) + "\n"


def expected_output(expected: JsonObject) -> JsonObject:
    """Return the output that a reading's expectation holds."""
    output = expected["output"]
    assert isinstance(output, dict)
    return output


def _other_answers(
    notation: Notation,
    example: Example,
    body: Sequence[str],
    answers: Mapping[str, JsonObject],
) -> list[str] | None:
    """Return the lines of all answers but the body's; None if the notation cannot express one."""
    lines: list[str] = []
    for reading, answer in answers.items():
        stated = example.output
        if notation.answer is not None:
            stated = notation.answer(body, (), reading)
        if answer != stated:
            text = notation.render_output(example, answer)
            if text is None:
                return None
            lines += _block(f"in {reading}:", text)
    return lines


def _refused(vector: Vector, answers: Mapping[str, JsonObject]) -> list[str]:
    refusing = [reading for reading in vector.expected if reading not in answers]
    if not refusing:
        return []
    return [f"refused in {', '.join(refusing)}" if answers else "refused"]


def _mended(notation: Notation, example: Example, mended: JsonObject | None) -> list[str] | None:
    """Return the lines of the mended question, if any; None if the notation cannot express it."""
    if mended is None:
        return []
    text = notation.render(evolve(example, input=mended, output=None))
    return None if text is None else _block("mended:", text)


def _more(system: System, vector: Vector, *, checked: bool) -> list[str]:
    lines: list[str] = []
    if tuple(vector.expected) != system.readings:
        lines.append(f"only in {', '.join(vector.expected)}")
    if vector.scenario is not None:
        lines.append(f"scenario {vector.scenario.name}, step {vector.scenario.step}")
    return lines if checked else [*lines, UNCHECKED]


def _block(keyword: str, text: str) -> list[str]:
    lines = text.split("\n")
    if len(lines) == 1 and len(keyword) + len(text) < _WIDTH:
        return [f"{keyword} {text}"]
    return [keyword, *_indented(lines)]


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"{INDENTATION}{line}" for line in lines]


def _wrapped(summary: str) -> list[str]:
    """Return the lines of the summary; only the last line ends with a full stop."""
    sentence = summary if summary.endswith(".") else f"{summary}."
    lines = textwrap.wrap(sentence, _WIDTH - len(INDENTATION), break_on_hyphens=False)
    return [sentence] if any(line.endswith(".") for line in lines[:-1]) else lines
