"""Checks of the laws on walks and caches: the design of snapshots against the whole history.

The checks keep the whole history of a file as bits: for each snapshot its ancestors, computed from
its parents and from nothing that a client does.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, field

from rejoin import conflict_detection as cd
from rejoin_conformance.systems.conflict_detection.ground_truth import (
    FileTruth,
    classify_by_closure,
    numbers_in,
)
from rejoin_conformance.systems.conflict_detection.judge import Judge
from rejoin_conformance.systems.conflict_detection.run import (
    Polled,
    Taken,
    requested,
    with_local_changes,
)


@define
class WholeHistory:
    """All snapshots of one file, with the numbers of the ground truth.

    snapshots: capability -> snapshot. ancestors: number -> the bits of the snapshot's ancestors.
    cached: client -> the bits of the snapshots in its cache.
    purged: client -> the bits of the snapshots that it had before and no longer has.
    """

    truth: FileTruth
    snapshots: dict[bytes, cd.Snapshot] = field(factory=dict)
    ancestors: list[int] = field(factory=list)
    cached: dict[str, int] = field(factory=dict)
    purged: dict[str, int] = field(factory=dict)

    def add(self, capability: bytes, snapshot: cd.Snapshot) -> None:
        """Add a snapshot, if it is new."""
        if capability not in self.snapshots:
            self.snapshots[capability] = snapshot
            self.ancestors.append(self.with_ancestors(snapshot.parents))

    def fetch(self, client: cd.Client[bytes] | None, fetched: Iterable[bytes]) -> None:
        """Add fetched snapshots to a client's cache. The next check can remove them."""
        if client is not None:
            name = client.nickname
            self.cached[name] = self.cached.get(name, 0) | self.bits(fetched)

    def purge(self, client: str, cache: cd.Cache) -> tuple[int, int]:
        """Record a client's cache; return the bits of what is in it, and of what it had before.

        The latter are the snapshots that the client purged before now.
        """
        cached, purged = self.bits(cache.snapshots), self.purged.get(client, 0)
        self.purged[client] = (purged | self.cached.get(client, 0)) & ~cached
        self.cached[client] = cached
        return cached, purged

    def with_ancestors(self, snapshots: Iterable[bytes]) -> int:
        """Return the bits of some snapshots and of all their ancestors."""
        bits = 0
        for each in snapshots:
            number = self.truth.numbers[each]
            bits |= self.ancestors[number] | 1 << number
        return bits

    def bits(self, snapshots: Iterable[bytes]) -> int:
        """Return the bits of some snapshots."""
        bits = 0
        for each in snapshots:
            bits |= 1 << self.truth.numbers[each]
        return bits

    def classification(
        self, reading: cd.Reading, ours: bytes | None, theirs: bytes
    ) -> cd.Classification:
        """Return the classification by a client that has the whole history."""
        number = None if ours is None else self.truth.numbers[ours]
        found = classify_by_closure(self.ancestors, number, self.truth.numbers[theirs])
        if found is cd.Classification.STALE and reading.followed_version == "conflict":
            return cd.Classification.CONFLICT
        return found


