"""The ledger of one examined history: law checks, coverage, violations, observations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from attrs import define, field

from rejoin_conformance.contract.law import Examination, Law, Violation
from rejoin_conformance.kit.json_types import JsonObject

EVIDENCE_KEPT: Final = 3
"""The number of violations of one law and kind that keep their evidence. All are counted."""


@define
class Ledger:
    """The counts of one history, and the laws that it breaks.

    checked, vacuous: law -> how often its premises held, and how often they did not.
    coverage: key -> how often. observed: lines of text from which a digest can be taken.
    """

    checked: dict[str, int] = field(factory=dict)
    vacuous: dict[str, int] = field(factory=dict)
    coverage: dict[str, int] = field(factory=dict)
    violations: list[Violation] = field(factory=list)
    observed: list[str] = field(factory=list)

    def check(self, law: Law, *, premise: bool = True, times: int = 1) -> bool:
        """Count a check of the law, or a premise that does not hold; return the premise.

        times: the number of checks with this premise.
        """
        counts = self.checked if premise else self.vacuous
        counts[law.name] = counts.get(law.name, 0) + times
        return premise

    def not_met(self, law: Law, times: int = 1) -> None:
        """Count that the premises of a law did not hold, `times` times."""
        if times:
            self.vacuous[law.name] = self.vacuous.get(law.name, 0) + times

    def expect(
        self,
        law: Law,
        kind: str,
        *,
        holds: bool,
        detail: Callable[[], str],
        evidence: Callable[[], JsonObject] | None = None,
    ) -> None:
        """Count one check, and record a violation if the law does not hold."""
        self.checked[law.name] = self.checked.get(law.name, 0) + 1
        if not holds:
            self.broken(law, kind, detail(), evidence)

    def broken(
        self, law: Law, kind: str, detail: str, evidence: Callable[[], JsonObject] | None = None
    ) -> None:
        """Record a violation. evidence: called for the first few violations of a kind only."""
        alike = sum(each.law == law.name and each.kind == kind for each in self.violations)
        shown = evidence() if evidence is not None and alike < EVIDENCE_KEPT else {}
        self.violations.append(Violation(law=law.name, kind=kind, detail=detail, evidence=shown))

    def cover(self, *keys: str, times: int = 1) -> None:
        """Count that the history covers keys, such as `shape:heads:2`."""
        coverage = self.coverage
        for key in keys:
            coverage[key] = coverage.get(key, 0) + times

    def decide(self, *clauses: str) -> None:
        """Count clauses that made a difference in the history."""
        coverage = self.coverage
        for clause in clauses:
            key = "clause:" + clause
            coverage[key] = coverage.get(key, 0) + 1

    def observe(self, *lines: str) -> None:
        """Record lines with the observations of clients."""
        self.observed += lines

    def examination(self, digest: bytes) -> Examination:
        """Return the ledger as an examination. digest: 32 bytes over everything observable."""
        return Examination(
            digest=digest,
            checked=self.checked,
            vacuous=self.vacuous,
            coverage=self.coverage,
            violations=tuple(self.violations),
        )
