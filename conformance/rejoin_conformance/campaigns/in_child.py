"""Examine the blocks of a plan in a child of this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from math import ceil
from typing import Any

from attrs import evolve

from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.runner.worker import STARTS
from rejoin_conformance.campaigns.adapter_block import block_examiner
from rejoin_conformance.campaigns.block import Quarantined
from rejoin_conformance.campaigns.child import Child, child_of_slot
from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Bounds, Plan
from rejoin_conformance.campaigns.watch import Watch


@contextmanager
def examiner(plan: Plan, watch: Watch | None, *, here: bool) -> Iterator[Callable[[int], Any]]:
    """Yield a function that examines blocks of the plan in a child.

    watch: told of each difference. here: whether the child ends with the `with` block; else this
    process is a slot of Spark, and the child stays for its next task.
    """
    work, bounds = partial(block_examiner, plan), _bounds_of(plan)
    told = () if watch is None else (watch.saw, watch.examined_some)
    child = Child(work, bounds, *told) if here else child_of_slot((plan, bounds), work, bounds)
    with child as opened:
        yield opened.examine


def fate_of(plan: Plan, index: int) -> Quarantined | None:
    """Run one history of a plan in a child. Return why it is quarantined, or None if it is not."""
    block = index // BLOCK_SIZE
    left_out = {each: Quarantined("", "") for each in plan.indices(block) if each != index}
    with Child(partial(block_examiner, plan), _bounds_of(plan)) as child:
        child.examine(block, left_out)
    return left_out.get(index)


def _bounds_of(plan: Plan) -> Bounds:
    """Return the bounds of a history, with the time that a broken adapter can take to answer."""
    if plan.adapter is None:
        return plan.bounds
    waited = ceil(STARTS * (plan.timeout + Limits().hello))
    return evolve(plan.bounds, history_timeout=plan.bounds.history_timeout + waited)
