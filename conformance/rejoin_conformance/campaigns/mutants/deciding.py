"""The clauses that an input decides: those without which the reference answers it in another way.

Each knock-out removes one clause from the reference. An input decides the clause if it gets another
answer under the knock-out. If it gets the same answers under all knock-outs, mutants stand in for
them: an input decides the clauses that a function claims if a mutant of the function changes an
answer.

An implementation goes wrong in more ways than one knock-out shows. If it has wrong answers, the
mutants of the functions that claim a clause are further ways to go wrong there. A knock-out that
gives other wrong answers, but to the same calls and to few others, is close.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import chain
from math import inf
from typing import Final, Literal, TypeAlias

from attrs import evolve, frozen

from rejoin_conformance.campaigns.mutants.asked_calls import AskedCalls, Effect, Undecided
from rejoin_conformance.campaigns.mutants.asking import in_a_fork
from rejoin_conformance.campaigns.mutants.in_force import NotInForceError, exchanged
from rejoin_conformance.campaigns.mutants.knockout import KnockedOut, load_knockouts
from rejoin_conformance.campaigns.mutants.mutant import mutated_modules
from rejoin_conformance.campaigns.mutants.source import REFERENCE, Site, source_of
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.corpus.clauses import implementers
from rejoin_conformance.kit.locations import mutants_directory

_FEW: Final = 4
"""A change that breaks more than a quarter of the right answers explains no wrong one."""

Evidence: TypeAlias = Literal["knock-outs", "mutants", ""]


@frozen
class Decided:
    """The clauses that a call decides. Without any, `by` is empty too.

    by: the changes that showed it. alike: those of the clauses without which the reference gives
        the observed answer; they come first among the clauses. closest: the clauses whose knock-out
        is closest, if it changes this answer.
    """

    clauses: tuple[str, ...] = ()
    by: Evidence = ""
    alike: tuple[str, ...] = ()
    closest: tuple[str, ...] = ()


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
    calls = evolve(_Calls.of(system, asked), mimics=mimics)
    knockouts = load_knockouts(mutants_directory() / system, system).changes
    causes = [*calls.caused(calls.of_knockouts(knockouts))]
    likely = calls.of_mimics(knockouts) if mimics else ()
    closest = calls.closest(causes) if mimics else {}
    found = calls.decided(chain(causes, likely), closest)
    left = [place for place, each in enumerate(found) if not mimics and not each.clauses]
    for place in left:
        found[place] = calls.by_mutants(place)
    return tuple(found)


_Mimic: TypeAlias = tuple[frozenset[str], range, Effect]
"""The clauses that a function claims, the lines that a mutant of it changes, and its effect."""


@cache
def _claims() -> Mapping[str, tuple[str, ...]]:
    return {each.name: each.clauses for each in implementers(REFERENCE)}


def _own(module: str, function: str) -> frozenset[str]:
    """Return the clauses that a function, its class or its module claims."""
    claims, parts = _claims(), f"{module}.{function}".split(".")
    names = (".".join(parts[:count]) for count in range(1, len(parts) + 1))
    return frozenset(clause for name in names for clause in claims.get(name, ()))


@cache
def _claimed_by(module: str, function: str, *callees: str) -> frozenset[str]:
    """Return the clauses of a function: its own, or if it is a helper, those of its callers.

    A helper has no clauses of its own. callees: functions whose callers are asked for.
    """
    own = _own(module, function)
    callers = () if own else _callers(module).get(function, set()) - {function, *callees}
    return own.union(*(_claimed_by(module, each, function, *callees) for each in callers))


@cache
def _callers(module: str) -> Mapping[str, set[str]]:
    """Return name -> the functions of a module that use it."""
    found: dict[str, set[str]] = {}
    for function in {site.function for site, _, _ in source_of(module).changes}:
        for node in ast.walk(function.node) if function else ():
            if function and isinstance(node, ast.Name):
                found.setdefault(node.id, set()).add(function.name)
    return found


def _claimed(change: KnockedOut) -> frozenset[str]:
    """Return the clauses of a changed function: a helper has the clauses knocked out in it too."""
    place = (change.module, change.function)
    return _claimed_by(*place).union(() if _own(*place) else [change.clause])


def _blamed(
    knockouts: Iterable[KnockedOut], module: str, lines: Iterable[int], claimed: frozenset[str]
) -> Sequence[str]:
    """Return the clauses that a change of some lines of a function stands for.

    They are those whose knock-outs edit one of the lines, of the clauses that the function claims.
    If there are none, they are all clauses that the function claims.
    """
    of_module = (each for each in knockouts if each.module == module)
    there = (each for each in of_module if not each.edited.isdisjoint(lines))
    return sorted({each.clause for each in there if each.clause in _claimed(each)} or claimed)


@frozen(eq=False)
class _Calls(AskedCalls):
    """Calls, and the effects of changes on them."""

    def caused(self, effects: Sequence[tuple[KnockedOut, Effect]]) -> Iterator[tuple[str, Effect]]:
        """Yield the effects of knock-outs, each for the clauses that it stands for.

        Among the causes of wrong answers, a knock-out is a mutant of its function. So it stands for
        each clause that is knocked out on the same line. A clause that states a property of answers
        has no code, and its knock-out is in a function that does not claim it.
        """
        knockouts = [change for change, _ in effects]
        for change, effect in effects:
            claimed = _claimed(change)
            is_mutant = self.mimics and change.function
            alike = _blamed(knockouts, change.module, change.edited, claimed) if is_mutant else ()
            for clause in alike or [change.clause]:
                yield clause, effect

    def closest(self, causes: Sequence[tuple[str, Effect]]) -> Mapping[str, Sequence[int]]:
        """Return the clauses whose absence changes most nearly the calls with observed answers.

        With each are the calls that it changes. The measure is Ochiai's: those with observed
        answers among them, squared, by all of them.
        """

        def near(effect: Effect) -> float:
            wrong = sum(place in self.observed for place in effect.changed)
            return wrong**2 / (len(effect.changed) or 1)

        most = max((near(effect) for _, effect in causes), default=0)
        return {clause: effect.changed for clause, effect in causes if near(effect) == most}

    def of_mimics(self, knockouts: Sequence[KnockedOut]) -> Iterator[tuple[str, Effect]]:
        """Yield the effects of the mutants that give observed answers."""
        none: list[_Mimic] = []
        for module in mutated_modules(self.system):
            source_of(module)  # parsed before the fork, and so only once
            for claimed, lines, effect in in_a_fork(partial(self._mimics_in, module), none):
                for clause in _blamed(knockouts, module, lines, claimed):
                    yield clause, effect

    def _mimics_in(self, module: str) -> list[_Mimic]:
        """Return the mutants of a module that give observed answers, each in force in turn."""
        found: list[_Mimic] = []
        for claimed, lines, now in self._mutants_in(module, self.observed):
            places = [*self.coverage.executing(module, lines)]
            first = next(each for each in places if each in self.observed)  # the smallest
            if self.is_observed(first, self.answer(first, now)):  # most mutants end here
                found.append((claimed, lines, self.effect(places, now)))
        return found

    def _mutants_in(
        self, module: str, some: Container[int]
    ) -> Iterator[tuple[frozenset[str], range, Mapping[str, Operation]]]:
        """Yield the clauses that a changed function claims, the changed lines, and the operations.

        The mutant is in force until the next one. some: one of these calls executes the lines.
        """
        source = source_of(module)

        def lines(site: Site) -> range:
            return range(site.lines[0], site.lines[1] + 1)

        def claimed(site: Site) -> frozenset[str]:
            return _claimed_by(module, site.function.name) if site.function else frozenset()

        def is_wanted(site: Site) -> bool:
            calls = self.coverage.executing(module, lines(site))
            return bool(claimed(site)) and any(each in some for each in calls)

        for number, code in source.codes(is_wanted):
            site, _, _ = source.changes[number]
            with suppress(NotInForceError), exchanged(self.system, [(module, code)]) as now:
                yield claimed(site), lines(site), now

    def decided(
        self,
        causes: Iterable[tuple[str, Effect]],
        closest: Mapping[str, Container[int]],
    ) -> list[Decided]:
        """Return the clauses of each call, by the change that explains most, for each clause."""
        best: dict[str, Effect] = {}
        for clause, each in causes:
            if self._explains(each) > self._explains(best.get(clause)):
                best[clause] = each
        found = []
        for place in range(len(self.questions)):
            alike = sorted(name for name, each in best.items() if place in each.alike)
            some = {name for name, each in best.items() if place in each.changed}
            by: Evidence = "knock-outs" if some else ""
            rest = sorted(some.difference(alike))
            near = tuple(sorted(name for name, calls in closest.items() if place in calls))
            found.append(Decided((*alike, *rest), by, tuple(alike), near))
        return found

    def _explains(self, effect: Effect | None) -> float:
        """Return the share of the observed answers that a change gives, less what it breaks.

        A change that is to mimic and does not, or breaks many, explains less than nothing.
        """
        if effect is None or (self.mimics and not effect.alike):
            return -inf
        right = len(self.questions) - len(self.observed)
        broken = sum(place not in self.observed for place in effect.changed) / (right or 1)
        if self.mimics and broken * _FEW > 1:
            return -inf
        return len(effect.alike) / (len(self.observed) or 1) - broken

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
        for claimed, _, now in self._mutants_in(module, [place]):
            if claimed - found and not self.is_right(place, now):
                found |= claimed
        return found
