"""Shrink the failures of a campaign: one minimal history for each failure class and shape.

A failure class is a reading, a law and a kind. Its first history is generated again from the
campaign's seed, and shrunk as long as it breaks the same law with the same kind under the same
reading.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from operator import attrgetter
from typing import Any

from attrs import frozen

from rejoin_conformance.campaigns.block import NO_CRASH
from rejoin_conformance.campaigns.kept.campaign import header_of
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.contract.history import Call, history_seed
from rejoin_conformance.contract.law import Violation
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import KeptHistory, Lineage
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json, strict_json
from rejoin_conformance.shrinking.histories import shrink_history
from rejoin_conformance.shrinking.reduce import DEFAULT_BUDGET, NotInterestingError
from rejoin_conformance.shrinking.shapes import shape_of


@frozen
class FailureClass:
    """A law broken under a reading with one kind, and the index of the first history."""

    reading: str
    law: str
    kind: str
    index: int


@frozen
class LawFinding:
    """The finding of a failure class, or of several with the same shape.

    kept: the shrunk history, with its lineage. detail: the observed values. calls: the calls of
    operations that show the finding; may be empty. minimal: whether no simpler history shows it;
    False if the tries ran out before that was known.
    """

    kept: KeptHistory
    detail: str
    calls: tuple[Call, ...]
    minimal: bool


def failure_classes(summary: Summary) -> tuple[FailureClass, ...]:
    """Return the failure classes of a campaign, in the order of reading, law and kind.

    Histories in quarantine are left out.
    """
    return tuple(
        FailureClass(*each.name, each.index)
        for each in sorted(summary.found(), key=attrgetter("name"))
        if not each.quarantined
    )


def shrink_findings(
    summary: Summary,
    system: System,
    spread: Spread,
    *,
    budget: int = DEFAULT_BUDGET,
    classes: tuple[FailureClass, ...] | None = None,
) -> tuple[LawFinding, ...]:
    """Return one finding for each law and shape among the failure classes of a campaign.

    spread: the place to shrink the classes, each one alone. classes: the only classes to shrink;
    None for all. The campaign must have checked laws; `adapter_findings` shrinks the findings of a
    campaign against an adapter.
    """
    classes = failure_classes(summary) if classes is None else classes
    plan = summary.plan
    work = partial(shrink_class, plan, classes, budget)
    shrunk = spread.pieces(work, len(classes), "shrink")
    code = str(header_of(plan)["code"])
    found = [
        (each, dict(result))
        for each, result in zip(classes, shrunk, strict=True)
        if isinstance(result, dict)
    ]
    return tuple(_deduplicated(plan, code, system, found))


def shrink_class(
    plan: Plan, classes: tuple[FailureClass, ...], budget: int, number: int
) -> JsonObject | None:
    """Shrink the history of one failure class. This is a pure function of its arguments.

    Returns None if the history cannot be generated or no longer shows the failure.
    """
    wanted = classes[number]
    system = system_named(plan.system)
    histories = system.histories
    try:
        seed = history_seed(plan.seed, plan.system, plan.profile, wanted.index)
        history = histories.generate(plan.profile, seed)
    except Exception:  # noqa: BLE001 - the failure is in its generation
        return None
    try:
        shrunk = shrink_history(
            histories,
            history,
            lambda candidate: _violation(system, candidate, wanted) is not None,
            budget=budget,
        )
    except NotInterestingError:
        return None
    violation = _violation(system, shrunk.history, wanted)
    assert violation is not None
    calls: list[Json] = [
        {"operation": call.operation, "input": call.input}
        for call in _calls(system, shrunk.history, wanted.reading, violation)
    ]
    return {
        "history": histories.to_json(shrunk.history),
        "detail": violation.detail,
        "calls": calls,
        "minimal": shrunk.minimal,
    }


def _violation(system: System, history: Any, wanted: FailureClass) -> Violation | None:
    """Return the first violation of the class in a history. An exception is one too."""
    try:
        violations = system.histories.examine(history, wanted.reading).violations
    except Exception as error:  # noqa: BLE001 - the class may be this exception
        violations = (Violation(law=NO_CRASH.name, kind=type(error).__name__, detail=str(error)),)
    alike = (each for each in violations if (each.law, each.kind) == (wanted.law, wanted.kind))
    return next(alike, None)


def _calls(system: System, history: Any, reading: str, violation: Violation) -> tuple[Call, ...]:
    """Return the call in the evidence, or all calls of the history if it states none."""
    stated: Any = violation.evidence
    if "input" in stated:
        operation = system.operation(stated["operation"])
        if operation is not None and operation.input_fault(stated["input"]) is None:
            return (Call(operation.name, stated["input"]),)
    if violation.law == NO_CRASH.name:
        return ()
    return tuple(system.calls(history, reading))


def _deduplicated(
    plan: Plan, code: str, system: System, found: Iterable[tuple[FailureClass, dict[str, Any]]]
) -> list[LawFinding]:
    """Return the smallest finding of each law and shape, with the kinds of the others."""
    alike: dict[tuple[str, str], list[tuple[FailureClass, dict[str, Any]]]] = {}
    for each, shrunk in found:
        alike.setdefault((each.law, shape_of(shrunk["history"])), []).append((each, shrunk))
    order = {reading: number for number, reading in enumerate(plan.readings)}
    statements = {law.name: law.statement for law in system.laws}
    findings = []
    for (law, shape), those in sorted(alike.items()):
        first, smallest = min(
            those,
            key=lambda pair: (
                len(canonical_json(pair[1]["history"])),
                order.get(pair[0].reading, 0),
                pair[0].index,
                pair[0].kind,
            ),
        )
        readings = {each.reading for each, _ in those}
        lineage = Lineage(
            profile=plan.profile,
            seed=plan.seed,
            index=first.index,
            code=code,
            history=f"{law}-{shape}",
            readings=tuple(sorted(readings, key=lambda reading: order.get(reading, 0))),
            law=law,
            kinds=tuple(sorted({each.kind for each, _ in those})),
        )
        shows = f"Breaks {law}: {statements.get(law, '')}".rstrip(": ")
        same = (each["calls"] for _, each in those if each["history"] == smallest["history"])
        calls = _once(call for calls in same for call in calls)
        history = system.histories.from_json(smallest["history"])
        kept = KeptHistory(shows=shows, lineage=lineage, history=system.histories.to_json(history))
        findings.append(LawFinding(kept, smallest["detail"], calls, smallest["minimal"]))
    return findings


def _once(calls: Iterable[dict[str, Any]]) -> tuple[Call, ...]:
    """Return the calls, each once, in the order of their first occurrence.

    Fields are sorted by name, as they are after a call went through Spark.
    """
    found: dict[str, Any] = {text: strict_json(text) for text in map(canonical_json, calls)}
    return tuple(Call(call["operation"], call["input"]) for call in found.values())
