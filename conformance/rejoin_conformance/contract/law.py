"""Laws, violations, and the examination of one history under one reading, with its ledger."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from attrs import Factory, define, field, frozen

from rejoin_conformance.kit.json_types import JsonObject


@frozen(kw_only=True)
class Law:
    """A named predicate over histories.

    statement: the law in one sentence.
    premises: the conditions under which it holds; "none" if it always holds.
    clauses: the clauses that it follows from.
    claimed_by: the readings that claim the law. If a reading does not claim it, its violations are
        findings that are counted and shown, not failures.
    """

    name: str
    statement: str
    premises: str
    clauses: tuple[str, ...]
    claimed_by: tuple[str, ...]


_LAW: Final = re.compile(
    r"^(?P<name>[\w-]+)(?: \((?:(?P<nobody>not claimed)|(?P<only>\w+) only)\))?: (?P<statement>.+?)"
    r"(?:\s+Premise:\s+(?P<premise>.+?)\.)?\s+(?P<clauses>[A-Z]{2}-[\sA-Z0-9-]+)$",
    re.MULTILINE | re.DOTALL,
)


_WORD: Final = re.compile(r"^([A-Z-]+) = (.*(?:\n    .*)*)", re.MULTILINE)


def laws_told(text: str, claimed_by: tuple[str, ...]) -> Mapping[str, Law]:
    """Return name -> law, for paragraphs such as `name: Statement. Premise: a; b. CD-A CD-B`.

    `(not claimed)` or `(repaired only)` after a name says who claims the law, if not all readings
    in `claimed_by` do. A line `WORD = ...` says the premise for which a word stands.
    """
    short = {word: " ".join(meaning.split()) for word, meaning in _WORD.findall(text)}
    laws: dict[str, Law] = {}
    for found in _LAW.finditer(text):
        premise = " ".join((found["premise"] or "none").split())
        for word, meaning in short.items():
            premise = premise.replace(word, meaning)
        laws[found["name"]] = Law(
            name=found["name"],
            statement=" ".join(found["statement"].split()),
            premises=premise,
            clauses=tuple(found["clauses"].split()),
            claimed_by=(found["only"],) if found["only"] else () if found["nobody"] else claimed_by,
        )
    return laws


@frozen(kw_only=True)
class Violation:
    """One violation of a law by one history.

    kind: a short stable word for the way in which the law broke. Violations of one law with the
        same kind form one class of findings.
    detail: the observed values as text. evidence: the smallest part of the history that shows it.
    """

    law: str
    kind: str
    detail: str
    evidence: JsonObject = Factory(dict)


@frozen(kw_only=True)
class Examination:
    """The result of running one history under one reading.

    digest: 32 bytes over everything observable in the history's outcome.
    checked: law -> how often its premises held and it was checked.
    vacuous: law -> how often its premises did not hold.
    coverage: namespaced counters, such as `shape:merge-arity:3` or `clause:CM-RESOLVE-BASE`.
    violations: the violations of laws.
    answered: who answered the calls of an adapter, or ran the history, if the oracle may:
        `oracle`, `reference`, and both.
    """

    digest: bytes
    checked: Mapping[str, int]
    vacuous: Mapping[str, int]
    coverage: Mapping[str, int]
    violations: tuple[Violation, ...]
    answered: Mapping[str, int] = Factory(dict)


EVIDENCE_KEPT: Final = 3
"""The number of violations of one law and kind that keep their evidence. All are counted."""


@define
class Ledger:
    """The counts of one history, and the laws that it breaks.

    laws: name -> law, for all laws that are checked. Another name raises KeyError.
    checked, vacuous: law -> how often its premises held, and how often they did not.
    coverage: key -> how often. observed: lines of text from which a digest can be taken.
    """

    laws: Mapping[str, Law]
    checked: dict[str, int] = field(factory=dict)
    vacuous: dict[str, int] = field(factory=dict)
    coverage: dict[str, int] = field(factory=dict)
    violations: list[Violation] = field(factory=list)
    observed: list[str] = field(factory=list)

    def check(self, law: str, *, premise: bool = True, times: int = 1) -> bool:
        """Count checks of the law, or premises that do not hold; return the premise.

        times: the number of checks with this premise. If it is 0, the answer is false.
        """
        name = self.laws[law].name
        if times:
            counts = self.checked if premise else self.vacuous
            counts[name] = counts.get(name, 0) + times
        return premise and times > 0

    def broken(
        self, law: str, kind: str, detail: str, evidence: Callable[[], JsonObject] | None = None
    ) -> None:
        """Record a violation. evidence: called for the first few violations of a kind only."""
        name = self.laws[law].name
        alike = sum(each.law == name and each.kind == kind for each in self.violations)
        shown = evidence() if evidence is not None and alike < EVIDENCE_KEPT else {}
        self.violations.append(Violation(law=name, kind=kind, detail=detail, evidence=shown))

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
