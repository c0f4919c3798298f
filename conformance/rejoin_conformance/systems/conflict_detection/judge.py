"""A run that is judged: its ledger records every broken law, with the run so far as evidence."""

from __future__ import annotations

from typing import Generic, TypeVar

from attrs import frozen

from rejoin_conformance.contract.law import Ledger
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.conflict_detection.run import Run

V = TypeVar("V")


@frozen
class Judge(Generic[V]):
    """A run in one design, and the ledger of the history."""

    ledger: Ledger
    run: Run[V]

    @property
    def step(self) -> str:
        """Return the number of the last step as text."""
        return f"step {len(self.run.steps)}"

    def check(self, law: str, *, premise: bool = True, times: int = 1) -> bool:
        """Count checks of the law of a name, or premises that do not hold; return the premise."""
        return self.ledger.check(law, premise=premise, times=times)

    def broken(self, law: str, detail: str, kind: str = "") -> None:
        """Record that the run breaks a law. kind: see `Violation`; the design if empty."""
        self.ledger.broken(law, kind or self.run.design.name, detail, self.evidence)

    def evidence(self) -> JsonObject:
        """Return the run so far as a scenario."""
        return {"operation": "conflict-detection/scenario", "input": self.run.scenario()}
