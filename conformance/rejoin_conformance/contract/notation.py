"""A system's text notation: its questions, answers and random histories as lines of text.

A notation says what an operation is asked, and what it answers, in the protocol's own terms. It
parses back to the same JSON. Vectors are written in it (`corpus/text_vectors.py`), and commands
print it wherever a person reads an input.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from attrs import frozen

from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.untrusted import shown_line

END_OF_TEXT: Final = ""
"""What is found if a line, or the whole text, ends too early."""

_BARE: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")


class NotationError(Exception):
    """Text that is not in the notation.

    line: the number of the line, counted from 1, in the text that was given to the parser.
    expected: what could stand there. found: the text that stands there.
    """

    def __init__(self, line: int, expected: str, found: str) -> None:
        super().__init__(line, expected, found)
        self.line = line
        self.expected = expected
        self.found = found

    @property
    def fault(self) -> str:
        """What was expected and what was found, without the place."""
        found = f"`{shown_line(self.found, 80)}`" if self.found else "the end of the line"
        return f"expected {self.expected}, found {found}"

    def __str__(self) -> str:
        """The place and the fault on one line."""
        return f"line {self.line}: {self.fault}"


@frozen(kw_only=True)
class Example:
    """One question with its answer, in any reading.

    operation: the full name. output: None if nothing is stated, or if the input is refused.
    """

    operation: str
    input: JsonObject
    output: JsonObject | None = None


@frozen(kw_only=True)
class Notation:
    """How one system writes its questions, answers and random histories as text.

    operations: the full names of the operations that the notation can say.
    parse: the lines of a body -> the question and the stated answer. Raises NotationError.
    render: the inverse: text without indentation, or None if the notation cannot say it.
    parse_output: the lines that state an answer alone, to the question above -> the answer.
        Vectors state with it what another reading answers. Raises NotationError.
    render_output: the inverse: (the question, the answer) -> text, or None if the notation cannot
        say it. It is asked only for questions and answers that `render` can say.
    parse_history: the text of a random history -> the history. Raises NotationError.
    render_history: the inverse.
    parse_mended, render_mended: a body that may leave out what it shares with the question above,
        and the inverse; None if it leaves out nothing.
    answer: for systems in which one text states another answer in each reading, because it leaves
        something to the parser, such as what a reading encrypts: (the lines of a body, the lines
        that state an answer for this reading alone, the reading) -> the answer, or None if none is
        stated. Errors count the lines of both, one after the other.
    tellings: the lines of a paragraph that tells several vectors -> for each of them, by a word for
        its name, its lines, each with the place (from 0) of the line that it comes from.
    """

    operations: tuple[str, ...]
    parse: Callable[[Sequence[str]], Example]
    render: Callable[[Example], str | None]
    parse_output: Callable[[Sequence[str], Example], JsonObject]
    render_output: Callable[[Example, JsonObject], str | None]
    parse_history: Callable[[str], Any]
    render_history: Callable[[Any], str]
    parse_mended: Callable[[Sequence[str], Example], Example] | None = None
    render_mended: Callable[[Example, Example], str | None] | None = None
    answer: Callable[[Sequence[str], Sequence[str], str], JsonObject | None] | None = None
    tellings: Callable[[Sequence[str]], Mapping[str, Sequence[tuple[int, str]]]] | None = None


def word(text: str) -> str:
    """A name as the notations write it: bare if it is a plain word, else as a JSON string."""
    return text if _BARE.fullmatch(text) else json.dumps(text)


def question_text(notation: Notation | None, operation: str, value: JsonObject) -> str | None:
    """A question as text, or None if the notation cannot say it."""
    if notation is None or operation not in notation.operations:
        return None
    return notation.render(Example(operation=operation, input=value))


def answer_text(
    notation: Notation | None, operation: str, value: JsonObject, output: JsonObject
) -> str | None:
    """An answer alone as text, or None if the notation cannot say it.

    value: the input. output: it may come from an adapter; nothing in it makes this fail.
    """
    if notation is None or question_text(notation, operation, value) is None:
        return None
    example = Example(operation=operation, input=value)
    try:
        text = notation.render_output(example, output)
        said = None if text is None else notation.parse_output(text.split("\n"), example)
    except Exception:  # noqa: BLE001 - the values are untrusted; JSON shows them
        return None
    return text if said == output else None
