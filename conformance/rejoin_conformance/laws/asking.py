"""What the machines share: whom they ask, what they expect, and how a failure reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Any, Final, TypeAlias, TypeVar

from attrs import define, field
from hypothesis import event, note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine

from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.corpus.paragraph_text import render_paragraph
from rejoin_conformance.kit.json_types import JsonObject, canonical_json

Answer: TypeAlias = JsonObject
"""`{"output": ...}` or `{"rejected": ...}`."""

Ask: TypeAlias = Callable[[str, JsonObject], Answer]
"""(operation, input) -> answer. Raises NotAskedError for what is not declared."""

REJECTED: Final[Answer] = {"rejected": {}}
"""The expected answer to an input that must be refused; reasons are not compared."""

_FEW: Final = 8
"""The number of values whose order Hypothesis draws itself, and so can shrink."""

T = TypeVar("T")


class NotAskedError(Exception):
    """The implementation does not declare this operation, or not this part of it."""


class LawBrokenError(AssertionError):
    """An answer breaks a law. The message is the law's ID and a paragraph for `vectors add`."""


@define
class Asking:
    """An implementation that is held to the laws of one system, and what it was asked so far.

    ask: the implementation. again: another process of it, for the same questions.
    asked: law -> number of answers that were compared. left_out: what is not declared -> number.
    seen: the IDs of the vectors that were reached.
    """

    system: str
    ask: Ask
    again: Ask
    asked: Counter[str] = field(factory=Counter)
    left_out: Counter[str] = field(factory=Counter)
    seen: set[str] = field(factory=set)

    @property
    def reading(self) -> str:
        """Return the reading for which the laws hold: the system's default."""
        return system_named(self.system).default_reading

    def vectors(self, *operations: str) -> Sequence[Vector]:
        """Return the vectors of some operations that have a result in the reading."""
        return _vectors(self.system, operations, self.reading)

    def expect(self, law: str, operation: str, value: JsonObject, expected: Answer) -> None:
        """Ask a question. Raises LawBrokenError if the answer is another one."""
        name = f"{self.system}/{operation}"
        try:
            answer = self.ask(name, value)
        except NotAskedError as missing:
            self.left_out[str(missing)] += 1
            event(f"not declared: {missing}")
            return
        self.asked[law] += 1
        event(law)
        if not agree(answer, expected):
            raise LawBrokenError(self._failure(law, name, value, expected, answer))

    def expect_again(self, law: str, operation: str, value: JsonObject) -> None:
        """Ask the same question twice, of two processes; the bytes must be the same."""
        name = f"{self.system}/{operation}"
        try:
            first, second = self.ask(name, value), self.again(name, value)
        except NotAskedError as missing:
            self.left_out[str(missing)] += 1
            return
        self.asked[law] += 1
        if not agree(first, second):
            raise LawBrokenError(self._failure(law, name, value, first, second))

    def _failure(
        self, law: str, operation: str, value: JsonObject, expected: Answer, answer: Answer
    ) -> str:
        """Return the law, both answers, and the question as a paragraph of the corpus."""
        system = system_named(self.system)
        stated = next((each for each in system.laws if each.name == law), None)
        clauses = stated.clauses if stated is not None else ()
        vector = Vector(
            id=f"{self.system}/found/{law}",
            operation=operation,
            clauses=clauses,
            level="must",
            summary=f"Found by the law {law}.",
            input=value,
            expected={self.reading: expected},
            readings_differ=False,
        )
        written = render_paragraph(system, vector) or canonical_json(value)
        return f"{law}\n\n{written}\nbut the answer is {canonical_json(answer)[:2000]}"


def agree(answer: Answer, expected: Answer) -> bool:
    """Return whether two answers are equal, apart from reasons, and reports that are left out."""
    if "rejected" in expected:
        return "rejected" in answer
    return canonical_json(_compared(answer)) == canonical_json(_compared(expected))


def _compared(answer: Answer) -> Answer:
    """Return an answer without `why`, which an implementation can leave out."""
    output: Any = answer.get("output")
    if not isinstance(output, dict) or not isinstance(output.get("ignored"), list):
        return answer
    ignored = [{"index": each["index"]} for each in output["ignored"]]
    return {"output": {**output, "ignored": ignored}}


@cache
def _vectors(system: str, operations: tuple[str, ...], reading: str) -> Sequence[Vector]:
    wanted = {f"{system}/{each}" for each in operations}
    return tuple(
        each
        for each in load_system(system)
        if each.operation in wanted and reading in each.expected
    )


class LawMachine(RuleBasedStateMachine):
    """A machine that asks one implementation. `asking` is set by the subclass that is run."""

    asking: Asking

    def drawn(self, data: st.DataObject, *operations: str) -> Vector:
        """Return a vector of some operations, and count it as reached."""
        vectors = self.asking.vectors(*operations)
        vector = vectors[data.draw(st.integers(0, len(vectors) - 1))]
        note(vector.id)
        self.asking.seen.add(vector.id)
        return vector

    def expected(self, vector: Vector) -> Answer:
        """Return what the corpus says of a vector."""
        return vector.expected[self.asking.reading]


def shuffled(data: st.DataObject, values: Sequence[T]) -> list[T]:
    """Return the values in a drawn order."""
    if len(values) <= _FEW:
        return data.draw(st.permutations(list(values)))
    mixed = list(values)
    Random(data.draw(st.integers(0, 2**32))).shuffle(mixed)  # noqa: S311 - not a secret
    return mixed
