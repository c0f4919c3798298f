"""Examine the blocks of a plan in a child of this process, and follow what it does."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from math import ceil

from attrs import define, evolve, field

from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.runner.worker import STARTS
from rejoin_conformance.campaigns.adapter_block import block_examiner
from rejoin_conformance.campaigns.block import Quarantined
from rejoin_conformance.campaigns.child import Child, child_of_slot
from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Bounds, Plan


@define
class Watch:
    """Told of each examined history and of each difference, in the process of the command.

    found: called with the reading, the kind and the explanation of the first difference of a kind.
    tick: called some times a second. examined: the histories of the current block so far.
    """

    found: Callable[[str, str, str], None]
    tick: Callable[[], None] = field(default=lambda: None)
    examined: int = 0
    _seen: set[tuple[str, str]] = field(factory=set)

    def saw(self, reading: str, kind: str, explanation: str) -> None:
        """Take note of a difference."""
        if (reading, kind) not in self._seen:
            self._seen.add((reading, kind))
            self.found(reading, kind, explanation)

    def examined_some(self, histories: int) -> None:
        """Take note of the histories of the current block so far."""
        self.examined = histories
        self.tick()


def examiner(plan: Plan, watch: Watch | None = None) -> Child:
    """Return a child that examines blocks of the plan. watch: told of each difference."""
    told = () if watch is None else (watch.saw, watch.examined_some)
    return Child(partial(block_examiner, plan), _bounds_of(plan), *told)


def examiner_of_slot(plan: Plan) -> AbstractContextManager[Child]:
    """Yield such a child in a slot of Spark, where it stays for the next task."""
    bounds = _bounds_of(plan)
    return child_of_slot((plan, bounds), partial(block_examiner, plan), bounds)


def fate_of(plan: Plan, index: int) -> Quarantined | None:
    """Run one history of a plan in a child. Return why it is quarantined, or None if it is not."""
    block = index // BLOCK_SIZE
    left_out = {each: Quarantined("", "") for each in plan.indices(block) if each != index}
    with examiner(plan) as child:
        child.examine(block, left_out)
    return left_out.get(index)


def _bounds_of(plan: Plan) -> Bounds:
    """Return the bounds of a history, with the time that a broken adapter can take to answer."""
    if plan.adapter is None:
        return plan.bounds
    waited = ceil(STARTS * (plan.timeout + Limits().hello))
    return evolve(plan.bounds, history_timeout=plan.bounds.history_timeout + waited)
