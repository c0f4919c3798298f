"""A system's text notation: its questions, answers and random histories as lines of text.

A notation writes the input and the output of an operation in the protocol's terms. The text parses
back to the same JSON. Authors write vectors in it (`corpus/text_vectors.py`), and commands print
inputs and outputs in it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from attrs import frozen

from rejoin_conformance.kit.json_types import JsonObject

_BARE: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")


@frozen(kw_only=True)
class Example:
    """One question and its answer, in any reading.

    operation: the full name. output: None if the text states no answer, or if the input is refused.
    """

    operation: str
    input: JsonObject
    output: JsonObject | None = None


@frozen
class WrittenStep:
    """The text of a step, without its clause. under: see `contract/asked_text.py`."""

    text: str
    under: str = ""


WriteStep: TypeAlias = Callable[[JsonObject], WrittenStep]
"""A step -> its text. Called with the steps of one output in order; raises any exception for a step
that it cannot express."""


@frozen(kw_only=True)
class SharedNames:
    """The texts of several questions that use the same names, such as names of messages.

    definitions: name -> the line that defines it, which can be long. render: a question and its
    answer -> its text without definitions, or None if the notation cannot express it. step_writer:
    as in `Notation`.
    """

    definitions: Mapping[str, str]
    render: Callable[[Example], str | None]
    step_writer: Callable[[Example], WriteStep]


@frozen(kw_only=True)
class Notation:
    """The text notation of one system's questions, answers and random histories.

    operations: the full names of the operations that the notation supports.
    parse: the lines of a body -> the question and the stated answer. Raises NotationError.
    render: the inverse: text without indentation, or None if the notation cannot express it.
    parse_output: (the lines of an answer alone, the question) -> the answer. Vectors state the
        answers of other readings this way. Raises NotationError.
    render_output: the inverse: (question, answer) -> text, or None if the notation cannot express
        it. Callers pass only questions and answers that `render` can express.
    parse_history: the text of a random history -> the history. Raises NotationError.
    render_history: the inverse.
    parse_mended: a body that can omit the parts it shares with the question above. None if such a
        body omits nothing.
    answer: for systems in which one text states a different answer in each reading, because the
        parser computes a part of it, such as a ciphertext: (the lines of a body, the lines that
        state an answer for this reading alone, the reading) -> the answer, or None if the text
        states none. Errors count the lines of both, one after the other.
    variants: the lines of a paragraph that holds several vectors -> a word for the name of each
        vector -> its lines, each with the index (from 0) of the line that it comes from.
    step_writer: the question of an operation that lists steps -> the function that writes them.
        Raises any exception for a question that it cannot express.
    sharing: (a question, the lines in which its author asks it, or none) -> the author's names, or
        the notation's own, for the texts of other questions too; None for a notation without
        definitions. Raises any exception for a question that defines no names.
    """

    operations: tuple[str, ...]
    parse: Callable[[Sequence[str]], Example]
    render: Callable[[Example], str | None]
    parse_output: Callable[[Sequence[str], Example], JsonObject]
    render_output: Callable[[Example, JsonObject], str | None]
    parse_history: Callable[[str], Any]
    render_history: Callable[[Any], str]
    parse_mended: Callable[[Sequence[str], Example], Example] | None = None
    answer: Callable[[Sequence[str], Sequence[str], str], JsonObject | None] | None = None
    variants: Callable[[Sequence[str]], Mapping[str, Sequence[tuple[int, str]]]] | None = None
    step_writer: Callable[[Example], WriteStep] | None = None
    sharing: Callable[[Example, Sequence[str]], SharedNames] | None = None


def word(text: str) -> str:
    """Return a name in the notations' form: bare if it is a plain word, else a JSON string."""
    return text if _BARE.fullmatch(text) else json.dumps(text)


def question_text(notation: Notation | None, operation: str, value: JsonObject) -> str | None:
    """Return a question as text, or None if the notation cannot express it."""
    if notation is None or operation not in notation.operations:
        return None
    return notation.render(Example(operation=operation, input=value))


def answer_text(
    notation: Notation | None, operation: str, value: JsonObject, output: JsonObject
) -> str | None:
    """Return an answer alone as text, or None if the notation cannot express it.

    value: the input. output: can come from an adapter, so any value is safe.
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