@define
class SnapshotChecks:
    """The checks of one run. histories: path -> the whole history of the file."""

    judge: Judge[bytes]
    histories: dict[str, WholeHistory] = field(factory=dict)

    def check(self, taken: Taken[bytes]) -> None:
        """Check the classifications and the walks of a step, and the caches after it."""
        run, judge = self.judge.run, self.judge
        for uploaded in taken.uploaded:
            assert isinstance(uploaded.version, bytes)
            snapshot = cd.fetch_snapshot(run.folder.grid, uploaded.version)
            self._history(uploaded.path).add(uploaded.version, snapshot)
        if taken.after is not None and "set_back" in taken.event:
            self._set_back(taken.after)
        sure = not run.met_collected
        judge.check("purging-harmless", premise=sure, times=len(taken.polled))
        for polled in taken.polled if sure else ():
            self._check_classification(polled)
        if taken.polled:
            self._check_walks(taken)
        if taken.after is not None:
            for path in taken.paths:
                if path in taken.changed:
                    self._check_cache(taken.after.nickname, path, taken.after.files[path])

    def _set_back(self, client: cd.Client[bytes]) -> None:
        """Record the caches of a client that was set back."""
        for path, history in self.histories.items():
            history.purge(client.nickname, cd.file_of(client, path).cache)

    def _history(self, path: str) -> WholeHistory:
        known = self.histories.get(path)
        if known is None:
            known = self.histories[path] = WholeHistory(self.judge.run.truth(path))
        return known

    def _check_classification(self, polled: Polled[bytes]) -> None:
        history, before = self._history(polled.path), polled.before
        found = history.classification(self.judge.run.design.reading, before.version, polled.theirs)
        due = with_local_changes(found, before)
        if polled.found is not due:
            detail = f"{self.judge.step}: {polled.found}; by the whole history it is {due}"
            self.judge.broken("purging-harmless", detail, f"{due} taken for {polled.found}")

    def _check_walks(self, taken: Taken[bytes]) -> None:
        """Repeat the walks of a step, check them, and compare the number of downloads."""
        judge, downloads = self.judge, 0
        for polled in taken.polled:
            cached = polled.theirs in polled.before.cache.snapshots
            walks, history = not cached or judge.run.met_collected, self._history(polled.path)
            fetched = requested(judge.run, polled) if walks else []
            downloads += len(fetched)
            if not judge.check("walk-once", premise=not cached):
                continue
            history.fetch(taken.after, filter(self._exists, fetched))
            judge.ledger.cover(f"shape:walk:{len(fetched)}")
            if history.bits(fetched) & ~history.with_ancestors((polled.theirs,)):
                judge.ledger.decide("CD-WALK-COMPLETE")
            fault = _fault(history, polled, fetched)
            if fault is not None:
                judge.broken("walk-once", f"{judge.step}, {polled.path}: {fault}", fault)
            parents = history.snapshots[polled.theirs].parents
            if parents == (polled.before.version,) and len(fetched) > 1:
                detail = f"{len(fetched)} downloads of snapshots for a direct child"
                judge.broken("costs", f"{judge.step}: {detail}", "direct child")
        counted = taken.operations.snapshot_downloads
        if downloads != counted:
            detail = (
                f"{judge.step}: the step reports {counted} downloads of snapshots,"
                f" the repeated walk has {downloads}"
            )
            judge.broken("costs", detail, "snapshot downloads")

    def _exists(self, capability: bytes) -> bool:
        """Return whether the grid still has a snapshot."""
        return cd.is_stored(self.judge.run.folder.grid, capability)

    def _check_cache(self, client: str, path: str, file: cd.LocalFile[bytes]) -> None:
        """Compare a client's cache of a file with the snapshots that the policy demands."""
        if file.begun is not None:
            return
        judge, history = self.judge, self._history(path)
        cached, purged = history.purge(client, file.cache)
        held = (each.version for each in (*file.conflicts, *(file.waiting or ())))
        currents = {*file.seen.values(), *held}
        if file.version is None:
            common, demanded = 0, history.with_ancestors(currents)
        else:
            currents.add(file.version)
            common, demanded = _demanded(history, currents)
        sure = not (common & purged or judge.run.met_collected)
        if not judge.check("cache-as-demanded", premise=sure):
            return
        judge.ledger.cover(
            f"shape:cached:{cached.bit_count()}",
            f"shape:common:{common.bit_count()}",
            f"clause:{_policy(common, currents)}",
        )
        if cached != demanded:
            detail = (
                f"{judge.step}: {client} caches {_names(history, cached)} of {path}, "
                f"expected {_names(history, demanded)}"
            )
            judge.broken(
                "cache-as-demanded", detail, "too little" if demanded & ~cached else "too much"
            )


def _fault(history: WholeHistory, polled: Polled[bytes], fetched: list[bytes]) -> str | None:
    cache = polled.before.cache.snapshots
    if len(set(fetched)) != len(fetched):
        return "fetched twice"
    if any(each in cache for each in fetched):
        return "fetched what is cached"
    if history.bits(fetched) & ~history.with_ancestors((polled.theirs, *cache)):
        return "fetched what is not needed"
    return None


def _demanded(history: WholeHistory, currents: set[bytes]) -> tuple[int, int]:
    """Return the most recent common ancestors, and the snapshots that the policy keeps, as bits."""
    if len(currents) == 1:
        current = history.bits(currents)
        return current, current
    ancestries = [history.with_ancestors((each,)) for each in currents]
    shared, every = ancestries[0], 0
    for each in ancestries:
        shared &= each
        every |= each
    superseded = 0
    for number in numbers_in(shared):
        superseded |= history.ancestors[number]
    common = shared & ~superseded
    if not common:
        return 0, every
    demanded = 0
    for number in numbers_in(every):
        with_ancestors = history.ancestors[number] | 1 << number
        if with_ancestors & common:
            demanded |= 1 << number
    return common, demanded


def _policy(common: int, currents: set[bytes]) -> str:
    """Return the clause that determines the snapshots to keep."""
    if not common:
        return "CD-PURGE-NO-COMMON"
    if len(currents) == 1:
        return "CD-PURGE-SYNCHRONIZED"
    return "CD-PURGE-INTERMEDIATE"


def _names(history: WholeHistory, bits: int) -> str:
    return ", ".join(history.truth.names[number] for number in numbers_in(bits)) or "nothing"
