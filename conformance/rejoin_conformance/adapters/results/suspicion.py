"""Which clauses are under most suspicion after a run.

A bug in the code of one clause makes vectors of that clause fail, and vectors of other clauses that
use the same code. A vector says most about a clause if it has no other clause. The clause of the
bug is therefore most likely the one of which nearly all vectors fail, and many of those that have
few other clauses.

If the adapter tells its steps, the clause of the first step at which it goes another way is a
second kind of evidence. The failures of the operations that list steps are no evidence: such a list
changes with every change of what it lists.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from attrs import frozen

from rejoin_conformance.adapters.results.records import Record

_OF_A_STEP: Final = 2


@frozen
class Suspect:
    """A clause with failures.

    failed: its vectors that failed. judged: its vectors that were asked. blame: the sum over its
        failures of 1/k for a vector with k clauses, and 2 for each failure whose steps go another
        way at this clause.
    """

    clause: str
    failed: int
    judged: int
    blame: Fraction

    @property
    def weight(self) -> Fraction:
        """Return how much the clause is suspected: its blame times the square of its failed share.

        Of some formulas that were tried on knock-outs, this one names the clause most often.
        """
        return self.blame * Fraction(self.failed, self.judged) ** 2


def suspects(records: Iterable[Record], failures: Iterable[Record]) -> tuple[Suspect, ...]:
    """Return the clauses with failures, the most suspected one first.

    records: all records of the run. failures: those of them that count; known failures do not.
    """
    records, failures = list(records), list(failures)
    telling = [each for each in failures if not each.lists_steps]
    if telling:
        records, failures = [each for each in records if not each.lists_steps], telling
    judged = Counter(
        name for each in records if each.verdict != "not-declared" for name in each.clauses
    )
    failed = Counter(name for each in failures for name in each.clauses)
    blame = dict.fromkeys(failed, Fraction(0))
    for each in failures:
        for clause in each.clauses:
            blame[clause] += Fraction(1, len(each.clauses))
        for clause in _clauses_of_parting(each) & failed.keys():
            blame[clause] += _OF_A_STEP
    found = [Suspect(name, count, judged[name], blame[name]) for name, count in failed.items()]
    return tuple(sorted(found, key=lambda each: (-each.weight, each.clause)))


def _clauses_of_parting(failure: Record) -> set[str]:
    steps = failure.steps
    sides = () if steps is None else (steps.expected, steps.observed)
    return {each.clause for each in sides if each is not None}
