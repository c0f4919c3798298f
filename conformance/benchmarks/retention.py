"""Conflict detection: misclassified polls and stored snapshots, for each number of generations.

The same random histories run once for each number of generations of ancestors that a client keeps
alive with its leases (CD-E27). After each event, the grid removes every object without a lease.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import evolve

from rejoin import conflict_detection as cd
from rejoin.conflict_detection.objects import capabilities
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.systems.conflict_detection.drawing import generate
from rejoin_conformance.systems.conflict_detection.run import snapshot_run
from trade_offs import Series, TradeOff

NAME: Final = "retention"
SEED: Final = 1
DRAWN_FROM: Final = ("long", "large")
GENERATIONS: Final = (0, 1, 2, 3, 4, 6, 8, 16)
WRONG: Final = "misclassified polls per 100"
STORED: Final = "stored snapshots per history"


def measured(histories: int = 15, generations: Sequence[int] = GENERATIONS) -> TradeOff:
    """Return the costs of the first histories of each profile, for each number of generations."""
    series: list[Series] = []
    for profile in DRAWN_FROM:
        found = [counted(profile, histories, each) for each in generations]
        wrong, polls, stored = zip(*found, strict=True)
        series.append(Series(quantity=WRONG, group=profile, totals=wrong, of=polls, per=100))
        runs = (histories,) * len(found)
        series.append(Series(quantity=STORED, group=profile, totals=stored, of=runs))
    return TradeOff(
        name=NAME,
        title="Conflict detection: the price of keeping less history",
        along="kept generations",
        at=tuple(generations),
        drawn=(WRONG, STORED),
        series=tuple(series),
    )


def counted(profile: str, histories: int, generations: int | None) -> tuple[int, int, int]:
    """Return the numbers of misclassified polls, of polls, and of snapshots stored at the end."""
    reading = evolve(cd.REPAIRED, kept_generations=generations)
    wrong = polls = stored = 0
    for index in range(histories):
        history = generate(profile, history_seed(SEED, "conflict-detection", profile, index))
        run = snapshot_run(reading, history.clients)
        for event in history.events:
            polled = run.take(event).polled
            polls += len(polled)
            wrong += sum(each.found is not each.expected for each in polled)
            run.take({"collect_garbage": True})
        objects = run.folder.grid.objects
        found = [cd.find(objects, each) for each in capabilities(objects)]
        stored += sum(isinstance(each, cd.Snapshot) for each in found)
    return wrong, polls, stored
