"""The clauses that an input decides: those without which the reference answers it in another way.

Each knock-out removes one clause from the reference. An input decides the clause if it gets another
answer under the knock-out. If it gets the same answers under all knock-outs, mutants stand in for
them: an input decides the clauses that a function claims if a mutant of the function changes an
answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Final, Literal, TypeAlias

from attrs import evolve, frozen

from rejoin_conformance.campaigns.mutants.asking import ask
from rejoin_conformance.campaigns.mutants.by_clause import claimed_by
from rejoin_conformance.campaigns.mutants.coverage import Coverage, coverage_of, executed_by
from rejoin_conformance.campaigns.mutants.knockout import KnockedOut, load_knockouts
from rejoin_conformance.campaigns.mutants.mutant import Mutant, mutants_in, mutated_modules
from rejoin_conformance.contract.history import Call
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.corpus.verify import Question
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.locations import mutants_directory

_SECONDS: Final = 2.0
"""Processor time that one answer may take under a change; one that takes longer is another one."""
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
    system: str, asked: Sequence[Undecided], *, mutants: bool = True
) -> tuple[Decided, ...]:
    """Return the clauses that each call decides. Raises EntriesError.

    asked: calls that the reference answers or rejects, in every one of their readings. mutants:
    whether to ask mutants about a call that no knock-out changes.
    """
    if not asked:
        return ()
    calls = _Calls.of(system, asked)
    found = [*calls.by_knockouts(load_knockouts(mutants_directory() / system, system).changes)]
    left = [place for place, each in enumerate(found) if mutants and not each.clauses]
    for place in left:
        found[place] = calls.by_mutants(place)
    return tuple(found)


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

    def by_knockouts(self, knockouts: Iterable[KnockedOut]) -> Iterator[Decided]:
        """Yield the clauses whose knock-outs change the answer to each call."""
        clauses: list[set[str]] = [set() for _ in self.questions]
        alike: list[set[str]] = [set() for _ in self.questions]
        for change in knockouts:
            lines = range(change.first_line, change.last_line + 1)
            changed, same = self._changed_by(change, lines, range(len(self.questions)))
            for place in changed:
                clauses[place].add(change.clause)
            for place in same:
                alike[place].add(change.clause)
        for some, those in zip(clauses, alike, strict=True):
            by: Evidence = "knock-outs" if some else ""
            first = tuple(sorted(those))
            yield Decided(clauses=(*first, *sorted(some - those)), by=by, alike=first)

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
