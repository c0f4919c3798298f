"""Laws, violations, and the examination of one history under one reading."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import Factory, frozen

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
    """

    digest: bytes
    checked: Mapping[str, int]
    vacuous: Mapping[str, int]
    coverage: Mapping[str, int]
    violations: tuple[Violation, ...]
