"""A process that measures one piece of work of the version of the project that it imports.

usage: speed_worker.py WORK [ARGUMENT ...]

It reads the numbers of rounds from standard input, one per line. For each it does the work once and
prints a number, which is seconds or a ratio, and a digest of the result. It runs in the earlier
commit too, so it uses only functions that both versions have.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Final, TypeAlias

from rejoin import config_merge as cm
from rejoin_conformance.campaigns.block import examine_block
from rejoin_conformance.campaigns.plan import MOST_HISTORIES, Plan
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.contract.registry import system_named

Work: TypeAlias = Callable[[int], tuple[float, str]]
"""(the number of a round) -> the measured number, a digest of the result."""

CALLS: Final = 500
"""Calls of a short operation in one round."""

BLOCKS: Final = 100
"""A round examines one of this many blocks."""

_UNTIL_THE_END: Final = ExitStack()
"""What stays open while this process runs. Nothing closes it, because the process is killed."""


def histories(system: str) -> Work:
    """Return the work of generating and examining a block of default histories."""
    reading = system_named(system).default_reading
    plan = Plan(
        system=system, profile="default", readings=(reading,), seed=1, histories=250 * BLOCKS
    )
    return _timed(lambda number: examine_block(plan, number % BLOCKS).digest)


def block(system: str, reading: str) -> Work:
    """Return the work of examining the default histories of a block under one reading.

    The number of a round is the number of the block.
    """
    plan = Plan(
        system=system, profile="default", readings=(reading,), seed=1, histories=MOST_HISTORIES
    )
    return _timed(lambda number: examine_block(plan, number).digest)


def resolve(examples: str) -> Work:
    """Return the work of resolving 125a and 125b of the worked example, from bytes to bytes."""
    both = _messages(examples)

    def work(_number: int) -> str:
        for _ in range(CALLS):
            resolved = cm.resolve(both)
        return hashlib.sha256(resolved.message.encoded).hexdigest()

    return _timed(work)


def parse(examples: str) -> Work:
    """Return the work of parsing 125a of the worked example, 635 bytes."""
    message = _messages(examples)[0]

    def work(_number: int) -> str:
        for _ in range(CALLS):
            parsed = cm.parsed_or_error(message, window=5, reading=cm.DOCUMENT, verify_key=None)
        assert isinstance(parsed, cm.Message)
        return parsed.rank[1].hex()

    return _timed(work)


def spark_and_pool(system: str, number_of_histories: str) -> Work:
    """Return the work of running a campaign on a pool and on Spark; it measures Spark / pool."""
    from campaigns import plan_of, run_on_pool  # noqa: PLC0415 - the other works need no Spark

    run_on_spark = _on_spark(system)
    plan = plan_of(system, int(number_of_histories))

    def work(number: int) -> tuple[float, str]:
        """Run both; the order changes each round, because the machine can become slower."""
        runs = [run_on_pool, run_on_spark]
        seconds: dict[Callable[[Plan], Summary], float] = {}
        digests: set[str] = set()
        for run in runs if number % 2 else reversed(runs):
            start = time.perf_counter()
            digests.add(run(plan).digest)
            seconds[run] = time.perf_counter() - start
        assert len(digests) == 1, "Spark and the pool have different digests"
        return seconds[run_on_spark] / seconds[run_on_pool], digests.pop()

    return work


def warm_spark(system: str, number_of_histories: str) -> Work:
    """Return the work of running a small campaign on a session that is up; it measures seconds."""
    run_on_spark = _on_spark(system)
    reading = system_named(system).default_reading

    def work(number: int) -> tuple[float, str]:
        plan = Plan(
            system=system,
            profile="default",
            readings=(reading,),
            seed=2 + number,
            histories=int(number_of_histories),
        )
        start = time.perf_counter()
        digest = run_on_spark(plan).digest
        return time.perf_counter() - start, digest

    return work


def _on_spark(system: str) -> Callable[[Plan], Summary]:
    """Start Spark, run a small campaign, and return a function that runs others."""
    from campaigns import plan_of  # noqa: PLC0415 - the other works need no Spark
    from rejoin_conformance.campaigns.run_campaign import run_campaign  # noqa: PLC0415
    from rejoin_conformance.campaigns.spark.session import spark_session  # noqa: PLC0415
    from rejoin_conformance.campaigns.spark.spread import OnSpark  # noqa: PLC0415

    session = _UNTIL_THE_END.enter_context(spark_session())

    def run(plan: Plan) -> Summary:
        return run_campaign(plan, OnSpark(session, _silent))

    run(plan_of(system, 1000))
    return run


def adapter_share(system: str, port: str) -> Work:
    """Return the work of fuzzing an adapter; it measures the share of the adapter's own rate."""
    from port_alone import Share  # noqa: PLC0415 - the other works need no adapter

    return Share(system, port).measure


def _silent(_done: int, _total: int, _what: str) -> None:
    return


def _timed(work: Callable[[int], str]) -> Work:
    """Return the work with its CPU seconds."""

    def timed(number: int) -> tuple[float, str]:
        start = time.process_time()
        digest = work(number)
        return time.process_time() - start, digest

    return timed


def _messages(examples: str) -> tuple[bytes, ...]:
    """Return the messages of a vector of the file of the worked example."""
    vectors = json.loads(Path(examples).read_text(encoding="utf-8"))["vectors"]
    wanted = "config-merge/worked-example/126a-from-125a-125b"
    found = next(each["input"]["messages"] for each in vectors if each["id"] == wanted)
    return tuple(map(bytes.fromhex, found))


WORKS: Final[Mapping[str, Callable[..., Work]]] = {
    "histories": histories,
    "block": block,
    "resolve": resolve,
    "parse": parse,
    "spark-and-pool": spark_and_pool,
    "warm-spark": warm_spark,
    "adapter-share": adapter_share,
}


def main() -> None:
    """Do the work once for each line of standard input."""
    work = WORKS[sys.argv[1]](*sys.argv[2:])
    for line in sys.stdin:
        measured, digest = work(int(line))
        print(measured, digest, flush=True)


if __name__ == "__main__":
    main()
