"""Blocks add up to the same summary in whatever order they come."""

from __future__ import annotations

from itertools import pairwise, permutations

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from rejoin_conformance.campaigns.kept.store import Block
from rejoin_conformance.campaigns.plan import BLOCK_SIZE
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.campaigns.tables import BLOCKS
from support.kept_blocks import block_of
from support.kept_campaigns import BEGAN
from support.plans import small_plan

PLAN = small_plan("config-merge", 2 * BLOCK_SIZE + 1)


def _summary(*blocks: Block) -> Summary:
    summary = Summary(PLAN)
    for block, tables in blocks:
        summary.add(block, tables)
    return summary


def _block(number: int, violations: int = 0) -> Block:
    return block_of(number, violations, plan=PLAN)


def test_the_order_of_the_blocks_does_not_matter() -> None:
    blocks = [_block(0, 2), _block(1), _block(2, 4)]
    summaries = [_summary(*order) for order in permutations(blocks)]
    first = summaries[0]
    assert first.complete
    assert first.histories == PLAN.histories
    (found,) = first.found()
    assert (found.name, found.times) == (("document", "a-law", "a kind"), 6)
    assert [each["index"] for each in found.examples] == [0, 1, 2 * BLOCK_SIZE]
    assert first.counts("document", "coverage") == {"shape:width:2": 6}
    assert first.counts("document", "cases") == {"shape:width:2": 3}
    for summary in summaries[1:]:
        assert summary.to_json() == first.to_json()


def test_what_is_judged_decides_the_exit_code() -> None:
    """The laws of the blocks are unknown to the suite, so every reading claims them."""
    parts = _block(0), _block(1), _block(2)
    assert [_summary(*parts[:n]).judged().left_out for n in range(4)] == [501, 251, 1, 0]
    assert _summary(*parts[:2]).judged().exit_code == 3
    broken = _summary(_block(0, 2), *parts[1:])
    assert broken.judged().broken == len(broken.failures()) == 1
    assert broken.judged().exit_code == 1


@pytest.mark.parametrize(
    ("times", "active"),
    [
        ([(0, 10), (0, 10)], 10),  # two workers side by side
        ([(0, 10), (20, 10)], 30),  # Spark between two slices
        ([(86_400, 10), (0, 10)], 20),  # an interruption of a day
        ([(0, 100), (5, 10), (90, 20)], 110),
    ],
)
def test_an_interruption_does_not_reduce_the_speed(
    times: list[tuple[int, int]], active: int
) -> None:
    summary = Summary(PLAN)
    for number, (began, seconds) in enumerate(times):
        _, tables = _block(number)
        row = {**tables[BLOCKS][0], "began": BEGAN + began * 10**6, "micros": seconds * 10**6}
        summary.add(number, {**tables, BLOCKS: [row]})
    assert summary.active_seconds() == active
    assert summary.rate() == summary.histories / active


def test_the_digest_distinguishes_plans_and_blocks() -> None:
    assert _summary(_block(0)).digest != _summary(_block(1)).digest
    assert Summary(PLAN).digest != Summary(evolve(PLAN, seed=2)).digest


@given(st.binary(min_size=1, max_size=40).map(lambda data: [byte & 1 for byte in data]))
def test_missing_blocks_are_the_longest_runs_of_blocks_not_added(added: list[int]) -> None:
    summary = Summary(evolve(PLAN, histories=len(added) * BLOCK_SIZE))
    summary.finished[:] = bytes(added)
    found = list(summary.missing())
    missing = [block for block, done in enumerate(added) if not done]
    assert [block for gap in found for block in gap] == missing
    assert all(earlier.stop < later.start for earlier, later in pairwise(found))
