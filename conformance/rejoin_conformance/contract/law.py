"""Laws, and what examining one history under one reading says about them."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import Factory, frozen

from rejoin_conformance.kit.json_types import JsonObject


@frozen(kw_only=True)
class Law:
    """A named predicate over histories.

    statement: what holds, in one sentence.
    premises: under which conditions; "none" where there are none.
    clauses: the clauses that it follows from.
    claimed_by: the readings in which it is claimed to hold. Where a reading does not claim it,
        violations are findings that are counted and shown, not failures.
    """

    name: str
    statement: str
    premises: str
    clauses: tuple[str, ...]
    claimed_by: tuple[str, ...]


@frozen(kw_only=True)
class Violation:
    """One law broken by one history: what was observed, and the smallest part that shows it.

    kind: a short stable word for the way in which it broke; violations of a law that share a kind
        form one class of findings.
    """

    law: str
    kind: str
    detail: str
    evidence: JsonObject = Factory(dict)


@frozen(kw_only=True)
class Examination:
    """What one history shows under one reading.

    digest: 32 bytes over everything observable in the history's outcome.
    checked: law -> how often its premises held and it was checked.
    vacuous: law -> how often its premises did not hold.
    coverage: namespaced counters, for instance `shape:merge-arity:3`, `clause:CM-RESOLVE-BASE`.
    violations: what broke.
    """

    digest: bytes
    checked: Mapping[str, int]
    vacuous: Mapping[str, int]
    coverage: Mapping[str, int]
    violations: tuple[Violation, ...]
