"""Checks of the laws on walks and caches: the design of snapshots against the whole history.

The checks keep the whole history of a file as bits: for each snapshot its ancestors, computed from
its parents and from nothing that a client does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import define, field

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.ledger import Ledger
from rejoin_conformance.systems.conflict_detection.ground_truth import FileTruth
from rejoin_conformance.systems.conflict_detection.laws import (
    CACHE_AS_DEMANDED,
    COSTS,
    PURGING_HARMLESS,
    WALK_ONCE,
)
from rejoin_conformance.systems.conflict_detection.laws_polls import evidence_of
from rejoin_conformance.systems.conflict_detection.run import (
    Polled,
    Run,
    Taken,
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

    def capabilities(self, bits: int) -> Iterator[bytes]:
        """Return the capabilities of the snapshots of some bits."""
        known = list(self.snapshots)
        return (known[number] for number in _numbers(bits))

    def classification(
        self, reading: cd.Reading, ours: bytes | None, theirs: bytes
    ) -> cd.Classification:
        """Return the classification by a client that has the whole history."""
        if ours is None:
            return cd.Classification.OVERWRITE
        our_number, their_number = self.truth.numbers[ours], self.truth.numbers[theirs]
        if our_number == their_number:
            return cd.Classification.SAME
        if self.ancestors[their_number] >> our_number & 1:
            return cd.Classification.OVERWRITE
        if reading.followed_version == "stale" and self.ancestors[our_number] >> their_number & 1:
            return cd.Classification.STALE
        return cd.Classification.CONFLICT


@define
class SnapshotChecks:
    """The checks of one run. histories: path -> the whole history of the file."""

    run: Run[bytes]
    histories: dict[str, WholeHistory] = field(factory=dict)

    def check(self, ledger: Ledger, taken: Taken[bytes]) -> None:
        """Check the classifications and the walks of a step, and the caches after it."""
        for uploaded in taken.uploaded:
            assert isinstance(uploaded.version, bytes)
            snapshot = cd.fetch_snapshot(self.run.folder.grid, uploaded.version)
            self._history(uploaded.path).add(uploaded.version, snapshot)
        if self.run.misses_objects:
            ledger.not_met(PURGING_HARMLESS)
            ledger.not_met(CACHE_AS_DEMANDED)
            return
        if taken.after is not None and "set_back" in taken.event:
            self._set_back(taken.after)
        if taken.polled:
            ledger.check(PURGING_HARMLESS, times=len(taken.polled))
            for polled in taken.polled:
                self._check_classification(ledger, polled)
            if taken.refused is None:
                self._check_walks(ledger, taken)
        if taken.after is not None and taken.changed:
            polled_paths = [polled.path for polled in taken.polled]
            uploaded_paths = [uploaded.path for uploaded in taken.uploaded]
            for path in dict.fromkeys(polled_paths + uploaded_paths):
                if path in taken.changed:
                    self._check_cache(ledger, taken.after.nickname, path, taken.after.files[path])

    def _set_back(self, client: cd.Client[bytes]) -> None:
        """Record the caches of a client that was set back."""
        name = client.nickname
        for path, history in self.histories.items():
            file = client.files.get(path)
            cached = 0 if file is None else history.bits(file.cache.snapshots)
            before = history.cached.get(name, 0)
            history.purged[name] = (history.purged.get(name, 0) | before) & ~cached
            history.cached[name] = cached

    def _history(self, path: str) -> WholeHistory:
        known = self.histories.get(path)
        if known is None:
            known = self.histories[path] = WholeHistory(self.run.truth(path))
        return known

    def _check_classification(self, ledger: Ledger, polled: Polled[bytes]) -> None:
        history = self._history(polled.path)
        reading = self.run.design.reading
        due = with_local_changes(
            history.classification(reading, polled.before.version, polled.theirs), polled.before
        )
        if polled.found is not due:
            detail = f"step {len(self.run.steps)}: {polled.found}; by the whole history it is {due}"
            kind = f"{due} taken for {polled.found}"
            ledger.broken(PURGING_HARMLESS, kind, detail, lambda: evidence_of(self.run))

    def _check_walks(self, ledger: Ledger, taken: Taken[bytes]) -> None:
        """Repeat the walks of a step, check them, and compare the number of downloads."""
        downloads = 0
        for polled in taken.polled:
            if polled.theirs in polled.before.cache.snapshots:
                ledger.not_met(WALK_ONCE)
                continue
            ledger.check(WALK_ONCE)
            fetched = self._fetched(polled)
            self._history(polled.path).fetch(taken.after, filter(self._exists, fetched))
            downloads += len(fetched)
            ledger.cover(f"shape:walk:{len(fetched)}")
            if not self._is_behind(polled, fetched):
                ledger.cover("clause:CD-WALK-COMPLETE")
            fault = self._fault(polled, fetched)
            if fault is not None:
                detail = f"step {len(self.run.steps)}, {polled.path}: {fault}"
                ledger.broken(WALK_ONCE, fault, detail, lambda: evidence_of(self.run))
            ours = polled.before.version
            parents = self._history(polled.path).snapshots[polled.theirs].parents
            if parents == (ours,) and len(fetched) > 1:
                detail = (
                    f"step {len(self.run.steps)}: {len(fetched)} downloads of snapshots for a"
                    " direct child"
                )
                ledger.broken(COSTS, "direct child", detail, lambda: evidence_of(self.run))
        if downloads != taken.operations.snapshot_downloads:
            counted = taken.operations.snapshot_downloads
            detail = (
                f"step {len(self.run.steps)}: the step reports {counted} downloads of snapshots,"
                f" the repeated walk has {downloads}"
            )
            ledger.broken(COSTS, "snapshot downloads", detail, lambda: evidence_of(self.run))

    def _fetched(self, polled: Polled[bytes]) -> list[bytes]:
        """Return the snapshots that the walk of a poll fetches, in order, with repeats."""
        snapshots = self._history(polled.path).snapshots
        fetched: list[bytes] = []

        def fetch(capability: bytes) -> cd.Snapshot | None:
            fetched.append(capability)
            return snapshots[capability] if self._exists(capability) else None

        before = polled.before
        cd.examine(self.run.design.reading, before.cache, fetch, before.version, polled.theirs)
        if before.version is None and (
            before.conflicts or polled.found is cd.Classification.CONFLICT
        ):
            pending = list(snapshots[polled.theirs].parents)
            while pending:
                capability = pending.pop()
                if capability not in before.cache.snapshots and capability not in fetched:
                    snapshot = fetch(capability)
                    pending += () if snapshot is None else snapshot.parents
        return fetched

    def _exists(self, capability: bytes) -> bool:
        """Return whether the grid still has a snapshot."""
        return cd.is_stored(self.run.folder.grid, capability)

    def _is_behind(self, polled: Polled[bytes], fetched: list[bytes]) -> bool:
        """Return whether every fetched snapshot is the polled version or an ancestor of it."""
        history = self._history(polled.path)
        return not history.bits(fetched) & ~history.with_ancestors((polled.theirs,))

    def _fault(self, polled: Polled[bytes], fetched: list[bytes]) -> str | None:
        before = polled.before
        cache = before.cache.snapshots
        if len(set(fetched)) != len(fetched):
            return "fetched twice"
        if any(each in cache for each in fetched):
            return "fetched what is cached"
        history = self._history(polled.path)
        if history.bits(fetched) & ~history.with_ancestors((polled.theirs, *cache)):
            return "fetched what is not needed"
        return None

    def _check_cache(
        self, ledger: Ledger, client: str, path: str, file: cd.LocalFile[bytes]
    ) -> None:
        """Compare a client's cache of a file with the snapshots that the policy demands."""
        if file.begun is not None:
            return
        history = self._history(path)
        purged, cached = history.purged.get(client, 0), history.bits(file.cache.snapshots)
        history.purged[client] = (purged | history.cached.get(client, 0)) & ~cached
        history.cached[client] = cached
        held = (each.version for each in (*file.conflicts, *(file.waiting or ())))
        currents = {*file.seen.values(), *held}
        if file.version is None:
            common, demanded = 0, history.with_ancestors(currents)
        else:
            currents.add(file.version)
            common, demanded = _demanded(history, currents)
        due = demanded & ~cached
        collected = due and not all(self._exists(each) for each in history.capabilities(due))
        if common & purged or collected:
            ledger.not_met(CACHE_AS_DEMANDED)
            return
        ledger.check(CACHE_AS_DEMANDED)
        ledger.cover(
            f"shape:cached:{cached.bit_count()}",
            f"shape:common:{common.bit_count()}",
            f"clause:{_policy(common, currents)}",
        )
        if cached != demanded:
            kind = "too little" if demanded & ~cached else "too much"
            detail = (
                f"step {len(self.run.steps)}: {client} caches {_names(history, cached)} of {path}, "
                f"expected {_names(history, demanded)}"
            )
            ledger.broken(CACHE_AS_DEMANDED, kind, detail, lambda: evidence_of(self.run))


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
    for number in _numbers(shared):
        superseded |= history.ancestors[number]
    common = shared & ~superseded
    if not common:
        return 0, every
    demanded = 0
    for number in _numbers(every):
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


def _numbers(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _names(history: WholeHistory, bits: int) -> str:
    return ", ".join(history.truth.names[number] for number in _numbers(bits)) or "nothing"
