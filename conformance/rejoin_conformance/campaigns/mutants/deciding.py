"""The clauses that an input decides: those without which the reference answers it in another way.

Each knock-out removes one clause from the reference. An input decides the clause if it gets another
answer under the knock-out. If it gets the same answers under all knock-outs, mutants stand in for
them: an input decides the clauses that a function claims if a mutant of the function changes an
answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Final, Literal, TypeAlias

from attrs import frozen

from rejoin_conformance.campaigns.mutants.by_clause import claimed_by
from rejoin_conformance.campaigns.mutants.corpus import Corpus, CorpusKey
from rejoin_conformance.campaigns.mutants.examine import (
    loaded_reference,
    observed_answer,
    put_in_force,
)
from rejoin_conformance.campaigns.mutants.exchanging import Change
from rejoin_conformance.campaigns.mutants.forked import in_a_fork
from rejoin_conformance.campaigns.mutants.knockout import KnockedOut, load_knockouts
from rejoin_conformance.campaigns.mutants.mutant import Mutant, mutants_in, mutated_modules
from rejoin_conformance.campaigns.mutants.reached import FunctionName, reached_by
from rejoin_conformance.contract.history import Call
from rejoin_conformance.contract.operation import Operation, Output
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.verify import Question
from rejoin_conformance.kit.json_types import JsonObject, canonical_json
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
        first of them, `{"output": ...}` or `{"rejected": ...}`; None if there is none to compare.
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


def decided_by(system: str, asked: Sequence[Undecided]) -> tuple[Decided, ...]:
    """Return the clauses that each call decides. Raises EntriesError.

    asked: calls that the reference answers or rejects, in every one of their readings.
    """
    if not asked:
        return ()
    operations = {each.name: each for each in system_named(system).operations}
    questions = [_question(system, operations, each) for each in asked]
    reference = loaded_reference(system)
    every = _Calls(
        system, operations, asked, questions, reached_by(operations, questions, reference)
    )
    found = [*every.by_knockouts(load_knockouts(mutants_directory() / system, system).changes)]
    left = [place for place, each in enumerate(found) if not each.clauses]
    for place in left:
        found[place] = every.by_mutants(place)
    return tuple(found)


def _question(system: str, operations: Mapping[str, Operation], asked: Undecided) -> Question:
    call = asked.call
    expected = {each: _answer(operations[call.operation], call, each) for each in asked.readings}
    return Question.of(
        Vector(
            id=f"{system}/found/call",
            operation=call.operation,
            clauses=(),
            level="must",
            summary="",
            input=call.input,
            expected=expected,
            readings_differ=True,
        )
    )


def _answer(operation: Operation, call: Call, reading: str) -> JsonObject:
    result = operation.answer(call.input, reading)
    return result.to_json() if isinstance(result, Output) else {"rejected": {}}


@frozen(eq=False)
class _Calls:
    """Calls, with the functions of the reference that run while it answers them."""

    system: str
    operations: Mapping[str, Operation]
    asked: Sequence[Undecided]
    questions: Sequence[Question]
    reached: Sequence[frozenset[FunctionName]]

    def by_knockouts(self, knockouts: Iterable[KnockedOut]) -> Iterator[Decided]:
        """Yield the clauses whose knock-outs change the answer to each call."""
        clauses: list[set[str]] = [set() for _ in self.asked]
        alike: list[set[str]] = [set() for _ in self.asked]
        for change in knockouts:
            for place, same in self._changed_by(change, range(len(self.asked))):
                clauses[place].add(change.clause)
                if same:
                    alike[place].add(change.clause)
        for some, those in zip(clauses, alike, strict=True):
            by: Evidence = "knock-outs" if some else ""
            first = tuple(sorted(those))
            yield Decided(clauses=(*first, *sorted(some - those)), by=by, alike=first)

    def by_mutants(self, place: int) -> Decided:
        """Return the clauses of the functions of which a mutant changes the answer to a call."""
        found: set[str] = set()
        tried: dict[FunctionName, int] = {}
        modules = {module for module, _ in self.reached[place]}
        mutants = (mutants_in(each) for each in mutated_modules(self.system) if each in modules)
        for mutant in chain.from_iterable(mutants):
            name = (mutant.module, mutant.function)
            claimed = {*claimed_by(mutant.place)}
            number = tried.get(name, 0)
            if name in self.reached[place] and number < _MOST_OF_A_FUNCTION and claimed - found:
                tried[name] = number + 1
                if self._changed_by(mutant, [place]):
                    found |= claimed
        by: Evidence = "mutants" if found else ""
        return Decided(clauses=tuple(sorted(found)), by=by)

    def _changed_by(
        self, change: KnockedOut | Mutant, places: Iterable[int]
    ) -> Sequence[tuple[int, bool]]:
        """Return the calls whose answer a change alters, and whether it becomes the observed one.

        places: the calls to ask.
        """
        name = (change.module, change.function)
        those = [place for place in places if not change.function or name in self.reached[place]]
        return in_a_fork(partial(self._ask, change, those), died=()) if those else ()

    def _ask(self, change: Change, places: Sequence[int]) -> Sequence[tuple[int, bool]]:
        key = CorpusKey(system=self.system, without=frozenset(), digest="")
        corpus = Corpus(key=key, operations=self.operations, questions=(), asked=())
        try:
            operations = put_in_force(self.system, corpus, change)
        except Exception:  # noqa: BLE001 - a change that cannot be put in force shows nothing
            return ()
        return [
            (place, self._is_alike(operations, place))
            for place in places
            if observed_answer(operations, self.questions[place], _SECONDS)[0] is not None
        ]

    def _is_alike(self, operations: Mapping[str, Operation], place: int) -> bool:
        asked = self.asked[place]
        observed = asked.observed
        if observed is None:
            return False
        said = {"rejected": {}} if "rejected" in observed else observed
        try:
            answer = _answer(operations[asked.call.operation], asked.call, asked.readings[0])
        except Exception:  # noqa: BLE001 - whatever a change raises, it is no answer
            return False
        return canonical_json(answer) == canonical_json(said)
