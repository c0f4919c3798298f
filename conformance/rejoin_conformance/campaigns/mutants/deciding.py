"""The clauses that an input decides: those without which the reference answers it in another way.

Each knock-out removes one clause from the reference. An input decides the clause if it gets another
answer under the knock-out. If it gets the same answers under all knock-outs, mutants stand in for
them: an input decides the clauses that a function claims if a mutant of the function changes an
answer.

An implementation goes wrong in more ways than one knock-out shows. If it has wrong answers, the
mutants of the functions that claim a clause are further ways to go wrong there.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from types import CodeType
from typing import Final, Literal, TypeAlias

from attrs import evolve, frozen

from rejoin_conformance.campaigns.mutants.asking import in_a_fork
from rejoin_conformance.campaigns.mutants.by_clause import claimed_by
from rejoin_conformance.campaigns.mutants.coverage import Coverage, coverage_of, executed_by
from rejoin_conformance.campaigns.mutants.in_force import (
    NotInForceError,
    exchanged,
    put_in_force,
    swapped,
)
from rejoin_conformance.campaigns.mutants.knockout import KnockedOut, load_knockouts
from rejoin_conformance.campaigns.mutants.mutant import mutated_modules
from rejoin_conformance.campaigns.mutants.source import Site, source_of, source_path
from rejoin_conformance.contract.history import Call
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.corpus.executed import limited_lines
from rejoin_conformance.corpus.verify import Question
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.limited_time import TooLongError, limited_time
from rejoin_conformance.kit.locations import mutants_directory

_LINES: Final = 1_000
_TIMES: Final = 20
"""Lines of the reference that one answer may take under a change: so many, and so many times those
that it takes without. An answer that takes more is another one. Of 8,717 answers to planted bugs,
none took between a third of the limit and six times it, so small differences do not matter."""
_SECONDS: Final = 30
"""Processor time after which an answer is another one. Only a line that builds something too large
for the memory takes so long: it has no answer then either."""
_FEW: Final = 4
"""A change that breaks more than a quarter of the right answers explains no wrong one."""

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
    whether only changes count that give observed answers, and mutants are tried too, each in place
    of the knock-outs of its clauses if it explains more of these answers. Otherwise mutants are
    asked about a call that no knock-out changes.
    """
    if not asked:
        return ()
    calls = _Calls.of(system, asked, mimics=mimics)
    knockouts = load_knockouts(mutants_directory() / system, system).changes
    likely = calls.of_mimics(knockouts) if mimics else ()
    found = calls.decided(chain(calls.of_knockouts(knockouts), likely))
    left = [place for place, each in enumerate(found) if not mimics and not each.clauses]
    for place in left:
        found[place] = calls.by_mutants(place)
    return tuple(found)


_Operations: TypeAlias = Mapping[str, Operation]
_Changes: TypeAlias = tuple[list[int], list[int]]
"""The calls whose answer a change alters, and those of them that get the observed answer."""
_Mimic: TypeAlias = tuple[frozenset[str], range, _Changes]
"""The clauses that a function claims, the lines that a mutant of it changes, and its effect."""


@frozen
class _Effect:
    """The effect of a change on calls.

    changed: the calls whose answer it alters. alike: those of them that get the observed answer.
    """

    clause: str
    changed: Sequence[int] = ()
    alike: Sequence[int] = ()


