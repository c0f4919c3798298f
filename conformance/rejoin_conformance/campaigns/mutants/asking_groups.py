"""Ask groups of mutants that are in force at once, and find the mutant behind a wrong answer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final, TypeAlias

from attrs import define, field, frozen

from rejoin_conformance.campaigns.mutants.corpus import Corpus
from rejoin_conformance.campaigns.mutants.examine import (
    PATIENCE,
    SECONDS,
    loaded_reference,
    observed_answer,
)
from rejoin_conformance.campaigns.mutants.exchanging import NotInForceError
from rejoin_conformance.campaigns.mutants.forked import in_a_fork
from rejoin_conformance.campaigns.mutants.mutant import Mutant
from rejoin_conformance.campaigns.mutants.reached import FunctionName
from rejoin_conformance.campaigns.mutants.together import Clash, groups_of, put_all_in_force
from rejoin_conformance.corpus.verify import Question

_LIMIT: Final = PATIENCE * SECONDS
"""Processor time, in seconds, that one question may take. Mutants that only cost more are slow."""

Group: TypeAlias = tuple[Mutant, ...]


@frozen
class _Wrong:
    """The first wrong answer of a group.

    place: of the question among those that were asked; None if no question could be asked, because
    the import failed or the process died.
    """

    place: int | None
    observed: str


@define(eq=False)
class Asked:
    """Mutants that are asked questions in groups, and the results so far.

    reached: for each question the functions that the reference runs. wrong: name of a mutant -> the
    place of a question and its wrong answer. clashes: those that were known, and new ones.
    """

    system: str
    corpus: Corpus
    questions: Sequence[Question]
    reached: Sequence[Collection[FunctionName]]
    clashes: set[Clash]
    wrong: dict[str, tuple[int, str]] = field(factory=dict)

    def ask(self, mutants: Sequence[Mutant]) -> None:
        """Ask each mutant every question that runs its function."""
        loaded_reference(self.system)  # before the forks, each of which would look for it
        left = dict.fromkeys(mutants, 0)
        while left:
            aside: dict[Mutant, int] = {}
            for group in groups_of([*left], self.clashes):
                self._ask(group, min(left[each] for each in group), aside)
            left = aside

    def _ask(self, group: Group, start: int, aside: dict[Mutant, int]) -> None:
        """Ask a group the questions from one on.

        aside: mutants that must leave the group are added, each with the first question to ask.
        """
        while group:
            places = [each for each in self._places(group) if each >= start]
            wrong = self._first_wrong(group, places)
            if wrong is None:
                return
            if wrong.place is None and len(group) == 1:
                self.wrong[group[0].name] = (start, wrong.observed)
                return
            if wrong.place is None:
                half = len(group) // 2
                self._ask(group[:half], start, aside)
                self._ask(group[half:], start, aside)
                return
            start = places[wrong.place]
            guilty, observed = self._guilty(group, places[: wrong.place + 1])
            if observed is None:  # the time did not suffice once, on a busy machine
                start += 1
                continue
            if len(guilty) == 1:
                self.wrong[guilty[0].name] = (start, observed)
            else:
                self.clashes.add(frozenset(each.name for each in guilty))
                aside[guilty[-1]] = start
            group = tuple(each for each in group if each is not guilty[-1])

    def _guilty(self, group: Group, places: Sequence[int]) -> tuple[Group, str | None]:
        """Return mutants that give a wrong answer together, and it; None if it does not come again.

        places: the questions up to the one with a wrong answer. The earlier ones are asked only if
        what they leave in caches is needed.
        """

        def answer(some: Group) -> str | None:
            for asked in (places[-1:], places):
                wrong = self._first_wrong(some, asked)
                if wrong is not None:
                    return wrong.observed
            return None

        guilty = smallest(group, lambda some: answer(some) is not None)
        return guilty, answer(guilty)

    def _first_wrong(self, group: Group, places: Sequence[int]) -> _Wrong | None:
        if not places:
            return None

        def ask() -> _Wrong | None:
            try:
                operations = put_all_in_force(self.system, self.corpus, group)
            except NotInForceError as error:
                return _Wrong(None, str(error)) if len(group) > 1 else None
            except Exception as error:  # noqa: BLE001 - whatever a mutant raises is noticed
                return _Wrong(None, f"the import fails: {type(error).__name__}: {error}")
            for number, place in enumerate(places):
                observed, _ = observed_answer(operations, self.questions[place], _LIMIT)
                if observed is not None:
                    return _Wrong(number, observed[:300])
            return None

        died: _Wrong | None = _Wrong(None, "the process died")
        return in_a_fork(ask, died)

    def _places(self, group: Group) -> list[int]:
        """Return the questions whose answer could change: all if a mutant is outside functions."""
        functions = {(each.module, each.function) for each in group}
        if any(not each.function for each in group):
            return [*range(len(self.questions))]
        return [
            place for place, reached in enumerate(self.reached) if not functions.isdisjoint(reached)
        ]


def smallest(group: Group, fails: Callable[[Group], bool]) -> Group:
    """Return the mutants that make a group fail, found by halving the group.

    The last of them comes first: it is the last mutant of the shortest first part that fails. Then
    the part before it is searched for mutants that it needs.
    """
    found: Group = ()
    left = group
    while left and not (found and fails(found)):
        low, high = 1, len(left)
        while low < high:
            middle = (low + high) // 2
            if fails((*left[:middle], *found)):
                high = middle
            else:
                low = middle + 1
        found = (left[high - 1], *found)
        left = left[: high - 1]
    return found
