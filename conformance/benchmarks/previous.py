"""Conflict detection: what the conflict file `previous` hides, for each number of clients.

In the interface that a section of the document proposes (CD-E16), a client that made its own
version sees the other version as `previous`. The file does not say whose version it is, and there
is one such file, so that a second conflicting version has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, islice
from typing import Final

from attrs import evolve

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.systems.conflict_detection.drawing import generate
from rejoin_conformance.systems.conflict_detection.run import snapshot_run
from trade_offs import Series, TradeOff

NAME: Final = "previous"
SEED: Final = 1
DRAWN_FROM: Final = ("default", "racing")
CLIENTS: Final = (3, 4, 5, 6)
HIDDEN: Final = "conflicts without a file per 100"
UNNAMED: Final = "conflicts without a nickname per 100"


def measured(histories: int = 300, clients: Sequence[int] = CLIENTS) -> TradeOff:
    """Return the shares of the first histories of each profile with so many clients."""
    series: list[Series] = []
    for profile in DRAWN_FROM:
        found = [counted(profile, histories, each) for each in clients]
        hidden, unnamed, conflicts = zip(*found, strict=True)
        for quantity, totals in ((HIDDEN, hidden), (UNNAMED, unnamed)):
            series.append(
                Series(quantity=quantity, group=profile, totals=totals, of=conflicts, per=100)
            )
    return TradeOff(
        name=NAME,
        title="Conflict detection: conflict files named `previous`",
        along="clients",
        at=tuple(clients),
        drawn=(HIDDEN, UNNAMED),
        series=tuple(series),
    )


def counted(profile: str, histories: int, clients: int) -> tuple[int, int, int]:
    """Return the numbers of conflicts without a file, of those without a nickname, and of all.

    Counted are the polls that find a conflict with a version that has a content.
    """
    reading = evolve(cd.REPAIRED, conflict_names="previous")
    hidden = unnamed = conflicts = 0
    seeds = (history_seed(SEED, "conflict-detection", profile, index) for index in count())
    drawn = (generate(profile, seed) for seed in seeds)
    for history in islice((each for each in drawn if each.clients == clients), histories):
        run = snapshot_run(reading, history.clients)
        for event in history.events:
            for polled in run.take(event).polled:
                deletion = run.truth(polled.path).is_deletion(polled.key)
                if polled.found is cd.Classification.CONFLICT and not deletion:
                    (held,) = cd.naming(polled.after.conflicts, [polled.other])
                    conflicts += 1
                    hidden += held.content is None
                    unnamed += bool(held.label)
    return hidden, unnamed, conflicts
