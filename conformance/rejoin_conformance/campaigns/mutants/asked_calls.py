"""Calls with their right answers, to be asked of the changed reference, and the observed ones."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Final, Self

from attrs import frozen

from rejoin_conformance.campaigns.mutants.asking import Coverage, coverage_of, executed_by
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


@frozen(eq=False)
class AskedCalls:
    """Calls, with the lines of the reference that run while it answers them.

    questions: each call with the answers of the reference. observed: place of a call -> the answer
    of an implementation. paths: the source files of the reference.
    """

    system: str
    questions: Mapping[int, Question]
    observed: Mapping[int, JsonObject]
    coverage: Coverage
    paths: Container[str]

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

    def is_observed(self, place: int, answer: JsonObject) -> bool:
        """Return whether an answer is the observed one."""
        return _text(answer) == _text(self.observed[place])


def _text(answer: JsonObject) -> str:
    """Return an answer as text that is equal for equal answers; reasons are not compared."""
    return canonical_json(answer["output"]) if "output" in answer else " ".join(answer)
