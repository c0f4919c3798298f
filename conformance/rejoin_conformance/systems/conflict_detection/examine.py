"""Examine one history: run it in both designs under a reading and check every law."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, Final, TypeVar

from attrs import define

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.law import Examination, Ledger, Violation
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection import LAWS
from rejoin_conformance.systems.conflict_detection.actions import NICKNAMES
from rejoin_conformance.systems.conflict_detection.coverage import OF_EVENT, cover_end, cover_step
from rejoin_conformance.systems.conflict_detection.history import History
from rejoin_conformance.systems.conflict_detection.judge import Judge
from rejoin_conformance.systems.conflict_detection.laws_clients import (
    check_client,
    check_end,
    check_settled,
)
from rejoin_conformance.systems.conflict_detection.laws_costs import check_costs
from rejoin_conformance.systems.conflict_detection.laws_links import LinkChecks
from rejoin_conformance.systems.conflict_detection.laws_polls import (
    check_agreement,
    check_garbage,
    check_polls,
    check_uploads,
)
from rejoin_conformance.systems.conflict_detection.laws_snapshots import SnapshotChecks
from rejoin_conformance.systems.conflict_detection.run import Run, Taken, new_run

V = TypeVar("V")


@define
class Session:
    """A history that runs in both designs, with the laws checked after each event."""

    snapshots: Run[bytes]
    maps: Run[cd.VersionMap]
    ledger: Ledger
    judges: tuple[Judge[bytes], Judge[cd.VersionMap]]
    walks: SnapshotChecks
    links: tuple[LinkChecks[bytes], LinkChecks[cd.VersionMap]]

    def take(self, event: JsonObject) -> tuple[Taken[bytes], Taken[cd.VersionMap]]:
        """Carry out an event in both designs."""
        ours, theirs = _take(self.judges[0], event), _take(self.judges[1], event)
        self.walks.check(ours)
        self.links[0].check(ours)
        self.links[1].check(theirs)
        check_uploads(self.judges[1], theirs)
        check_agreement(self.judges, (ours, theirs))
        cover_step(self.ledger, self.snapshots, ours)
        self.ledger.observe(_seen(ours), _seen(theirs))
        return ours, theirs

    def settle(self) -> bool:
        """Let one client resolve everything; return whether the premises of the law hold."""
        for event in returns(self.snapshots.folder):
            self.take(event)
        can = can_settle(self.snapshots.folder) and can_settle(self.maps.folder)
        if not can or self.snapshots.set_back:
            self.judges[0].check("one-resolver-is-enough", premise=False)
            return False
        for event in settling(self.snapshots.folder):
            self.take(event)
        check_settled(self.judges[0])
        check_settled(self.judges[1])
        return True


def new_session(reading: cd.Reading, clients: int) -> Session:
    """Return a session of both designs before any event."""
    ledger = Ledger(LAWS)
    ours = Judge(ledger, new_run("snapshots", reading, clients))
    theirs = Judge(ledger, new_run("version-maps", reading, clients))
    links = LinkChecks(ours), LinkChecks(theirs)
    return Session(ours.run, theirs.run, ledger, (ours, theirs), SnapshotChecks(ours), links)


def finished_session(history: History, reading: cd.Reading) -> Session:
    """Return the session of a history after its events and its settlement, if it has one."""
    session = new_session(reading, history.clients)
    for event in history.events:
        session.take(event)
    if history.settles:
        session.settle()
    return session


def examine(history: History, reading: cd.Reading) -> Examination:
    """Return the examination of a history: a pure function of the history and the reading."""
    session = finished_session(history, reading)
    check_end(session.judges[0])
    check_end(session.judges[1])
    cover_end(session.ledger, session.snapshots)
    return session.ledger.examination(_digest(session))


def examine_by(history: History, oracle: Any, reading: cd.Reading) -> Examination:
    """Return the examination by the oracle, which checks the laws. Violations have no detail."""
    detection = oracle.Detection(reading.name, OF_EVENT)
    seen, checked, vacuous, coverage, broken = detection.examine(
        history.clients, history.events, history.settles
    )
    return Examination(
        digest=hashlib.blake2b(seen, digest_size=32).digest(),
        checked=checked,
        vacuous=vacuous,
        coverage=coverage,
        violations=tuple([Violation(law=law, kind=kind, detail="") for law, kind in broken]),
    )


def _take(judge: Judge[V], event: JsonObject) -> Taken[V]:
    taken = judge.run.take(event)
    if taken.polled:
        check_polls(judge, taken)
    if taken.changed:
        check_client(judge, taken)
    check_costs(judge, taken)
    if judge.run.collections:
        check_garbage(judge, taken)
    return taken


def _seen(taken: Taken[V]) -> str:
    """Return what the client of an event observed: the refusal, the polls, the uploads."""
    polled = ",".join([f"{each.path}={each.found}" for each in taken.polled])
    return f"{taken.refused or ''};{polled};{len(taken.uploaded)}"


def _digest(session: Session) -> bytes:
    """Return the digest of all observations and of all files at the end."""
    digest = hashlib.blake2b("\n".join(session.ledger.observed).encode(), digest_size=32)
    runs: tuple[Run[Any], ...] = session.snapshots, session.maps
    for run in runs:
        for nickname, client in sorted(run.folder.clients.items()):
            files = sorted(cd.local_files(client).items())
            digest.update(f"\n{nickname}:{files}".encode())
    return digest.digest()


# the settlement at the end of some histories: one client resolves all conflicts for everybody

RESOLVER: Final = NICKNAMES[0]
_FIRST_TEXT: Final = 1_000_000
"""Larger than any text of a history."""


def returns(folder: cd.Folder[V]) -> Iterator[JsonObject]:
    """Yield the events by which all offline clients come back, and all changes are uploaded."""
    for nickname, client in sorted(folder.clients.items()):
        if not client.online:
            yield {"client": nickname, "online": True}
        elif any(file.waiting is not None for file in client.files.values()):
            yield {"client": nickname, "upload": True}


def settling(folder: cd.Folder[V]) -> Iterator[JsonObject]:
    """Yield the events of the settlement: the resolver polls and resolves, all others poll it."""
    others: list[Json] = [name for name in NICKNAMES[: len(folder.clients)] if name != RESOLVER]
    paths = sorted({path for client in folder.clients.values() for path in client.files})
    yield from ({"client": RESOLVER, "poll_all": other} for other in others)
    for number, path in enumerate(paths):
        text = str(_FIRST_TEXT + number)
        yield {"client": RESOLVER, "file": path, "resolve_held": True, "pick": 0, "text": text}
    yield from ({"client": other, "poll_all": RESOLVER} for other in others)


def can_settle(folder: cd.Folder[V]) -> bool:
    """Return whether all clients poll each other and link every version that they have."""
    return all(
        len(client.subscriptions) == len(folder.clients) - 1
        and all(file.linked for file in client.files.values() if file.version is not None)
        for client in folder.clients.values()
    )
