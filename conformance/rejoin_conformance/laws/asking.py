"""Whom the machines ask, what they expect, and how a failure reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeAlias

from attrs import define, evolve, field
from hypothesis import event

from rejoin_conformance.adapters.protocol import Reply
from rejoin_conformance.adapters.runner.cases import Case
from rejoin_conformance.adapters.runner.declared import Declared
from rejoin_conformance.adapters.runner.judge import judge
from rejoin_conformance.contract.history import Call
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.paragraph_text import render_paragraph
from rejoin_conformance.kit.json_types import JsonObject, canonical_json

Answer: TypeAlias = JsonObject
"""`{"output": ...}`, `{"rejected": ...}`, or `{"error": ...}` with what was done instead."""

Ask: TypeAlias = Callable[[str, JsonObject], Answer]
"""(operation, input) -> answer."""


class LawBrokenError(AssertionError):
    """An answer breaks a law.

    paragraph: the question and the right answer, for `vectors add`. answer: how the answer differs.
    """

    def __init__(self, law: str, paragraph: str, answer: str) -> None:
        super().__init__(f"{law}\n\n{paragraph}\nanother answer came: {answer}")
        self.law, self.paragraph, self.answer = law, paragraph, answer


@define
class Asking:
    """An implementation that is held to the laws of one system, and what it was asked so far.

    ask: the implementation. again: another process of it. declared: what it can be asked; None for
    everything. asked: law -> number of answers that were compared. left_out: what is not declared
    -> number of questions. cases: what the questions were about -> number. seen: the IDs of the
    vectors that were reached. broken: the last failure.
    """

    system: System
    ask: Ask
    again: Ask
    declared: Declared | None = None
    asked: Counter[str] = field(factory=Counter)
    left_out: Counter[str] = field(factory=Counter)
    cases: Counter[str] = field(factory=Counter)
    seen: set[str] = field(factory=set)
    broken: LawBrokenError | None = None

    def saw(self, case: str) -> None:
        """Count a case that the machine reached, also for Hypothesis."""
        self.cases[case] += 1
        event(case)

    def compare(
        self, law: str, operation: str, value: JsonObject, expected: Answer, *, again: bool = False
    ) -> None:
        """Ask a question, unless it is not declared. Raises LawBrokenError for a wrong answer."""
        case = self._case(law, operation, value, expected)
        if case.missing or not (self.declared is None or operation in self.declared.operations):
            self.left_out[operation + (f" with {case.missing}" if case.missing else "")] += 1
            return
        answer: Any = (self.again if again else self.ask)(operation, value)
        ((kind, body),) = answer.items()
        self.asked[law] += 1
        outcome = judge(case, Reply(0, kind, body))
        if outcome.verdict != "pass":
            said = ("another process: " if again else "") + outcome.explanation
            self.broken = LawBrokenError(law, self._paragraph(case.vector), said)
            raise self.broken

    def _case(self, law: str, operation: str, value: JsonObject, expected: Answer) -> Case:
        (clauses,) = (each.clauses for each in self.system.laws if each.name == law)
        reading, performs = self.system.default_reading, self.system.operation(operation)
        assert performs is not None, operation
        vector = Call(operation, value).as_vector(
            {reading: expected},
            id=f"{self.system.name}/found/found-{law}",
            clauses=clauses,
            summary=f"Found by the law {law}.",
        )
        case = Case(vector=vector, reading=reading, system=self.system, operation=performs)
        if self.declared is None:
            return case
        missing = self.declared.missing(operation, value)
        return evolve(case, without=self.declared.left_out(operation), missing=missing)

    def _paragraph(self, vector: Vector) -> str:
        """Return a question with its answer as a paragraph of the corpus, or as JSON."""
        with suppress(Exception):  # the reference writes the text, and can itself be at fault
            if written := render_paragraph(self.system, vector):
                return written
        return canonical_json(vector.to_json()) + "\n"
