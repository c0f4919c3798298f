"""What the checks of one history write down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from attrs import define, field

from rejoin_conformance.contract.law import Law, Violation
from rejoin_conformance.kit.json_types import JsonObject


@define
class Ledger:
    """How often each law was checked, how often its premises did not hold, and what broke it.

    Of the violations of one kind, the first carries evidence.
    """

    checked: Counter[str] = field(factory=Counter)
    vacuous: Counter[str] = field(factory=Counter)
    coverage: Counter[str] = field(factory=Counter)
    violations: list[Violation] = field(factory=list)
    _shown: set[tuple[str, str]] = field(factory=set)

    def broken(self, law: Law, kind: str, detail: str, evidence: Callable[[], JsonObject]) -> None:
        """Write down a violation; `evidence` is asked for the first of its kind only."""
        first = (law.name, kind) not in self._shown
        self._shown.add((law.name, kind))
        shown = evidence() if first else {}
        self.violations.append(Violation(law=law.name, kind=kind, detail=detail, evidence=shown))
