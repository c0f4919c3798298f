"""The local cache of snapshots, and what may be purged from it.

The cache holds what lies between the most recent common ancestors of all clients' snapshots and
those snapshots, both ends included. So it is closed: what lies between two cached snapshots is
cached. From this follows what a walk may conclude all of whose branches met the cache: the version
that it began at is no ancestor of ours, or it would have been there already. Where a branch came to
its end instead, the client fetches the rest of the history, and knows all of it for this once.

Snapshots are any hashable values in the pure functions, capabilities in `Cache`.

Source: "conflict detection and local caching", "local cache purging policy"
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from typing import Final, TypeVar

from attrs import field, frozen

from rejoin.conflict_detection.definitions import Classification
from rejoin.conflict_detection.overwrite_and_conflict import (
    ParentsOf,
    classify_by_graph,
    fetch_for_poll,
)
from rejoin.conflict_detection.reading import Reading
from rejoin.conflict_detection.snapshots import Snapshot

K = TypeVar("K", bound=Hashable)


@frozen
class Cache:
    """The snapshots of one file that one client has at hand, without their contents.

    floor: the most recent common ancestors of all clients' snapshots at the last purge; empty where
        there were none. Nothing is decided by it: it says how far down the cache reaches.
    """

    snapshots: Mapping[bytes, Snapshot] = field(factory=dict)
    floor: frozenset[bytes] = frozenset()


EMPTY_CACHE: Final = Cache()


@frozen
class Examined:
    """What a look at another client's snapshot found.

    cache: with everything that was fetched, not purged yet. downloads: how many snapshots were
        asked for, those that no longer exist included.
    """

    classification: Classification
    cache: Cache
    downloads: int


def known_parents(cache: Cache) -> ParentsOf[bytes]:
    """The parents of a cached snapshot that are cached too; nothing for any other snapshot."""
    snapshots = cache.snapshots

    def parents_of(snapshot: bytes) -> list[bytes]:
        known = snapshots.get(snapshot)
        return [] if known is None else [each for each in known.parents if each in snapshots]

    return parents_of


def examine(
    reading: Reading,
    cache: Cache,
    fetch: Callable[[bytes], Snapshot | None],
    local: bytes | None,
    remote: bytes,
) -> Examined:
    """Classify another client's snapshot, fetching only what is needed.

    fetch: downloads a snapshot; called only for what is not cached, and once for each. None for one
        that no longer exists: so do none of its ancestors, and the branch ends there.

    Clauses: CD-WALK-KNOWN, CD-WALK-COLLECTED, CD-PURGE-HARMLESS
    Source: "Overview"; "conflict detection and local caching"
    """
    fetched: dict[bytes, Snapshot] = {}
    collected: set[bytes] = set()

    def parents_of(capability: bytes) -> tuple[bytes, ...]:
        snapshot = cache.snapshots.get(capability)
        if snapshot is not None:
            return snapshot.parents
        snapshot = fetch(capability)
        if snapshot is None:
            collected.add(capability)
            return ()
        fetched[capability] = snapshot
        return snapshot.parents

    fetch_for_poll(cache.snapshots, parents_of, local, remote)
    known = Cache({**cache.snapshots, **fetched}, cache.floor) if fetched else cache
    if local is None:
        known = Cache(known.snapshots, frozenset({remote}))
    classification = classify_by_graph(reading, known_parents(known), local, remote)
    return Examined(classification, known, len(fetched) + len(collected))


def remember(cache: Cache, capability: bytes, snapshot: Snapshot) -> Cache:
    """The cache with a snapshot that this client just made.

    Clauses: CD-PURGE-CURRENT
    Source: "local cache purging policy"
    """
    return Cache({**cache.snapshots, capability: snapshot}, cache.floor)


def most_recent_common_ancestors(parents_of: ParentsOf[K], currents: Iterable[K]) -> frozenset[K]:
    """The common ancestors of all clients' snapshots that no other common ancestor follows.

    currents: at least one snapshot. A snapshot counts as an ancestor of itself here. Where
    histories crossed there can be several, and where they never met there is none.

    Clauses: CD-PURGE-COMMON-ANCESTOR, CD-PURGE-SYNCHRONIZED
    Source: "local cache purging policy"
    """
    ancestries = [_with_ancestors(parents_of, [current]) for current in dict.fromkeys(currents)]
    common = ancestries[0].intersection(*ancestries)
    superseded = {parent for snapshot in common for parent in parents_of(snapshot)}
    return frozenset(common - superseded)


def snapshots_to_keep(
    parents_of: ParentsOf[K], currents: Collection[K], common: Collection[K]
) -> frozenset[K]:
    """What the policy demands: all that lies between `common` and the currents, ends included.

    common: the most recent common ancestors; where there are none, all ancestors are kept.

    Clauses: CD-PURGE-CURRENT, CD-PURGE-INTERMEDIATE, CD-PURGE-NO-COMMON
    Source: "local cache purging policy"
    """
    ancestry = _with_ancestors(parents_of, currents)
    return frozenset(_descendants(parents_of, ancestry, common) if common else ancestry)


def purge(cache: Cache, currents: Collection[bytes]) -> Cache:
    """The cache without what the policy does not demand.

    currents: every client's snapshot, ours included, as it was last seen. Where all have one
    snapshot, it is its own most recent common ancestor, and all that is kept.

    Clauses: CD-PURGE-CURRENT, CD-PURGE-SYNCHRONIZED, CD-PURGE-COMMON-ANCESTOR,
        CD-PURGE-INTERMEDIATE, CD-PURGE-NO-COMMON
    Source: "local cache purging policy"
    """
    if len(set(currents)) == 1:
        common = kept = frozenset(currents)
    else:
        parents_of = known_parents(cache)
        common = most_recent_common_ancestors(parents_of, currents)
        kept = snapshots_to_keep(parents_of, currents, common)
    if common == cache.floor and cache.snapshots.keys() <= kept:
        return cache
    snapshots = {each: cache.snapshots[each] for each in cache.snapshots if each in kept}
    return Cache(snapshots, common)


def _with_ancestors(parents_of: ParentsOf[K], snapshots: Iterable[K]) -> set[K]:
    """The snapshots and all their ancestors."""
    found: set[K] = set()
    pending = list(snapshots)
    while pending:
        snapshot = pending.pop()
        if snapshot not in found:
            found.add(snapshot)
            pending.extend(parents_of(snapshot))
    return found


def _descendants(parents_of: ParentsOf[K], among: Iterable[K], snapshots: Iterable[K]) -> set[K]:
    """The snapshots and all their descendants, as far as they are `among` the given ones."""
    children: dict[K, list[K]] = {}
    for snapshot in among:
        for parent in parents_of(snapshot):
            children.setdefault(parent, []).append(snapshot)
    return _with_ancestors(lambda snapshot: children.get(snapshot, ()), snapshots)
