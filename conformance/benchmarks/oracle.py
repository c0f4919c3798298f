"""Campaigns against the ports: on 2 cores, with and without the oracle, against the port alone.

usage: oracle.py [--histories N] [--rounds N] [--spark] [SYSTEM ...]

The port alone answers the same requests on one core, from a file, and its replies are thrown away.
A campaign draws the histories, makes the calls, and judges every answer. All are measured in turn,
after one turn that does not count.
"""

from __future__ import annotations

import argparse
import os
import shlex
import statistics
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from attrs import evolve

from campaigns import plan_of, pool_of, run_on_pool, spark_against_pool
from ports import built
from rejoin_conformance.adapters.protocol import numbered, unnumbered
from rejoin_conformance.campaigns.plan import Bounds, Plan
from rejoin_conformance.contract.history import asks_reference, history_seed
from rejoin_conformance.contract.registry import system_named, system_names
from side_by_side import seconds

CORES: Final = 2
HISTORIES: Final = 2_000
ROUNDS: Final = 5


def main(
    systems: Sequence[str] = (),
    histories: int = HISTORIES,
    rounds: int = ROUNDS,
    *,
    spark: bool = False,
) -> None:
    """Build the ports, and print one line for each port and system."""
    for language, command in built():
        for system in systems or system_names():
            plan = evolve(plan_of(system, histories), adapter=command, timeout=60)
            if spark:
                spark_against_pool(plan)
            else:
                _measure(language, plan, rounds)


def _measure(language: str, plan: Plan, rounds: int) -> None:
    """Print the calls a second, and medians of the ratios in each round, with their spreads."""
    digests: set[str] = set()
    with tempfile.TemporaryDirectory() as folder, pool_of(CORES) as pool:
        asked = Path(folder, "requests")
        asked.write_bytes(b"".join(_requests(plan)))
        calls = asked.read_bytes().count(b"\n")

        def campaign(plan: Plan) -> None:
            summary = run_on_pool(plan, pool)
            digests.add(summary.digest)
            assert summary.judged().asked == calls
            assert not summary.found()

        works: Sequence[Callable[[], None]] = (
            partial(_answer, plan, asked),
            partial(campaign, plan),
            partial(campaign, evolve(plan, bounds=Bounds(no_oracle=True))),
        )
        turns = [[calls / seconds(work) for work in works] for _ in range(rounds + 1)]
    alone, fast, slow = zip(*turns[1:], strict=True)
    print(
        f"{language}, {plan.system}: {calls:,} calls; a second: port alone on one core "
        f"{_spread(alone)}, with the oracle on {CORES} {_spread(fast)}, without {_spread(slow)}; "
        f"with against alone {_ratio(fast, alone)}, without against alone {_ratio(slow, alone)}, "
        f"with against without {_ratio(fast, slow)}; "
        f"digests {'agree' if len(digests) == 1 else 'DIFFER'}",
        flush=True,
    )


def _requests(plan: Plan) -> Iterator[bytes]:
    """Yield the requests of a campaign, as lines."""
    system, (reading,) = system_named(plan.system), plan.readings
    ask = asks_reference(system.operations, reading)
    for index in range(plan.histories):
        seed = history_seed(plan.seed, plan.system, plan.profile, index)
        calls = system.histories.calls(system.histories.generate(plan.profile, seed), ask)
        for operation, text in dict.fromkeys((each.operation, each.text) for each in calls):
            yield numbered(1, unnumbered(operation, reading, text))


def _answer(plan: Plan, asked: Path) -> None:
    """Let the port answer on one core. Node would compile and collect garbage on a second one."""
    one_core = ("taskset", "--cpu-list", str(min(os.sched_getaffinity(0))))
    with asked.open("rb") as requests:
        command = (*one_core, *shlex.split(plan.adapter or ""))
        subprocess.run(command, stdin=requests, stdout=subprocess.DEVNULL, check=True)


def _spread(rates: Sequence[float]) -> str:
    return f"{statistics.median(rates):,.0f} ({min(rates):,.0f} to {max(rates):,.0f})"


def _ratio(ones: Sequence[float], others: Sequence[float]) -> str:
    ratios = [one / other for one, other in zip(ones, others, strict=True)]
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("systems", nargs="*", metavar="SYSTEM", help="default: all")
    parser.add_argument("--histories", type=int, default=HISTORIES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--spark", action="store_true", help="compare Spark with a pool instead")
    options = parser.parse_args()
    main(options.systems, options.histories, options.rounds, spark=options.spark)
