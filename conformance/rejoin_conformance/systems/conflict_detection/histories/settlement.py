"""The settlement at the end of some histories: one client resolves all conflicts for everybody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.ledger import Ledger
from rejoin_conformance.systems.conflict_detection.histories.check_polls import evidence_of
from rejoin_conformance.systems.conflict_detection.histories.events import (
    NICKNAMES,
    ComeBack,
    Event,
    PollAll,
    Resolve,
    Upload,
)
from rejoin_conformance.systems.conflict_detection.histories.run import Run
from rejoin_conformance.systems.conflict_detection.laws import ONE_RESOLVER_IS_ENOUGH

V = TypeVar("V")

RESOLVER = 0
_FIRST_TEXT = 1_000_000
"""Larger than any text of a history."""


def returns(folder: cd.Folder[V]) -> Iterator[Event]:
    """Yield the events by which all offline clients come back, and all changes are uploaded."""
    for nickname, client in sorted(folder.clients.items()):
        if not client.online:
            yield ComeBack(NICKNAMES.index(nickname))
        elif any(file.waiting is not None for file in client.files.values()):
            yield Upload(NICKNAMES.index(nickname))


def settling(folder: cd.Folder[V]) -> Iterator[Event]:
    """Yield the events of the settlement: the resolver polls and resolves, all others poll it."""
    others = [number for number in range(len(folder.clients)) if number != RESOLVER]
    paths = sorted({path for client in folder.clients.values() for path in client.files})
    yield from (PollAll(RESOLVER, other) for other in others)
    for number, path in enumerate(paths):
        yield Resolve(RESOLVER, path, 0, _FIRST_TEXT + number)
    yield from (PollAll(other, RESOLVER) for other in others)


def can_settle(folder: cd.Folder[V]) -> bool:
    """Return whether all clients poll each other and link every version that they have."""
    return all(
        len(client.subscriptions) == len(folder.clients) - 1
        and all(file.linked for file in client.files.values() if file.version is not None)
        for client in folder.clients.values()
    )


def check_settled(ledger: Ledger, run: Run[V]) -> None:
    """Check that all users see the same files and no conflict file."""
    ledger.check(ONE_RESOLVER_IS_ENOUGH)
    clients = [client for _, client in sorted(run.folder.clients.items())]
    conflicts = any(file.conflicts for client in clients for file in client.files.values())
    seen = [cd.local_files(client) for client in clients]
    if conflicts or any(files != seen[0] for files in seen):
        kind = f"{run.design.name}: {'conflicts are left' if conflicts else 'files differ'}"
        ledger.broken(ONE_RESOLVER_IS_ENOUGH, kind, kind, lambda: evidence_of(run))
