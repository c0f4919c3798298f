"""Campaigns: Spark compared with a pool of processes, and the child of a worker with none."""

from __future__ import annotations

import os
import statistics
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import Final

from rejoin_conformance.campaigns.adapter_block import examiner
from rejoin_conformance.campaigns.block import examine_block
from rejoin_conformance.campaigns.campaign import run_campaign
from rejoin_conformance.campaigns.kept.store import Block
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.spark.session import spark_session
from rejoin_conformance.campaigns.spark.spread import OnSpark
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.contract.registry import system_named
from side_by_side import compare

PAIRS: Final = 5


def plan_of(system: str, histories: int) -> Plan:
    """Return the default campaign of a system."""
    reading = system_named(system).default_reading
    return Plan(system=system, profile="default", readings=(reading,), seed=1, histories=histories)


def pool_of(processes: int) -> ProcessPoolExecutor:
    """Return a pool whose processes may have children, which those of `Pool` may not."""
    return ProcessPoolExecutor(processes, get_context("spawn"))


def run_on_pool(plan: Plan, pool: ProcessPoolExecutor, *, child: bool = True) -> Summary:
    """Run the blocks of a plan on a pool, each in the child of a process or in the process."""
    summary = Summary(plan)
    for block, tables in pool.map(
        partial(_examined if child else _examined_here, plan), range(plan.blocks)
    ):
        summary.add(block, tables)
    return summary


def _examined_here(plan: Plan, block: int) -> Block:
    return block, examine_block(plan, block)


def _examined(plan: Plan, block: int) -> Block:
    with examiner(plan, kept=False) as examine:
        return block, examine(block)


def spark_against_pool(plan: Plan) -> None:
    """Print the medians of pairs that run side by side, and whether the digests agree.

    Both have a child for each core. Start-up time does not count: the first turn of a comparison is
    not measured.
    """
    cores = os.cpu_count() or 1
    with spark_session() as session, pool_of(cores) as pool:
        digests = set()

        def on_spark() -> None:
            digests.add(run_campaign(plan, OnSpark(session, _silent)).digest)

        def on_pool() -> None:
            digests.add(run_on_pool(plan, pool).digest)

        against_pool = compare(on_spark, on_pool, pairs=PAIRS)
        alone = ""
        if plan.adapter is None:
            here = compare(on_pool, partial(run_on_pool, plan, pool, child=False), pairs=PAIRS)
            alone = f", with a child against without {here.ratio:.3f}"
    seconds = statistics.median(against_pool.first)
    print(
        f"{plan.system}, {plan.histories:,} histories, {cores} cores: Spark {seconds:.1f} s, "
        f"against a pool {against_pool.ratio:.3f}{alone}; "
        f"{plan.histories / seconds / cores:,.0f} a second a core; "
        f"digests {'agree' if len(digests) == 1 else 'DIFFER'}"
    )


def _silent(_done: int, _total: int, _what: str) -> None:
    return
