"""Blocks add up to the same summary in whatever order they come."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, permutations

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from rejoin_conformance.campaigns.block import BlockResult, ExampleViolation, Tally
from rejoin_conformance.campaigns.directory.rows import (
    SCHEMA,
    FinishedBlock,
    arrow_schema,
    batch_of,
    blocks_of,
)
from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Plan
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.contract.law import Violation

PLAN = Plan(
    system="config-merge",
    profile="tiny",
    readings=("document",),
    seed=1,
    histories=2 * BLOCK_SIZE + 1,
)


def _block(number: int, violations: int = 0) -> BlockResult:
    examples = tuple(
        ExampleViolation(
            number * BLOCK_SIZE + place,
            "document",
            Violation(law="law", kind="kind", detail=f"seen at {place}", evidence={"n": place}),
        )
        for place in range(violations)
    )
    tally = Tally(
        checked=Counter({"law": 10}),
        vacuous=Counter({"law": 1}),
        violated=Counter({("law", "kind"): violations}) if violations else Counter(),
        coverage=Counter({"shape:width:2": number + 1}),
        histories_by_key=Counter({"shape:width:2": 1}),
    )
    return BlockResult(
        number, len(PLAN.indices(number)), f"{number:064x}", {"document": tally}, examples
    )


def test_the_last_block_holds_the_rest() -> None:
    assert PLAN.blocks == 3
    assert [len(PLAN.indices(block)) for block in range(3)] == [BLOCK_SIZE, BLOCK_SIZE, 1]
    assert list(PLAN.indices(2)) == [2 * BLOCK_SIZE]


def test_a_plan_has_at_least_one_history() -> None:
    with pytest.raises(ValueError, match="histories"):
        Plan(system="s", profile="p", readings=("r",), seed=1, histories=0)


def test_the_order_of_the_blocks_does_not_matter() -> None:
    blocks = [_block(0, 2), _block(1), _block(2, 3)]
    summaries = []
    for order in permutations(blocks):
        summary = Summary(PLAN)
        for block in order:
            summary.add(block)
        summaries.append(summary)
    first = summaries[0]
    assert first.complete
    assert first.histories == PLAN.histories
    assert first.tallies["document"].violated == Counter({("law", "kind"): 5})
    assert first.tallies["document"].coverage == Counter({"shape:width:2": 6})
    assert first.tallies["document"].histories_by_key == Counter({"shape:width:2": 3})
    kept = first.examples["document", "law", "kind"]
    assert [example.index for example in kept] == [0, 1, 2 * BLOCK_SIZE]
    for summary in summaries[1:]:
        assert summary.digest == first.digest
        assert summary.tallies == first.tallies
        assert summary.examples == first.examples


def test_a_block_that_comes_twice_is_refused() -> None:
    summary = Summary(PLAN)
    summary.add(_block(0))
    with pytest.raises(ValueError, match="block 0 occurs twice"):
        summary.add(_block(0))


def test_a_block_beyond_the_plan_is_refused() -> None:
    block = evolve(_block(0), block=3)
    with pytest.raises(ValueError, match="block 3 is not one of the 3 blocks"):
        Summary(PLAN).add(block)


def test_the_digest_distinguishes_plans_and_blocks() -> None:
    one, other = Summary(PLAN), Summary(PLAN)
    one.add(_block(0))
    other.add(_block(1))
    assert one.digest != other.digest


def test_rows_carry_a_block_there_and_back() -> None:
    blocks = [
        FinishedBlock(_block(0, 2), 5, 7, "here:1"),
        FinishedBlock(_block(1), 12, 9, "there:2"),
    ]
    assert list(blocks_of([batch_of(blocks)])) == blocks
    assert list(blocks_of([batch_of(blocks[1:]), batch_of(blocks[:1])])) == blocks[::-1]


@pytest.mark.usefixtures("spark")
def test_the_columns_for_spark_are_those_of_arrow() -> None:
    from pyspark.sql.pandas.types import from_arrow_schema
    from pyspark.sql.types import StructType

    from_arrow = from_arrow_schema(arrow_schema())
    assert from_arrow.simpleString() == StructType.fromDDL(SCHEMA).simpleString()


@given(st.binary(min_size=1, max_size=40).map(lambda data: [byte & 1 for byte in data]))
def test_missing_blocks_are_the_longest_runs_of_blocks_not_added(added: list[int]) -> None:
    summary = Summary(evolve(PLAN, histories=len(added) * BLOCK_SIZE))
    summary.finished[:] = bytes(added)
    found = list(summary.missing())
    missing = [block for block, done in enumerate(added) if not done]
    assert [block for gap in found for block in gap] == missing
    assert all(earlier.stop < later.start for earlier, later in pairwise(found))


def test_a_complete_campaign_misses_no_block() -> None:
    summary = Summary(PLAN)
    summary.finished[:] = b"\1\1\1"
    assert list(summary.missing()) == []
