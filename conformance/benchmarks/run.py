"""Every benchmark, as ratios of things run side by side. `make bench` calls this.

usage: run.py [--histories N] [NAME ...]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Final

import config_merge

import campaigns

SYSTEMS: Final = ("config-merge",)


def main() -> None:
    """Run the named benchmarks, or all of them."""
    parser = argparse.ArgumentParser(description="Print the benchmarks as ratios.")
    parser.add_argument("names", nargs="*", choices=[*BENCHMARKS, []], help="which; all if none")
    parser.add_argument("--histories", type=int, default=100_000, help="of the Spark comparison")
    arguments = parser.parse_args()
    for name in arguments.names or BENCHMARKS:
        print(f"\n{name}")
        BENCHMARKS[name](arguments.histories)


def _campaigns(histories: int) -> None:
    for system in SYSTEMS:
        campaigns.where_the_time_goes(system, 2000)
        campaigns.memory_stays_flat(system, 1000, 5000)
        campaigns.spark_against_pool(system, histories)


BENCHMARKS: Final[dict[str, Callable[[int], None]]] = {
    "config-merge": lambda _histories: config_merge.main(),
    "campaigns": _campaigns,
}

if __name__ == "__main__":
    main()
