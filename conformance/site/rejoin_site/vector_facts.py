"""What the page of a vector shows: its question, its answers and the steps, in the notation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from attrs import evolve, frozen

from rejoin_conformance.contract.asked_text import StepText, grouped
from rejoin_conformance.contract.operation import output_in
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.showing import Question, in_notation, question_of, steps_of
from rejoin_conformance.kit.json_types import canonical_json

_LONGEST: Final = 1_200
"""The number of characters of a text that a page shows."""
_MOST_STEPS: Final = 24
_LARGE: Final = 20_000
"""The number of characters of a vector that is too large to decode."""


@frozen
class Block:
    """A text of a page. rest: the text after it, which the page folds. more: the number of
    characters after it that the page leaves out.
    """

    text: str
    rest: str = ""
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
    question = question_of(system_named(vector.system), vector)
    asked = None if large else in_notation(question)
    steps = () if large else steps_of(question, vector.readings[0])[1]
    mended = vector.mended
    if mended is not None:
        corrected = None if large else in_notation(evolve(question, input=mended))
    return VectorFacts(
        vector=vector,
        decoded=asked is not None,
        large=large,
        question=shortened(asked or _json(vector.input), large=large),
        answers=tuple(_answers(question, vector, asked, large=large)),
        mended=None if mended is None else shortened(corrected or _json(mended), large=large),
        steps=grouped(steps[:_MOST_STEPS]),
        more_steps=max(0, len(steps) - _MOST_STEPS),
    )


def shortened(text: str, *, large: bool = False) -> Block:
    """Return a text as far as a page shows it: up to the end of a line, or else of a word.

    large: whether the page leaves out the rest.
    """
    if len(text) <= _LONGEST:
        return Block(text)
    ends = (text.rfind(mark, 0, _LONGEST) for mark in "\n ")
    end = next((each for each in ends if each > 0), _LONGEST)
    shown, rest = text[:end], text[end:].removeprefix("\n")
    return Block(shown, more=len(rest)) if large else Block(shown, rest)


def _answers(
    question: Question, vector: Vector, asked: str | None, *, large: bool
) -> Iterator[Answer]:
    """Yield the answers that differ, in the order of the readings.

    asked: the question in the notation, or None if the notation cannot express it.
    """
    by_text: dict[str, list[str]] = {}
    for reading, expected in vector.expected.items():
        output = output_in(expected)
        by_text.setdefault("" if output is None else _json(output), []).append(reading)
    for key, readings in by_text.items():
        output, block, together = output_in(vector.expected[readings[0]]), None, False
        if output is not None:
            text = (None if large else in_notation(question, output)) or key
            together = text != key and not text.startswith(asked or "")
            block = shortened(text.removeprefix(asked or "").strip(), large=large)
        yield Answer(readings=tuple(readings), block=block, whole=together)


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=True)
