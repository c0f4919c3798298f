"""An adapter is asked on Spark: the result does not depend on the partitioning."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

import pytest

from rejoin_conformance.campaigns.adapter_block import block_examiner
from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Plan
from rejoin_conformance.campaigns.run_campaign import run_campaign
from rejoin_conformance.campaigns.spark.failures import JobFailedError
from rejoin_conformance.campaigns.spark.spread import OnSpark
from rejoin_conformance.campaigns.summary import Summary
from support.spreads import silent

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SERVE = "from rejoin_conformance.command_line.main import main; main()"


def plan_of(adapter: list[str]) -> Plan:
    return Plan(
        system="history-merge",
        profile="tiny",
        readings=("document",),
        seed=3,
        histories=BLOCK_SIZE + 10,
        adapter=shlex.join(adapter),
    )


def test_any_partitioning_gives_the_same_summary(spark: SparkSession) -> None:
    plan = plan_of([sys.executable, "-c", SERVE, "serve"])
    alone = Summary(plan)
    with block_examiner(plan) as examine:
        for block in range(plan.blocks):
            alone.add(examine(block))
    assert alone.tallies["document"].checked["agrees-with-reference"] > BLOCK_SIZE
    assert not alone.tallies["document"].violated
    for partitions in (1, 3):
        spread = run_campaign(plan, OnSpark(spark, silent, partitions))
        assert (spread.digest, spread.tallies) == (alone.digest, alone.tallies)


def test_a_program_that_is_not_an_adapter_fails_the_job_with_its_reason(
    spark: SparkSession,
) -> None:
    with pytest.raises(JobFailedError, match="AdapterUnusableError: the adapter cannot be started"):
        run_campaign(plan_of(["/nowhere/adapter"]), OnSpark(spark, silent))
