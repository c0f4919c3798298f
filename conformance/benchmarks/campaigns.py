"""Campaigns: Spark against a plain process pool, and where the time of a history goes."""

from __future__ import annotations

import cProfile
import multiprocessing
import os
import pstats
import resource
import time
from collections import Counter
from functools import partial

from rejoin_conformance.campaign.block import examine_block
from rejoin_conformance.campaign.plan import Plan
from rejoin_conformance.campaign.session import spark_session
from rejoin_conformance.campaign.spark import run_campaign
from rejoin_conformance.campaign.summary import Summary
from rejoin_conformance.histories import history_seed
from rejoin_conformance.registry import system_named


def plan_of(system: str, histories: int) -> Plan:
    """The default campaign of a system."""
    reading = system_named(system).default_reading
    return Plan(system=system, profile="default", readings=(reading,), seed=1, histories=histories)


def run_on_pool(plan: Plan) -> Summary:
    """The same blocks on a plain pool of processes, one a core."""
    summary = Summary(plan)
    with multiprocessing.get_context("spawn").Pool(os.cpu_count()) as pool:
        pool.map(partial(examine_block, plan), [0], chunksize=1)
        for result in pool.imap_unordered(partial(examine_block, plan), range(plan.blocks)):
            summary.add(result)
    return summary


def spark_against_pool(system: str, histories: int) -> None:
    """Print both times, their ratio, and that the digests agree."""
    plan = plan_of(system, histories)
    start = time.perf_counter()
    with spark_session() as session:
        run_campaign(plan_of(system, 1000), session, _silent)
        started = time.perf_counter() - start
        start = time.perf_counter()
        on_spark = run_campaign(plan, session, _silent)
        spark_seconds = time.perf_counter() - start
    start = time.perf_counter()
    on_pool = run_on_pool(plan)
    pool_seconds = time.perf_counter() - start
    print(
        f"{system}, {histories:,} histories, {os.cpu_count()} cores: "
        f"Spark {spark_seconds:.1f} s ({histories / spark_seconds:,.0f} a second), "
        f"pool {pool_seconds:.1f} s ({histories / pool_seconds:,.0f} a second), "
        f"ratio {spark_seconds / pool_seconds:.2f}; "
        f"start-up with a first small campaign {started:.1f} s; "
        f"digests {'agree' if on_spark.digest == on_pool.digest else 'DIFFER'}"
    )
    rate = histories / spark_seconds
    print(f"{system}: one million histories would take {1e6 / rate / 60:.1f} minutes")


def where_the_time_goes(system: str, histories: int) -> None:
    """Profile a block in process: generate and examine, then the parts of the reference."""
    known = system_named(system)
    seeds = [history_seed(1, system, "default", index) for index in range(histories)]
    start = time.perf_counter()
    generated = [known.histories.generate("default", seed) for seed in seeds]
    middle = time.perf_counter()
    for history in generated:
        known.histories.examine(history, known.default_reading)
    end = time.perf_counter()
    print(
        f"{system}: a history costs {1e3 * (end - start) / histories:.2f} ms on one core, "
        f"{100 * (middle - start) / (end - start):.0f} % of it to generate"
    )
    profile = cProfile.Profile()
    profile.enable()
    for history in generated[: histories // 4]:
        known.histories.examine(history, known.default_reading)
    profile.disable()
    shares: Counter[str] = Counter()
    stats = pstats.Stats(profile)
    for (file, _, _), row in stats.stats.items():  # type: ignore[attr-defined]  # not in the stubs
        shares[_module(file)] += round(1e6 * row[2])
    total = shares.total()
    for module, micros in shares.most_common(8):
        print(f"    {100 * micros / total:5.1f} %  {module}")


def memory_stays_flat(system: str, few: int, many: int) -> None:
    """The peak memory of this process after few and after many histories."""
    for histories in (few, many):
        plan = plan_of(system, histories)
        summary = Summary(plan)
        for block in range(plan.blocks):
            summary.add(examine_block(plan, block))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{system}: peak memory after {histories:,} histories in one process {peak:.0f} MiB")


def _module(file: str) -> str:
    for package in ("rejoin_conformance", "rejoin"):
        marker = f"/{package}/"
        if marker in file:
            return f"{package}.{file.rsplit(marker, 1)[1].removesuffix('.py').replace('/', '.')}"
    return "the standard library and other packages"


def _silent(_done: int, _total: int, _what: str) -> None:
    return
