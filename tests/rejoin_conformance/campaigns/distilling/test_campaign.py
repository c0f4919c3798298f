"""A kept campaign's counts show which blocks have which coverage."""

from __future__ import annotations

from collections.abc import Iterable

from rejoin_conformance.campaigns.block import BlockResult, Tally, examine_block
from rejoin_conformance.campaigns.distilling.coverage_keys import keys_of
from rejoin_conformance.campaigns.distilling.kept_campaign import (
    BLOCKS_A_KEY,
    FIRST_BLOCKS,
    Whereabouts,
    whereabouts,
)
from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Plan
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.registry import system_named

PLAN = Plan(
    system="history-merge",
    profile="tiny",
    readings=("document",),
    seed=1,
    histories=8 * BLOCK_SIZE - 10,
)


def _block(number: int, **counted: Iterable[str]) -> BlockResult:
    """A block whose only tally counts these keys once each."""
    tally = Tally()
    tally.coverage.update(counted.get("coverage", ()))
    tally.checked.update(counted.get("checked", ()))
    return BlockResult(number, len(PLAN.indices(number)), "", {"document": tally}, ())


def test_the_first_blocks_that_count_a_key_are_looked_at() -> None:
    blocks = [_block(n, coverage=["rare"] if n in {1, 3, 6, 7} else []) for n in range(8)]
    where = whereabouts(PLAN, blocks)
    assert where.carriers == {"document rare": (1, 3, 6)}
    assert where.first == (0, 1, 2, 3)
    assert where.stretches(frozenset()) == tuple(
        range(n * BLOCK_SIZE, (n + 1) * BLOCK_SIZE) for n in (0, 1, 2, 3, 6)
    )
    assert (BLOCKS_A_KEY, FIRST_BLOCKS) == (3, 4)


def test_the_last_block_may_be_short() -> None:
    where = Whereabouts(PLAN, (), {"document rare": (7,)})
    assert where.stretches(frozenset()) == (range(7 * BLOCK_SIZE, PLAN.histories),)


def test_blocks_that_count_only_what_is_known_are_not_looked_at() -> None:
    where = whereabouts(PLAN, [_block(n, checked=["law"]) for n in (5, 6)])
    known = frozenset({"document law:law:held-to"})
    assert where.stretches(known) == tuple(PLAN.indices(n) for n in (5, 6))
    assert Whereabouts(PLAN, (), where.carriers).stretches(known) == ()


def test_the_counts_of_a_block_tell_the_keys_of_its_histories() -> None:
    system = system_named(PLAN.system)
    of_each = frozenset[str]().union(
        *(keys_of(system, history, PLAN.readings) for history in _made(PLAN, 0))
    )
    assert whereabouts(PLAN, [examine_block(PLAN, 0)]).carriers.keys() == of_each


def _made(plan: Plan, block: int) -> list[object]:
    histories = system_named(plan.system).histories
    return [
        histories.generate(plan.profile, history_seed(plan.seed, plan.system, plan.profile, index))
        for index in plan.indices(block)
    ]
