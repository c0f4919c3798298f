"""Which clauses are under most suspicion after a run.

A bug in the code of one clause makes vectors of that clause fail, and vectors of other clauses that
use the same code. A vector says most about a clause if it has no other clause. The clause of the
bug is therefore most likely the one of which nearly all vectors fail, and many of those that have
few other clauses.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from attrs import frozen

from rejoin_conformance.adapters.results.records import Record


@frozen
class Suspect:
    """A clause with failures.

    failed: its vectors that failed. judged: its vectors that were asked. blame: the sum over its
        failures of 1/k for a vector with k clauses.
    """

    clause: str
    failed: int
    judged: int
    blame: Fraction

    @property
    def weight(self) -> Fraction:
        """Return how much the clause is suspected: its blame times the share that failed."""
        return self.blame * self.failed / self.judged


def suspects(records: Iterable[Record], failures: Iterable[Record]) -> tuple[Suspect, ...]:
    """Return the clauses with failures, the most suspected one first.

    records: all records of the run. failures: those of them that count; known failures do not.
    """
    judged: dict[str, int] = {}
    failed: dict[str, int] = {}
    blame: dict[str, Fraction] = {}
    for each in records:
        if each.verdict != "not-declared":
            for clause in each.clauses:
                judged[clause] = judged.get(clause, 0) + 1
    for each in failures:
        for clause in each.clauses:
            failed[clause] = failed.get(clause, 0) + 1
            blame[clause] = blame.get(clause, Fraction(0)) + Fraction(1, len(each.clauses))
    found = (
        Suspect(clause, count, judged[clause], blame[clause]) for clause, count in failed.items()
    )
    return tuple(sorted(found, key=lambda each: (-each.weight, each.clause)))
