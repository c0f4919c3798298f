"""Examine the blocks of a plan in a child of this process."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from math import ceil

from attrs import evolve

from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.runner.worker import STARTS
from rejoin_conformance.campaigns.adapter_block import block_examiner
from rejoin_conformance.campaigns.block import Quarantined
from rejoin_conformance.campaigns.child import Child, child_of_slot
from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Bounds, Plan


def examiner(plan: Plan, tick: Callable[[int], object] | None = None) -> Child:
    """Return a child that examines blocks of the plan. tick: as of `Child`."""
    return Child(partial(block_examiner, plan), _bounds_of(plan), tick)


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
