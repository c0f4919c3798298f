"""What the page of a vector shows: its question, its answers and the steps, in the notation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from attrs import evolve, frozen

from rejoin_conformance.contract.asked_text import StepText, grouped, step_texts
from rejoin_conformance.contract.notation import Example, Notation, question_text
from rejoin_conformance.contract.operation import Output, output_in
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.kit.json_types import JsonObject, canonical_json

_LONGEST: Final = 1_200
"""The number of characters of a text that a page shows."""
_MOST_STEPS: Final = 24
_LARGE: Final = 20_000
"""The number of characters of a vector that is too large to decode."""


@frozen
class Block:
    """A text of a page. more: the number of characters that the page leaves out."""

    text: str
    more: int = 0


@frozen(kw_only=True)
class Answer:
    """An answer, with the readings that give it.

    block: None if they refuse the question. whole: whether the block states the question as well,
    because the notation of the operation states both together.
    """

    readings: tuple[str, ...]
    block: Block | None
    whole: bool = False


@frozen(kw_only=True)
class VectorFacts:
    """A vector as its page shows it.

    decoded: whether the question is in the notation; if not, it is JSON.
    large: whether it is too large to decode, or a recipe, so that the page shows it as the corpus
        writes it.
    steps: in groups, each with a heading that may be empty.
    more_steps: the number of steps that the page leaves out.
    """

    vector: Vector
    decoded: bool
    large: bool
    question: Block
    answers: tuple[Answer, ...]
    mended: Block | None
    steps: tuple[tuple[str, tuple[StepText, ...]], ...]
    more_steps: int

    @property
    def together(self) -> bool:
        """Return whether the answers state the question as well."""
        return any(each.whole for each in self.answers)


def vector_facts(vector: Vector) -> VectorFacts:
    """Return what the page of a vector shows."""
    large = vector.recipe or len(canonical_json(vector.to_json())) > _LARGE
    if large:
        vector = evolve(vector, recipe=False)  # its recipes are not expanded
    system = system_named(vector.system)
    notation = None if large else system.notation
    question = question_text(notation, vector.operation, vector.input)
    steps = () if large else _steps(system, vector)
    mended = vector.mended
    return VectorFacts(
        vector=vector,
        decoded=question is not None,
        large=large,
        question=shortened(question or _json(vector.input)),
        answers=tuple(_answers(notation, vector, decoded=question is not None)),
        mended=None if mended is None else shortened(_question(notation, vector, mended)),
        steps=grouped(steps[:_MOST_STEPS]),
        more_steps=max(0, len(steps) - _MOST_STEPS),
    )


def shortened(text: str) -> Block:
    """Return a text as far as a page shows it."""
    return Block(text[:_LONGEST], max(0, len(text) - _LONGEST))


def _question(notation: Notation | None, vector: Vector, value: JsonObject) -> str:
    return question_text(notation, vector.operation, value) or _json(value)


def _answers(notation: Notation | None, vector: Vector, *, decoded: bool) -> Iterator[Answer]:
    """Yield the answers that differ, in the order of the readings.

    decoded: whether the notation can express the question.
    """
    asked = Example(operation=vector.operation, input=vector.input)
    by_text: dict[str, list[str]] = {}
    outputs: dict[str, JsonObject | None] = {}
    for reading, expected in vector.expected.items():
        output = output_in(expected)
        key = _json(output) if output is not None else ""
        by_text.setdefault(key, []).append(reading)
        outputs[key] = output
    for key, readings in by_text.items():
        output = outputs[key]
        if output is not None:
            said = notation.render_output(asked, output) if notation and decoded else None
            whole = None if said is not None else _question_and_answer(notation, vector, output)
            yield Answer(
                readings=tuple(readings),
                block=shortened(said or whole or key),
                whole=whole is not None,
            )
        else:
            yield Answer(readings=tuple(readings), block=None)


def _question_and_answer(
    notation: Notation | None, vector: Vector, output: JsonObject
) -> str | None:
    """Return the question with its answer as one text, or None if the notation has none."""
    if notation is None or vector.operation not in notation.operations:
        return None
    return notation.render(Example(operation=vector.operation, input=vector.input, output=output))


def _steps(system: System, vector: Vector) -> tuple[StepText, ...]:
    asked = system.operation(vector.operation)
    operation = asked if asked and asked.steps_of else system.steps_operation(vector.operation)
    if operation is None:
        return ()
    result = operation.run(vector.input, vector.readings[0])
    if not isinstance(result, Output):
        return ()
    return step_texts(system.notation, operation.name, vector.input, result.value)


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=True)
