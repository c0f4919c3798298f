"""Campaigns on a real local Spark: any partitioning, any process and any hash seed, one digest."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from attrs import evolve

from rejoin_conformance.campaigns.block import examine_block
from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Plan
from rejoin_conformance.campaigns.run_campaign import run_campaign
from rejoin_conformance.campaigns.spark.spread import OnSpark
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.kit.json_types import canonical_json
from support.spreads import HERE, silent

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PLAN = Plan(
    system="config-merge",
    profile="tiny",
    readings=("document", "libsession"),
    seed=11,
    histories=4 * BLOCK_SIZE - 17,
)

DIGEST_OF_ONE_BLOCK = """
from rejoin_conformance.campaigns.block import examine_block
from rejoin_conformance.campaigns.plan import Plan
plan = Plan(system="config-merge", profile="tiny", readings=("document", "libsession"), seed=11,
            histories=60)
print(examine_block(plan, 0).digest)
"""


@pytest.fixture(scope="module")
def in_process() -> Summary:
    summary = Summary(PLAN)
    for block in range(PLAN.blocks):
        summary.add(examine_block(PLAN, block))
    return summary


@pytest.mark.parametrize("partitions", [1, 3, 64])
def test_any_number_of_partitions_gives_the_same_campaign(
    spark: SparkSession, in_process: Summary, partitions: int
) -> None:
    summary = run_campaign(PLAN, OnSpark(spark, silent, partitions))
    system = system_named(PLAN.system)
    assert summary.complete
    assert summary.digest == in_process.digest
    assert summary.to_json(system) == in_process.to_json(system)


def test_this_process_gives_the_same_campaign(in_process: Summary) -> None:
    summary = run_campaign(PLAN, HERE)
    assert summary.complete
    assert summary.digest == in_process.digest


def test_progress_ends_with_all_histories(spark: SparkSession) -> None:
    seen: list[tuple[int, int]] = []
    histories = BLOCK_SIZE + 10
    plan = evolve(PLAN, readings=("document",), histories=histories)
    run_campaign(plan, OnSpark(spark, lambda done, total, _what: seen.append((done, total))))
    assert seen[-1] == (histories, histories)
    assert all(done <= total for done, total in seen)


def test_histories_made_alone_give_the_digest_of_their_block() -> None:
    plan = evolve(PLAN, histories=40)
    block = examine_block(plan, 0)
    histories = system_named(plan.system).histories
    alone: dict[int, list[bytes]] = {}
    for index in reversed(plan.indices(0)):
        history = histories.generate(
            plan.profile, history_seed(plan.seed, plan.system, plan.profile, index)
        )
        alone[index] = [histories.examine(history, name).digest for name in plan.readings]
    digest = hashlib.blake2b(digest_size=32)
    for index in plan.indices(0):
        for each in alone[index]:
            digest.update(each)
    for reading in plan.readings:
        digest.update(canonical_json(block.tallies[reading].to_json()).encode("ascii"))
    assert block.digest == digest.hexdigest()


def test_another_seed_profile_or_reading_gives_another_digest(in_process: Summary) -> None:
    small = evolve(PLAN, histories=BLOCK_SIZE)
    others = [
        evolve(small, seed=12),
        evolve(small, readings=("document",)),
        evolve(small, profile="default", histories=50),
    ]
    digests = {examine_block(plan, 0).digest for plan in (small, *others)}
    assert len(digests) == 4


def test_the_digest_does_not_depend_on_the_hash_seed() -> None:
    digests = {
        subprocess.run(
            [sys.executable, "-c", DIGEST_OF_ONE_BLOCK],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(digests) == 1
    assert digests == {examine_block(evolve(PLAN, histories=60), 0).digest + "\n"}
