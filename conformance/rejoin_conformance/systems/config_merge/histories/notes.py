"""What is noted while a history is examined: checks, coverage, violations."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from attrs import define, field

from rejoin import config_merge as cm
from rejoin_conformance.contract.law import Law, Violation
from rejoin_conformance.kit.json_types import Json, JsonObject

EVIDENCE_KEPT: Final = 3
"""Violations of one kind that a history spells out; all of them are counted."""


@define
class Notes:
    """The counts of one history, and the laws that it breaks."""

    checked: dict[str, int] = field(factory=dict)
    vacuous: dict[str, int] = field(factory=dict)
    coverage: dict[str, int] = field(factory=dict)
    violations: list[Violation] = field(factory=list)

    def check(self, law: Law, premise: bool = True) -> bool:  # noqa: FBT001, FBT002 (like prose)
        """Count a check of the law, or that its premise does not hold; return the premise."""
        counts = self.checked if premise else self.vacuous
        counts[law.name] = counts.get(law.name, 0) + 1
        return premise

    def cover(self, *keys: str) -> None:
        """Count what was covered."""
        coverage = self.coverage
        for key in keys:
            coverage[key] = coverage.get(key, 0) + 1

    def decide(self, *clauses: str) -> None:
        """Count clauses that the history decided."""
        coverage = self.coverage
        for clause in clauses:
            key = "clause:" + clause
            coverage[key] = coverage.get(key, 0) + 1

    def broken(
        self, law: Law, kind: str, detail: str, evidence: Callable[[], JsonObject] | None = None
    ) -> None:
        """Note a violation; the evidence is made for the first few of a kind."""
        alike = sum(each.law == law.name and each.kind == kind for each in self.violations)
        shown = evidence() if evidence is not None and alike < EVIDENCE_KEPT else {}
        self.violations.append(Violation(law=law.name, kind=kind, detail=detail, evidence=shown))


def resolve_input(messages: Iterable[cm.Message], settings: cm.Settings) -> JsonObject:
    """The operation that resolves messages, as a vector has it."""
    listed: list[Json] = [message.encoded.hex() for message in messages]
    given: dict[str, Json] = {"messages": listed, "window": settings.window}
    if settings.verify_key is not None:
        given["verify_key"] = settings.verify_key.hex()
    if settings.signing_key is not None:
        given["signing_key"] = settings.signing_key.hex()
    return {"operation": "config-merge/resolve", "input": given}


def named(message: cm.Message) -> str:
    """A message for people: its seqno and the first bytes of its hash."""
    return f"{message.seqno}-{message.hash.hex()[:6]}"
