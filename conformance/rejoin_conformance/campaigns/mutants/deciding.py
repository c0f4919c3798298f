"""The clauses that an input decides: those without which the reference answers it in another way.

Each knock-out removes one clause from the reference. An input decides the clause if it gets another
answer under the knock-out. If it gets the same answers under all knock-outs, mutants stand in for
them: an input decides the clauses that a function claims if a mutant of the function changes an
answer.

An implementation goes wrong in more ways than one knock-out shows. If it has wrong answers, the
mutants of the functions that claim a clause are further ways to go wrong there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import Final, Literal, TypeAlias

from attrs import evolve, frozen

from rejoin_conformance.campaigns.mutants.asking import ask, in_a_fork
from rejoin_conformance.campaigns.mutants.by_clause import claimed_by
from rejoin_conformance.campaigns.mutants.coverage import Coverage, coverage_of, executed_by
from rejoin_conformance.campaigns.mutants.in_force import NotInForceError, swapped
from rejoin_conformance.campaigns.mutants.knockout import KnockedOut, load_knockouts
from rejoin_conformance.campaigns.mutants.mutant import Mutant, mutants_in, mutated_modules
from rejoin_conformance.contract.history import Call
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.corpus.verify import Question
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.limited_time import TooLongError, limited_time
from rejoin_conformance.kit.locations import mutants_directory

_SECONDS: Final = 2.0
"""Processor time that one answer may take under a change; one that takes longer is another one."""
_SECONDS_OF_MIMIC: Final = 0.1
"""Processor time that one answer may take under a mutant that is tried for its likeness."""
_MOST_OF_A_FUNCTION: Final = 20
"""The number of mutants of one function to try before it counts as not decided."""

Evidence: TypeAlias = Literal["knock-outs", "mutants", ""]


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


@frozen(kw_only=True)
class Decided:
    """The clauses that a call decides. Without any, `by` is empty too.

    by: the changes that showed it. alike: those of the clauses without which the reference gives
        the observed answer; they come first among the clauses.
    """

    clauses: tuple[str, ...] = ()
    by: Evidence = ""
    alike: tuple[str, ...] = ()


def decided_by(
    system: str, asked: Sequence[Undecided], *, mimics: bool = False
) -> tuple[Decided, ...]:
    """Return the clauses that each call decides. Raises EntriesError.

    asked: calls that the reference answers or rejects, in every one of their readings. mimics:
    whether a mutant of a function stands in for the knock-out of each clause that the function
    claims if it explains more of the observed answers. Otherwise mutants are asked about a call
    that no knock-out changes.
    """
    if not asked:
        return ()
    calls = _Calls.of(system, asked)
    effects = calls.of_knockouts(load_knockouts(mutants_directory() / system, system).changes)
    found = calls.decided(chain(effects, calls.of_mimics() if mimics else ()))
    left = [place for place, each in enumerate(found) if not mimics and not each.clauses]
    for place in left:
        found[place] = calls.by_mutants(place)
    return tuple(found)


_Mimics: TypeAlias = list[tuple[frozenset[str], list[int], list[int]]]
"""Clauses that a function claims, the calls that a mutant of it alters, and those made alike."""


@frozen
class _Effect:
    """The effect of a change on calls.

    changed: the calls whose answer it alters. alike: those of them that get the observed answer.
    """

    clause: str
    changed: Sequence[int] = ()
    alike: Sequence[int] = ()


@frozen(eq=False)
class _OfFirst(Question):
    """A question that the second evaluation is not asked."""

    def wrong_answer(self, operation: Operation) -> str | None:
        """Describe the first wrong answer, or return None."""
        return super().wrong_answer(evolve(operation, second=None))


@frozen(eq=False)
class _Calls:
    """Calls, with the lines of the reference that run while it answers them.

    questions: each call with the answers of the reference. alike: place of a call -> the call with
    the observed answer of an implementation.
    """

    system: str
    questions: Sequence[Question]
    alike: Mapping[int, Question]
    coverage: Coverage

    @classmethod
    def of(cls, system: str, asked: Sequence[Undecided]) -> _Calls:
        """Ask the reference the calls."""
        operations = {each.name: each for each in system_named(system).operations}
        questions: list[Question] = []
        alike: dict[int, Question] = {}
        for place, each in enumerate(asked):
            answer = partial(operations[each.call.operation].answer, each.call.input)
            expected = {reading: answer(reading).to_json() for reading in each.readings}
            questions.append(Question.of(each.call.as_vector(expected)))
            if each.observed is not None and {"output", "rejected"} & each.observed.keys():
                observed = {each.readings[0]: each.observed}
                alike[place] = _OfFirst.of(each.call.as_vector(observed))
        executed = executed_by(system, mutated_modules(system), enumerate(questions), afresh=True)
        return cls(system, questions, alike, coverage_of(executed))

    def of_knockouts(self, knockouts: Iterable[KnockedOut]) -> Iterator[_Effect]:
        """Yield the effect of each knock-out."""
        for change in knockouts:
            lines = range(change.first_line, change.last_line + 1)
            yield _Effect(
                change.clause, *self._changed_by(change, lines, range(len(self.questions)))
            )

    def of_mimics(self) -> Iterator[_Effect]:
        """Yield the effects of the mutants that give observed answers, for the clauses claimed."""
        run = {module for module, line in self.coverage.lines if self._wrong_in(module, [line])}
        for module in sorted(run):
            mutants = [each for each in mutants_in(module) if each.function]
            found = in_a_fork(partial(self._mimics_of, mutants), _Mimics())
            for claimed, changed, alike in found:
                yield from (_Effect(clause, changed, alike) for clause in sorted(claimed))

    def _wrong_in(self, module: str, lines: Iterable[int]) -> Sequence[int]:
        """Return the calls with an observed answer that execute any of these lines of a module."""
        return [each for each in self.coverage.executing(module, lines) if each in self.alike]

    def _mimics_of(self, mutants: Iterable[Mutant]) -> _Mimics:
        """Return the clauses and the effects of mutants, each in force for a while."""
        found = _Mimics()
        for each in mutants:
            lines = range(each.line, each.last_line + 1)
            claimed, wrong = claimed_by(each.place), self._wrong_in(each.module, lines)
            if not claimed or not wrong:
                continue
            with suppress(NotInForceError, TooLongError), swapped(self.system, [each]):
                if not self._gives(self.alike[wrong[0]]):  # the smallest: most mutants end here
                    continue
                alike = [place for place in wrong if self._gives(self.alike[place])]
                places = self.coverage.executing(each.module, lines)
                asked = [place for place in places if place not in alike]
                changed = [place for place in asked if not self._gives(self.questions[place])]
                found.append((claimed, [*alike, *changed], alike))
        return found

    def _gives(self, question: Question) -> bool:
        """Return whether the reference as it is gives an answer. Raises TooLongError."""
        operation = system_named(self.system).operation(question.vector.operation)
        assert operation is not None
        with limited_time(_SECONDS_OF_MIMIC), suppress(Exception):
            return question.wrong_answer(operation) is None
        return False

    def decided(self, effects: Iterable[_Effect]) -> list[Decided]:
        """Return the clauses of each call, by the change that explains most, for each clause."""
        best: dict[str, _Effect] = {}
        for each in effects:
            if each.clause not in best or self._explains(each) > self._explains(best[each.clause]):
                best[each.clause] = each
        found = []
        for place in range(len(self.questions)):
            alike = sorted(name for name, each in best.items() if place in each.alike)
            some = {name for name, each in best.items() if place in each.changed}
            by: Evidence = "knock-outs" if some else ""
            rest = sorted(some.difference(alike))
            found.append(Decided(clauses=(*alike, *rest), by=by, alike=tuple(alike)))
        return found

    def _explains(self, effect: _Effect) -> float:
        """Return the share of the observed answers that a change gives, less what it breaks."""
        right = len(self.questions) - len(self.alike)
        broken = sum(place not in self.alike for place in effect.changed)
        return len(effect.alike) / (len(self.alike) or 1) - broken / (right or 1)

    def by_mutants(self, place: int) -> Decided:
        """Return the clauses of the functions of which a mutant changes the answer to a call."""
        found: set[str] = set()
        tried: Counter[str] = Counter()
        for mutant in chain.from_iterable(map(mutants_in, mutated_modules(self.system))):
            lines = range(mutant.line, mutant.last_line + 1)
            claimed = claimed_by(mutant.place)
            if (
                mutant.function
                and tried[mutant.place] < _MOST_OF_A_FUNCTION
                and claimed - found
                and place in self.coverage.executing(mutant.module, lines)
            ):
                tried[mutant.place] += 1
                if self._changed_by(mutant, lines, [place])[0]:
                    found |= claimed
        by: Evidence = "mutants" if found else ""
        return Decided(clauses=tuple(sorted(found)), by=by)

    def _changed_by(
        self, change: KnockedOut | Mutant, lines: Iterable[int], places: Iterable[int]
    ) -> tuple[Sequence[int], Sequence[int]]:
        """Return the calls whose answer a change of some lines alters, and those made alike.

        places: the calls to ask.
        """
        if change.function:
            executing = {*self.coverage.executing(change.module, lines)}
            places = [each for each in places if each in executing]
        asked = [(each, self.questions[each], _SECONDS) for each in places]
        first = len(self.questions)  # the place of the first call with an observed answer
        asked += [
            (first + each, self.alike[each], _SECONDS) for each in places if each in self.alike
        ]
        if not asked:
            return (), ()
        answers = ask(self.system, [change], asked, most=len(asked), hangs=len(asked))
        changed = [each for each in places if each in answers.wrong]
        same = [
            each for each in changed if each in self.alike and first + each not in answers.wrong
        ]
        return changed, same
