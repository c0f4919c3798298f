"""Check the laws on runs by the oracle. The reference runs some of the histories too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from operator import attrgetter
from typing import Any, Final

from attrs import evolve

from rejoin_conformance.adapters.oracle import oracle_of
from rejoin_conformance.campaigns.block import ORACLE, Examine
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.contract.law import Examination, Violation
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.kit.draw import seed_of

_COMPARED: Final = ("digest", "checked", "vacuous", "coverage", "violations")


def why_not(system: str, reading: str) -> str:
    """Return why the oracle runs no histories under a reading; an empty text if it does."""
    oracle, histories = oracle_of(system), system_named(system).histories
    if histories.examine_by is None:
        return f"the oracle does not run histories of {system}"
    if oracle is None:
        return "the oracle is not installed"
    if reading not in oracle.readings:
        return f"the oracle does not know the reading {reading}"
    with suppress(AttributeError):
        attrgetter(histories.oracle_needs)(oracle.module)
        if not oracle.changed:
            return ""
    return "the oracle was built before the last change of its operations"


def examines(plan: Plan, index: Callable[[], int]) -> Examine:
    """Return the examination of the histories of a plan by the oracle, with checks.

    The reference examines 1 history of `check_every`, each history that breaks a claimed law, and
    each whose violations the oracle does not detail. If the two differ, the reference's examination
    counts, with a violation of `oracle-agrees`. A history that the oracle cannot hold is the
    reference's. index: the index of the history.
    """
    system, every = system_named(plan.system), plan.bounds.check_every
    claims = {law.name: law.claimed_by for law in system.laws}
    by_oracle = {each for each in plan.readings if not why_not(plan.system, each)}

    def examine(history: Any, reading: str) -> Examination:
        if reading not in by_oracle:
            found = system.histories.examine(history, reading)
            return evolve(found, answered={"reference": 1})
        said = _said(plan.system, history, reading)
        checked = seed_of("checked", plan.seed, plan.system, index()) % every == 0
        if not checked and isinstance(said, Examination):
            broken = said.violations
            if all(each.detail and reading not in claims[each.law] for each in broken):
                return evolve(said, answered={"oracle": 1})
        return compared(plan.system, history, reading, said)

    return examine


def compared(
    system: str, history: Any, reading: str, said: Examination | Exception | None = None
) -> Examination:
    """Return the reference's examination of a history, with a violation if the oracle's differs.

    said: the oracle's examination, or the error that it raised; None to examine by it now.
    """
    said = _said(system, history, reading) if said is None else said
    right = system_named(system).histories.examine(history, reading)
    if isinstance(said, ValueError):
        return evolve(right, answered={"reference": 1})
    both = evolve(right, answered={"oracle": 1, "both": 1})
    if isinstance(said, Exception):
        detail = f"by the oracle, the history ends with {type(said).__name__}: {said}"
    else:
        if _kinds(said) == _kinds(right) and not all(each.detail for each in said.violations):
            said = evolve(said, violations=right.violations)
        parts = [each for each in _COMPARED if getattr(said, each) != getattr(right, each)]
        if not parts:
            return both
        detail = f"by the oracle, the history has another result: {', '.join(parts)}"
    wrong = Violation(law=ORACLE.name, kind="laws", detail=detail)
    return evolve(both, violations=(*right.violations, wrong))


def _kinds(examination: Examination) -> Counter[tuple[str, str]]:
    return Counter((each.law, each.kind) for each in examination.violations)


def _said(system: str, history: Any, reading: str) -> Examination | Exception:
    oracle, examine_by = oracle_of(system), system_named(system).histories.examine_by
    assert oracle is not None
    assert examine_by is not None
    try:
        return examine_by(history, oracle.module, reading)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - the reference then decides
        return error
