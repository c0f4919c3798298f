"""Calls with their right answers and the observed ones, and what a changed reference answers."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Final, Self

from attrs import frozen

from rejoin_conformance.campaigns.mutants.asking import (
    Coverage,
    coverage_of,
    executed_by,
    in_a_fork,
)
from rejoin_conformance.campaigns.mutants.in_force import NotInForceError, put_in_force, swapped
from rejoin_conformance.campaigns.mutants.knockout import KnockedOut
from rejoin_conformance.campaigns.mutants.mutant import mutated_modules
from rejoin_conformance.campaigns.mutants.source import source_path
from rejoin_conformance.contract.history import Call
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.corpus.executed import limited_lines
from rejoin_conformance.corpus.verify import Question
from rejoin_conformance.kit.json_types import JsonObject, canonical_json
from rejoin_conformance.kit.limited_time import TooLongError, limited_time

_LINES: Final = 1_000
_TIMES: Final = 20
"""Lines of the reference that one answer may take under a change: so many, and so many times those
that it takes without. An answer that takes more is another one. Of 8,717 answers to planted bugs,
none took between a third of the limit and six times it, so small differences do not matter."""
_SECONDS: Final = 30
"""Processor time after which an answer is another one. Only a line that builds something too large
for the memory takes so long: it has no answer then either."""


@frozen(kw_only=True)
class Undecided:
    """A call that may decide clauses.

    readings: the readings in which it is asked. observed: the answer of an implementation in the
        first of them, compared if it is `{"output": ...}` or `{"rejected": ...}`; None if it gave
        none.
    """

    call: Call
    readings: tuple[str, ...]
    observed: JsonObject | None = None


@frozen
class Effect:
    """The effect of a change on calls.

    changed: the calls whose answer it alters. alike: those of them that get the observed answer.
    """

    changed: Sequence[int] = ()
    alike: Sequence[int] = ()


@frozen(eq=False)
class AskedCalls:
    """Calls, with the lines of the reference that run while it answers them.

    questions: each call with the answers of the reference. observed: place of a call -> the answer
    of an implementation. paths: the source files of the reference. mimics: whether only the effects
    of changes count that give the observed answers, or other answers to half of these calls.
    """

    system: str
    questions: Mapping[int, Question]
    observed: Mapping[int, JsonObject]
    coverage: Coverage
    paths: Container[str]
    mimics: bool = False

    @classmethod
    def of(cls, system: str, asked: Sequence[Undecided]) -> Self:
        """Ask the reference the calls."""
        operations = {each.name: each for each in system_named(system).operations}
        questions: dict[int, Question] = {}
        observed: dict[int, JsonObject] = {}
        for place, each in enumerate(asked):
            answer = partial(operations[each.call.operation].answer, each.call.input)
            expected = {reading: answer(reading).to_json() for reading in each.readings}
            questions[place] = Question.of(each.call.as_vector(expected))
            if each.observed is not None and {"output", "rejected"} & each.observed.keys():
                observed[place] = each.observed
        modules = mutated_modules(system)
        coverage = coverage_of(executed_by(system, modules, questions.items(), afresh=True))
        paths = {str(source_path(module)) for module in modules}
        return cls(system, questions, observed, coverage, paths)

    def of_knockouts(self, knockouts: Sequence[KnockedOut]) -> Sequence[tuple[KnockedOut, Effect]]:
        """Return each knock-out and its effect. Those that need a world have a process each."""
        alone: list[Effect | None] = [None] * len(knockouts)
        found = in_a_fork(lambda: [*map(self._of_swapped, knockouts)], alone)
        return [
            (change, each or in_a_fork(partial(self._of_world, change), Effect()))
            for change, each in zip(knockouts, found, strict=True)
        ]

    def _of_swapped(self, change: KnockedOut) -> Effect | None:
        """Return the effect of a change of a function; None if the change needs a world."""
        if not change.function:
            return None
        lines = range(change.first_line, change.last_line + 1)
        places = [*self.coverage.executing(change.module, lines)]
        if not places:
            return Effect()  # most knock-outs, which need not be compiled
        with suppress(NotInForceError), swapped(self.system, [change]) as operations:
            return self.effect(places, operations)
        return None

    def _of_world(self, change: KnockedOut) -> Effect:
        """Return the effect of a change, and leave it in force in this process."""
        with suppress(Exception):  # whatever a changed module raises
            return self.effect([*self.questions], put_in_force(self.system, [change]))
        return Effect()

    def effect(self, places: Sequence[int], now: Mapping[str, Operation]) -> Effect:
        """Return the effect of the change that is in force: none if it is to mimic and is far off.

        An implementation has one evaluation: the second one does not count for its answers.
        """
        answers = {each: self.answer(each, now) for each in places if each in self.observed}
        alike = [each for each in answers if self.is_observed(each, answers[each])]
        wrong = [
            each
            for each in answers
            if not self.is_expected(each, answers[each])
            or not (self.mimics or self.is_right(each, now))
        ]
        if self.mimics and not alike and 2 * len(wrong) < len(self.observed):
            return Effect()
        left = (each for each in places if each not in self.observed)
        return Effect([*wrong, *(each for each in left if not self.is_right(each, now))], alike)

    def answer(self, place: int, operations: Mapping[str, Operation]) -> JsonObject:
        """Return the answer of the first evaluation to a call; empty if there is none."""
        vector = self.questions[place].vector
        with suppress(Exception, TooLongError), self._limited(place):
            found = operations[vector.operation].answer(vector.input, next(iter(vector.expected)))
            return found.to_json()
        return {}

    def is_right(self, place: int, operations: Mapping[str, Operation]) -> bool:
        """Return whether the operations give the answers of the reference to a call."""
        question = self.questions[place]
        with suppress(Exception, TooLongError), self._limited(place):
            return question.wrong_answer(operations[question.vector.operation]) is None
        return False

    @contextmanager
    def _limited(self, place: int) -> Iterator[None]:
        """Run a block for the lines that an answer may take. Raises TooLongError beyond."""
        most = _LINES + _TIMES * self.coverage.costs.get(place, 0)
        with limited_time(_SECONDS), limited_lines(self.paths, most):
            yield

    def is_expected(self, place: int, answer: JsonObject) -> bool:
        """Return whether an answer of the first evaluation is right in the first reading."""
        (_, right), *_ = self.questions[place].expected
        return _text(answer) == ("rejected" if right is None else right)

    def is_observed(self, place: int, answer: JsonObject) -> bool:
        """Return whether an answer is the observed one."""
        return _text(answer) == _text(self.observed[place])


def _text(answer: JsonObject) -> str:
    """Return an answer as text that is equal for equal answers; reasons are not compared."""
    return canonical_json(answer["output"]) if "output" in answer else " ".join(answer)
