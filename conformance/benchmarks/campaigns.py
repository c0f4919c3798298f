"""Campaigns: Spark compared with a plain process pool."""

from __future__ import annotations

import multiprocessing
import os
import time
from functools import partial
from typing import Final

from rejoin_conformance.campaigns.block import examine_block
from rejoin_conformance.campaigns.kept.store import Block
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.run_campaign import run_campaign
from rejoin_conformance.campaigns.spark.session import spark_session
from rejoin_conformance.campaigns.spark.spread import OnSpark
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.contract.registry import system_named

PARTITIONS: Final = (1, 2, 8, 64)


def plan_of(system: str, histories: int) -> Plan:
    """Return the default campaign of a system."""
    reading = system_named(system).default_reading
    return Plan(system=system, profile="default", readings=(reading,), seed=1, histories=histories)


def run_on_pool(plan: Plan) -> Summary:
    """Run the same blocks on a plain pool of processes, one process per core."""
    summary = Summary(plan)
    with multiprocessing.get_context("spawn").Pool(os.cpu_count()) as pool:
        pool.map(partial(_examined, plan), [0], chunksize=1)
        for block, tables in pool.imap_unordered(partial(_examined, plan), range(plan.blocks)):
            summary.add(block, tables)
    return summary


def _examined(plan: Plan, block: int) -> Block:
    return block, examine_block(plan, block)


def spark_against_pool(system: str, histories: int) -> None:
    """Print the times of Spark and of a pool as ratios, and whether their digests agree.

    The benchmark tries several numbers of partitions on a tenth of the histories; one of them uses
    one core. It does not count start-up time: a small campaign warms up Spark and the pool first.
    """
    cores = os.cpu_count() or 1
    rounds: tuple[tuple[int, tuple[int | None, ...]], ...] = (
        (-(-histories // 10), PARTITIONS),
        (histories, (None,)),
    )
    with spark_session() as session:
        run_campaign(plan_of(system, 1000), OnSpark(session, _silent))
        for number, tried in rounds:
            plan = plan_of(system, number)
            start = time.perf_counter()
            on_pool = run_on_pool(plan)
            pool_seconds = time.perf_counter() - start
            print(f"{system}, {number:,} histories, {cores} cores: pool {pool_seconds:.1f} s")
            for partitions in tried:
                start = time.perf_counter()
                on_spark = run_campaign(plan, OnSpark(session, _silent, partitions))
                seconds = time.perf_counter() - start
                print(
                    f"    {partitions or 'usual':>5} partitions {seconds:.1f} s, "
                    f"ratio {seconds / pool_seconds:.2f}, "
                    f"{number / seconds / cores:,.0f} a second a core; "
                    f"digests {'agree' if on_spark.digest == on_pool.digest else 'DIFFER'}"
                )
    print(f"    at this rate a million histories take {1e6 / number * seconds / 60:.1f} minutes")


def _silent(_done: int, _total: int, _what: str) -> None:
    return
