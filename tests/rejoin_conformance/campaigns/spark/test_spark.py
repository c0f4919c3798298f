"""Campaigns on a real local Spark: any partitioning, any process and any hash seed, one digest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from attrs import evolve

from rejoin_conformance.campaigns.plan import BLOCK_SIZE
from rejoin_conformance.campaigns.run_campaign import run_campaign
from rejoin_conformance.campaigns.spark.failures import JobFailedError
from rejoin_conformance.campaigns.spark.spread import OnSpark
from support.kept_campaigns import undisturbed
from support.plans import small_plan
from support.spreads import silent

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

READINGS = ("document", "libsession")
PLAN = small_plan("config-merge", 4 * BLOCK_SIZE - 17, readings=READINGS, seed=11)


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
