"""Campaigns: Spark compared with a plain process pool, and a profile of the time per history."""

from __future__ import annotations

import cProfile
import multiprocessing
import os
import pstats
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Final

from rejoin_conformance.campaigns.block import examine_block
from rejoin_conformance.campaigns.pieces import timed
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.run_campaign import run_campaign
from rejoin_conformance.campaigns.spark.session import spark_session
from rejoin_conformance.campaigns.spark.spread import OnSpark
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.registry import system_named, system_names

PARTITIONS: Final = (1, 2, 8, 64)
_MAIN: Final = "from rejoin_conformance.command_line.main import main; main()"
_SMALLEST: Final = ("--profile", "tiny", "--histories", "1", "--json")
_UNTIL_KEPT: Final = 15


def plan_of(system: str, histories: int) -> Plan:
    """Return the default campaign of a system."""
    reading = system_named(system).default_reading
    return Plan(system=system, profile="default", readings=(reading,), seed=1, histories=histories)


def run_on_pool(plan: Plan) -> Summary:
    """Run the same blocks on a plain pool of processes, one process per core."""
    summary = Summary(plan)
    with multiprocessing.get_context("spawn").Pool(os.cpu_count()) as pool:
        pool.map(partial(examine_block, plan), [0], chunksize=1)
        for result in pool.imap_unordered(
            partial(timed, partial(examine_block, plan)), range(plan.blocks)
        ):
            summary.add(result)
    return summary


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


def start_up() -> None:
    """Print how long a command with one small history takes, on its first run and on later runs."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "XDG_CACHE_HOME": cache}
        for which in ("first", "second", "third"):
            start = time.perf_counter()
            subprocess.run(
                [sys.executable, "-c", _MAIN, "fuzz", system_names()[0], *_SMALLEST],
                env=environment,
                stdout=subprocess.DEVNULL,
                check=True,
            )
            print(f"start-up, {which} run with one history: {time.perf_counter() - start:.1f} s")
            time.sleep(_UNTIL_KEPT)  # the first JVM stores its classes when it ends


def spark_memory_stays_flat(system: str, few: int, many: int) -> None:
    """Print the peak memory of driver, JVM and workers after few and after many histories."""
    with spark_session() as session:
        for histories in (few, many):
            run_campaign(plan_of(system, histories), OnSpark(session, _silent))
            peaks = peaks_below(os.getpid())
            print(
                f"{system}: peaks after {histories:,} histories on Spark: "
                f"driver {peaks[0]:.0f} MiB, JVM {peaks[1]:.0f} MiB, "
                f"largest Python worker {peaks[2]:.0f} MiB"
            )


def peaks_below(driver: int) -> tuple[float, float, float]:
    """Return the peak memory in MiB of a driver, of its JVM, and of its largest Python worker."""
    java, python = 0.0, 0.0
    parents = {driver}
    while parents:
        children = [pid for pid in _pids() if _field(pid, "PPid") in parents]
        for pid in children:
            peak = _field(pid, "VmHWM") / 1024
            if _name(pid).startswith("java"):
                java = max(java, peak)
            else:
                python = max(python, peak)
        parents = set(children)
    return _field(driver, "VmHWM") / 1024, java, python


def _pids() -> list[int]:
    return [int(folder.name) for folder in Path("/proc").iterdir() if folder.name.isdigit()]


def _status(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return ""


def _name(pid: int) -> str:
    return _status(pid).partition("\n")[0].removeprefix("Name:").strip()


def _field(pid: int, name: str) -> int:
    found = re.search(rf"^{name}:\s*(\d+)", _status(pid), re.MULTILINE)
    return int(found[1]) if found else 0


def where_the_time_goes(system: str, histories: int) -> None:
    """Profile a block in this process: generation, examination, and the parts of the reference."""
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
    """Print the peak memory of this process after few and after many histories."""
    for histories in (few, many):
        plan = plan_of(system, histories)
        summary = Summary(plan)
        for block in range(plan.blocks):
            summary.add(timed(partial(examine_block, plan), block))
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