def _blamed(
    knockouts: Iterable[KnockedOut], module: str, lines: Iterable[int], claimed: frozenset[str]
) -> Sequence[str]:
    """Return the clauses that a change of some lines of a function stands for.

    They are those whose knock-outs edit one of the lines, of the clauses that the function claims.
    If there are none, they are all clauses that the function claims.
    """
    of_module = (each for each in knockouts if each.module == module)
    there = {each.clause for each in of_module if not each.edited.isdisjoint(lines)}
    return sorted(claimed & there or claimed)


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
    the observed answer of an implementation. paths: the source files of the reference.
    """

    system: str
    questions: Mapping[int, Question]
    alike: Mapping[int, Question]
    coverage: Coverage
    paths: Container[str]
    mimics: bool

    @classmethod
    def of(cls, system: str, asked: Sequence[Undecided], *, mimics: bool) -> _Calls:
        """Ask the reference the calls."""
        operations = {each.name: each for each in system_named(system).operations}
        questions: dict[int, Question] = {}
        alike: dict[int, Question] = {}
        for place, each in enumerate(asked):
            answer = partial(operations[each.call.operation].answer, each.call.input)
            expected = {reading: answer(reading).to_json() for reading in each.readings}
            questions[place] = Question.of(each.call.as_vector(expected))
            if each.observed is not None and {"output", "rejected"} & each.observed.keys():
                observed = {each.readings[0]: each.observed}
                alike[place] = _OfFirst.of(each.call.as_vector(observed))
        modules = mutated_modules(system)
        coverage = coverage_of(executed_by(system, modules, questions.items(), afresh=True))
        paths = {str(source_path(module)) for module in modules}
        return cls(system, questions, alike, coverage, paths, mimics)

    def of_knockouts(self, knockouts: Sequence[KnockedOut]) -> Iterator[_Effect]:
        """Yield the effect of each knock-out. Those that need a world have a process each.

        A clause that states a property of answers has no code. Its knock-out is in a function that
        does not claim it. Among the causes of wrong answers it is a mutant of this function.
        """
        alone: list[_Changes | None] = [None] * len(knockouts)
        nothing: _Changes = [], []
        found = in_a_fork(lambda: [*map(self._of_swapped, knockouts)], alone)
        for change, each in zip(knockouts, found, strict=True):
            effect = each or in_a_fork(partial(self._of_world, change), nothing)
            claimed = claimed_by(f"{change.module}.{change.function}")
            if not self.mimics or not change.function or change.clause in claimed:
                yield _Effect(change.clause, *effect)
                continue
            for clause in _blamed(knockouts, change.module, change.edited, claimed):
                yield _Effect(clause, *effect)

    def _of_swapped(self, change: KnockedOut) -> _Changes | None:
        """Return the effect of a change of a function; None if the change needs a world."""
        if not change.function:
            return None
        lines = range(change.first_line, change.last_line + 1)
        places = [*self.coverage.executing(change.module, lines)]
        if not places:
            return [], []  # most knock-outs, which need not be compiled
        with suppress(NotInForceError), swapped(self.system, [change]) as operations:
            return self._altered(places, operations)
        return None

    def _of_world(self, change: KnockedOut) -> _Changes:
        """Return the effect of a change, and leave it in force in this process."""
        with suppress(Exception):  # whatever a changed module raises
            return self._altered([*self.questions], put_in_force(self.system, [change]))
        return [], []

    def of_mimics(self, knockouts: Sequence[KnockedOut]) -> Iterator[_Effect]:
        """Yield the effects of the mutants that give observed answers."""
        none: list[_Mimic] = []
        for module in mutated_modules(self.system):
            source_of(module)  # parsed before the fork, and so only once
            for claimed, lines, effect in in_a_fork(partial(self._mimics_in, module), none):
                for clause in _blamed(knockouts, module, lines, claimed):
                    yield _Effect(clause, *effect)

    def _mimics_in(self, module: str) -> list[_Mimic]:
        """Return the mutants of a module that give observed answers, each in force in turn."""
        found: list[_Mimic] = []
        for claimed, lines, code in self._mutants_in(module, self.alike):
            places = [*self.coverage.executing(module, lines)]
            first = next(each for each in places if each in self.alike)  # the smallest
            with suppress(NotInForceError), exchanged(self.system, [(module, code)]) as now:
                if self._gives(self.alike, first, now):  # most mutants end here
                    found.append((claimed, lines, self._altered(places, now)))
        return found

    def _mutants_in(
        self, module: str, some: Container[int]
    ) -> Iterator[tuple[frozenset[str], range, CodeType]]:
        """Yield the clauses that a changed function claims, the changed lines, and its code.

        some: one of these calls executes the lines.
        """
        source = source_of(module)

        def lines(site: Site) -> range:
            return range(site.lines[0], site.lines[1] + 1)

        def claimed(site: Site) -> frozenset[str]:
            return claimed_by(f"{module}.{site.function.name}") if site.function else frozenset()

        def is_wanted(site: Site) -> bool:
            calls = self.coverage.executing(module, lines(site))
            return bool(claimed(site)) and any(each in some for each in calls)

        for number, code in source.codes(is_wanted):
            site, _, _ = source.changes[number]
            yield claimed(site), lines(site), code

    def _altered(self, places: Sequence[int], now: _Operations) -> _Changes:
        """Return the effect of the change that is in force; none if it is to mimic and does not."""
        wrong = [each for each in places if each in self.alike]
        alike = [each for each in wrong if self._gives(self.alike, each, now)]
        if self.mimics and not alike:
            return [], []
        most = (len(self.questions) - len(self.alike)) // _FEW if self.mimics else None
        left = (each for each in places if each not in self.alike)
        other = (each for each in left if not self._gives(self.questions, each, now))
        broken = [*islice(other, None if most is None else most + 1)]
        if most is not None and len(broken) > most:
            return [], []
        left = (each for each in wrong if each not in alike)
        changed = [each for each in left if not self._gives(self.questions, each, now)]
        return [*alike, *changed, *broken], alike

    def _gives(self, asked: Mapping[int, Question], place: int, operations: _Operations) -> bool:
        """Return whether the operations give the answer to a question, of the lines it may take."""
        question = asked[place]
        most = _LINES + _TIMES * self.coverage.costs.get(place, 0)
        time, lines = limited_time(_SECONDS), limited_lines(self.paths, most)
        with suppress(Exception, TooLongError), time, lines:
            return question.wrong_answer(operations[question.vector.operation]) is None
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
        modules = mutated_modules(self.system)
        none: set[str] = set()
        found = [in_a_fork(partial(self._decided_in, each, place), none) for each in modules]
        clauses = tuple(sorted(none.union(*found)))
        return Decided(clauses=clauses, by="mutants" if clauses else "")

    def _decided_in(self, module: str, place: int) -> set[str]:
        """Return the clauses of the functions of a module of which a mutant changes an answer."""
        found: set[str] = set()
        for claimed, _, code in self._mutants_in(module, [place]):
            if claimed - found:
                with suppress(NotInForceError), exchanged(self.system, [(module, code)]) as now:
                    if not self._gives(self.questions, place, now):
                        found |= claimed
        return found
