"""Run the benchmarks, and print ratios of things run side by side. `make bench` calls this.

usage: run.py [--histories N] [NAME ...]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Final

import campaigns
import oracle
import speed
from rejoin_conformance.contract.registry import system_names


def on_spark(histories: int) -> None:
    """Compare Spark with a pool of processes, for each system."""
    for system in system_names():
        campaigns.spark_against_pool(campaigns.plan_of(system, histories))


BENCHMARKS: Final[dict[str, Callable[[int], None]]] = {
    "speed": lambda _histories: speed.main(),
    "oracle": lambda _histories: oracle.main(),
    "campaigns": on_spark,
}


def main() -> None:
    """Run the named benchmarks, or all of them."""
    parser = argparse.ArgumentParser(description="Print the benchmarks as ratios.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--histories", type=int, default=100_000, help="of the Spark comparison")
    arguments = parser.parse_args()
    if unknown := sorted({*arguments.names} - {*BENCHMARKS}):
        parser.error(f"there is no benchmark {unknown[0]}; there are {', '.join(BENCHMARKS)}")
    for name in arguments.names or BENCHMARKS:
        print(f"\n{name}", flush=True)
        BENCHMARKS[name](arguments.histories)


if __name__ == "__main__":
    main()
