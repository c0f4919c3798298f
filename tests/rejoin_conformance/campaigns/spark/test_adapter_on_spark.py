"""An adapter is asked on Spark: the result does not depend on the partitioning."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

import pytest

from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Plan
from rejoin_conformance.campaigns.run_campaign import run_campaign
from rejoin_conformance.campaigns.spark.failures import JobFailedError
from rejoin_conformance.campaigns.spark.spread import OnSpark
from support.spreads import HERE, silent

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
    alone = run_campaign(plan, HERE)
    assert alone.counts("document", "checked")["agrees-with-reference"] > BLOCK_SIZE
    assert not alone.found()
    assert run_campaign(plan, OnSpark(spark, silent, 3)).to_json() == alone.to_json()


@pytest.mark.long  # starts a JVM
def test_a_program_that_is_not_an_adapter_fails_the_job_with_its_reason(
    spark: SparkSession,
) -> None:
    with pytest.raises(JobFailedError, match="AdapterUnusableError: the adapter cannot be started"):
        run_campaign(plan_of(["/nowhere/adapter"]), OnSpark(spark, silent))
