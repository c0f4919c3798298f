"""Conflict detection: what polls of random histories find under two readings.

retention: misclassified polls and stored snapshots, for each number of generations of ancestors
that a client keeps alive with its leases (CD-E27). After each event, the grid removes every object
without a lease.

previous: in the interface that a section of the document proposes (CD-E16), a client that made its
own version sees the other version as `previous`. The file does not say whose version it is, and
there is one such file, so that a second conflicting version has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import count, islice
from typing import Final

from attrs import evolve

from rejoin import conflict_detection as cd
from rejoin.conflict_detection.objects import capabilities
from rejoin_conformance.contract.history import Cost, history_seed
from rejoin_conformance.systems.conflict_detection.drawing import generate
from rejoin_conformance.systems.conflict_detection.history import History
from rejoin_conformance.systems.conflict_detection.run import new_run
from series import TradeOff, swept

GENERATIONS: Final = (0, 1, 2, 3, 4, 6, 8, 16)
WRONG: Final = "misclassified polls per 100"
STORED: Final = "stored snapshots per history"
CLIENTS: Final = (3, 4, 5, 6)
HIDDEN: Final = "conflicts without a file per 100"
UNNAMED: Final = "conflicts without a nickname per 100"


def retention(histories: int = 15, generations: Sequence[int] = GENERATIONS) -> TradeOff:
    """Return the costs of the first histories of each profile, for each number of generations."""
    return TradeOff(
        name="retention",
        title="Conflict detection: the price of keeping less history",
        along="kept generations",
        at=tuple(generations),
        drawn=(WRONG, STORED),
        series=swept(partial(keeping, histories), ("long", "large"), generations),
    )


def previous(histories: int = 300, clients: Sequence[int] = CLIENTS) -> TradeOff:
    """Return the shares of the first histories of each profile with so many clients."""
    return TradeOff(
        name="previous",
        title="Conflict detection: conflict files named `previous`",
        along="clients",
        at=tuple(clients),
        drawn=(HIDDEN, UNNAMED),
        series=swept(partial(naming, histories), ("default", "racing"), clients),
    )


def keeping(histories: int, profile: str, generations: int | None) -> dict[str, Cost]:
    """Return the misclassified polls, and the snapshots that are stored at the end."""
    reading = evolve(cd.REPAIRED, kept_generations=generations)
    wrong = polls = stored = 0
    for history in islice(_drawn(profile), histories):
        run = new_run("snapshots", reading, history.clients)
        for event in history.events:
            polled = run.take(event).polled
            polls += len(polled)
            wrong += sum(each.found is not each.expected for each in polled)
            run.take({"collect_garbage": True})
        objects = run.folder.grid.objects
        found = [cd.find(objects, each) for each in capabilities(objects)]
        stored += sum(isinstance(each, cd.Snapshot) for each in found)
    return {WRONG: Cost(wrong, polls, per=100), STORED: Cost(stored, histories)}


def naming(histories: int, profile: str, clients: int) -> dict[str, Cost]:
    """Return the conflicts without a file, and those without a nickname, of all conflicts.

    Counted are the polls that find a conflict with a version that has a content.
    """
    reading = evolve(cd.REPAIRED, conflict_names="previous")
    hidden = unnamed = conflicts = 0
    alike = (each for each in _drawn(profile) if each.clients == clients)
    for history in islice(alike, histories):
        run = new_run("snapshots", reading, history.clients)
        for event in history.events:
            for polled in run.take(event).polled:
                deletion = run.truth(polled.path).is_deletion(polled.key)
                if polled.found is cd.Classification.CONFLICT and not deletion:
                    (held,) = cd.naming(polled.after.conflicts, [polled.other])
                    conflicts += 1
                    hidden += held.content is None
                    unnamed += bool(held.label)
    return {
        HIDDEN: Cost(hidden, conflicts, per=100),
        UNNAMED: Cost(unnamed, conflicts, per=100),
    }


def _drawn(profile: str) -> Iterator[History]:
    seeds = (history_seed(1, "conflict-detection", profile, index) for index in count())
    return (generate(profile, seed) for seed in seeds)
