"""Run the benchmarks, and print ratios of things run side by side. `make bench` calls this.

usage: run.py [--histories N] [NAME ...]
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable
from typing import Final

from rejoin_conformance.contract.registry import system_names

WITH_A_MAIN: Final = ("ports", "config_merge", "history_merge", "conflict_detection", "oracle")
"""The benchmarks that are a module with that name and a `main()`."""


def main() -> None:
    """Run the named benchmarks, or all of them."""
    benchmarks: dict[str, Callable[[int], None]] = {
        name.replace("_", "-"): _main_of(name) for name in WITH_A_MAIN
    }
    benchmarks["campaigns"] = _campaigns
    parser = argparse.ArgumentParser(description="Print the benchmarks as ratios.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(benchmarks))
    parser.add_argument("--histories", type=int, default=100_000, help="of the Spark comparison")
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.names) - set(benchmarks))
    if unknown:
        parser.error(f"there is no benchmark {unknown[0]}; there are {', '.join(benchmarks)}")
    for name in arguments.names or benchmarks:
        print(f"\n{name}", flush=True)
        benchmarks[name](arguments.histories)


def _main_of(module: str) -> Callable[[int], None]:
    return lambda _histories: importlib.import_module(module).main()


def _campaigns(histories: int) -> None:
    import campaigns  # noqa: PLC0415 - it is in this script's folder

    for system in system_names():
        campaigns.spark_against_pool(campaigns.plan_of(system, histories))


if __name__ == "__main__":
    main()
