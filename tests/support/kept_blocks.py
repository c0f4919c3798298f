"""A small campaign and its finished blocks, for the tests of campaign directories."""

from __future__ import annotations

from rejoin_conformance.campaigns.kept.store import Row
from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Plan
from rejoin_conformance.contract.spread import Result
from rejoin_conformance.kit.codec import plain
from rejoin_conformance.kit.tree import Tree

PLAN = Plan(
    system="history-merge",
    profile="tiny",
    readings=("document",),
    seed=1,
    histories=4 * BLOCK_SIZE,
)
BEGAN = 1_700_000_000_000_000


def result(number: int, violations: int = 1, *, plan: Plan = PLAN, **more: Tree) -> Result:
    """Return what a worker finds in one block: some violations of one law. more: other counts."""
    size = len(plan.indices(number))
    examples = [
        {"index": number * BLOCK_SIZE + place, "detail": f"seen at {place}", "evidence": {}}
        for place in range(min(3, violations))
    ]
    counts: Tree = {
        "checked": {"a-law": 3},
        "vacuous": {"a-law": 1},
        "violated": {"a-law a kind": violations} if violations else {},
        "coverage": {"shape:width:2": number + 1},
        "cases": {"shape:width:2": 1},
        "examples": {"a-law a kind": examples} if violations else {},
        **more,
    }
    tree: Tree = {"histories": size, "restarts": 0, "readings": {plan.readings[0]: counts}}
    value: Tree = {"digest": f"{number:064x}", "counts": tree}
    return Result(number, value, BEGAN + number * 2_000_000, 250_000, "host:7")


def row(number: int) -> Row:
    """Return the same as a row."""
    return plain(result(number))
