"""Campaigns on a real local Spark: any partitioning, any process and any hash seed, one digest."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import pytest
from attrs import evolve

from rejoin_conformance.campaigns.block import DIGESTED, examine_block
from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Plan
from rejoin_conformance.campaigns.run_campaign import run_campaign
from rejoin_conformance.campaigns.spark.failures import JobFailedError
from rejoin_conformance.campaigns.spark.spread import OnSpark
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.kit.json_types import canonical_json
from support.kept_campaigns import undisturbed
from support.spreads import silent

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PLAN = Plan(
    system="config-merge",
    profile="tiny",
    readings=("document", "libsession"),
    seed=11,
    histories=4 * BLOCK_SIZE - 17,
)


def digest_of(plan: Plan) -> str:
    """Return the digest of the first block of a plan."""
    return str(examine_block(plan, 0)["blocks"][0]["digest"])


@pytest.mark.parametrize(
    "partitions", [3, *(pytest.param(each, marks=pytest.mark.long) for each in (1, 64))]
)
def test_any_number_of_partitions_gives_the_same_campaign(
    spark: SparkSession, partitions: int
) -> None:
    seen: list[tuple[int, int]] = []
    place = OnSpark(spark, lambda done, total, _what: seen.append((done, total)), partitions)
    summary = run_campaign(PLAN, place)
    assert summary.complete
    assert summary.to_json() == undisturbed(PLAN).to_json()
    assert seen[-1] == (PLAN.histories, PLAN.histories)
    assert all(done <= total for done, total in seen)


def test_a_job_that_fails_for_good_is_one_line(spark: SparkSession) -> None:
    broken = evolve(PLAN, rule="1 / 0", readings=("rule.py",), histories=10)
    with pytest.raises(JobFailedError, match=r"blocks 0 to 0: ") as failed:
        run_campaign(broken, OnSpark(spark, silent))
    assert "\n" not in str(failed.value)


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
        rows = [each for each in block["counts"] if each["reading"] == reading]
        counts: Any = {
            kind: {each["name"]: each["count"] for each in rows if each["kind"] == kind}
            for kind in DIGESTED
        }
        digest.update(canonical_json(counts).encode("ascii"))
    assert digest_of(plan) == digest.hexdigest()


def test_another_seed_profile_or_reading_gives_another_digest() -> None:
    small = evolve(PLAN, histories=50)
    others = [
        evolve(small, seed=12),
        evolve(small, readings=("document",)),
        evolve(small, profile="default"),
    ]
    assert len({digest_of(plan) for plan in (small, *others)}) == 4
