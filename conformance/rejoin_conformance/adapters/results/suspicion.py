"""Which clauses are under most suspicion after a run.

A bug in the code of one clause makes vectors of that clause fail, and vectors of other clauses that
use the same code. A vector lists the clause that it is about first, and says most about it if it
has no other clause. The clause of the bug is therefore most likely the one of which many vectors
fail, and above all those that list it first or alone.

If the reference gives nearly all wrong answers of the adapter as soon as one clause is removed from
it, or its code for the clause has a small fault, this is strong evidence: some failures are asked
(`campaigns.findings.suspecting`).

The clause without which the reference goes wrong for most nearly the same vectors counts too,
whatever it answers. Clauses that are equally close share this.

If the adapter tells its steps, the clause of the first step at which it goes another way is as
strong. The failures of the operations that list steps are no evidence: such a list changes with
every change of what it lists.

All this says little about a clause that no failure lists: the corpus has vectors of a clause for
each operation that shows it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from attrs import frozen

from rejoin_conformance.adapters.results.records import Record
from rejoin_conformance.adapters.runner.cases import BREAKS
from rejoin_conformance.kit.text import counted

_OF_ALIKE: Final = 2
_OF_DECIDED: Final = Fraction(1, 4)
_OF_CLOSEST: Final = Fraction(3, 2)
_OF_SINGLES: Final = Fraction(1, 2)
_IF_NONE_FAILS: Final = Fraction(3, 10)
"""What each kind of evidence counts, found on planted bugs (`conformance/benchmarks/bugs`)."""


@frozen
class Suspect:
    """A clause with failures.

    failed: its vectors that failed. judged: its vectors that were asked. blame: the sum over its
        failures of its part in the vector: in place n, a clause has 1/n of the part of the first.
    alike: the failures whose answer the reference gives without this clause, or with a fault in its
        code. decided: the failures whose answer changes then. closest: the failures for which no
        clause is closer, each divided among those that are as close. tried: the number of failures
        for which this is known.
    parted: the share of the failures with steps that go another way at a step of this clause.
    single: its share of the failures that have one clause.
    """

    clause: str
    failed: int
    judged: int
    blame: Fraction
    alike: int = 0
    decided: int = 0
    closest: Fraction = Fraction(0)
    tried: int = 0
    parted: Fraction = Fraction(0)
    single: Fraction = Fraction(0)

    @property
    def weight(self) -> Fraction:
        """Return how much the tags blame the clause: its blame times its failed share."""
        return self.blame * Fraction(self.failed, self.judged or 1)

    def suspicion(self, heaviest: Fraction) -> Fraction:
        """Return how much the clause is suspected. heaviest: the largest weight of a suspect."""
        of_tried = (self.alike, self.decided, self.closest)
        alike, decided, closest = (Fraction(each, self.tried or 1) for each in of_tried)
        found = self.weight / (heaviest or 1) + self.parted + _OF_SINGLES * self.single
        found += _OF_ALIKE * alike**2 + _OF_DECIDED * decided + _OF_CLOSEST * closest
        return found if self.failed else found * _IF_NONE_FAILS

    @property
    def text(self) -> str:
        """Return the evidence in a few words."""
        said = []
        if self.judged:
            several = f"{self.failed or 'none'} of its {self.judged:,} vectors fail"
            only = f"its only vector {'fails' if self.failed else 'passes'}"
            said.append(only if self.judged == 1 else several)
        if self.parted:
            said.append(f"{round(100 * self.parted)} % of the first steps that differ are its")
        if self.alike:
            answers = f"{self.alike} of {counted(self.tried, 'wrong answer')}"
            said.append(f"a fault in it explains {answers}")
        if self.closest:
            said.append("without it, the reference fails most nearly the same vectors")
        return "; ".join(said)


def suspects(records: Iterable[Record], failures: Iterable[Record]) -> tuple[Suspect, ...]:
    """Return the clauses with failures, the most suspected one first.

    records: all records of the run; those without an answer say nothing. failures: those of them
        that count; known failures do not.
    """
    records, failures = (
        [each for each in some if each.verdict not in BREAKS] for some in (records, failures)
    )
    telling = [each for each in failures if not each.lists_steps]
    if telling:
        records, failures = [each for each in records if not each.lists_steps], telling
    judged = Counter(
        name for each in records if each.verdict != "not-declared" for name in each.clauses
    )
    failed = Counter(name for each in failures for name in each.clauses)
    alike = Counter(name for each in failures for name in each.alike)
    decided = Counter(name for each in failures for name in each.decides)
    closest: defaultdict[str, Fraction] = defaultdict(Fraction)
    single = Counter(each.clauses for each in failures if len(each.clauses) == 1)
    partings = [clauses for each in failures if (clauses := _clauses_of_parting(each))]
    parted = Counter(name for clauses in partings for name in clauses)
    blame = dict.fromkeys([*failed, *alike, *parted], Fraction(0))
    for each in failures:
        parts = [Fraction(1, place) for place, _ in enumerate(each.clauses, 1)]
        for clause, part in zip(each.clauses, parts, strict=True):
            blame[clause] += part / sum(parts)
        for clause in each.closest:
            closest[clause] += Fraction(1, len(each.closest))
    tried = sum(each.is_decided for each in failures)
    found = [
        Suspect(
            clause=name,
            failed=failed[name],
            judged=judged[name],
            blame=each,
            alike=alike[name],
            decided=decided[name],
            closest=closest[name],
            tried=tried,
            parted=Fraction(parted[name], len(partings) or 1),
            single=Fraction(single[(name,)], single.total() or 1),
        )
        for name, each in blame.items()
        if failed[name] or alike[name] or not judged[name]
    ]
    heaviest = max((each.weight for each in found), default=Fraction(0))
    return tuple(sorted(found, key=lambda each: (-each.suspicion(heaviest), each.clause)))


def _clauses_of_parting(failure: Record) -> set[str]:
    steps = failure.steps
    sides = () if steps is None else (steps.expected, steps.observed)
    return {each.clause for each in sides if each is not None}
