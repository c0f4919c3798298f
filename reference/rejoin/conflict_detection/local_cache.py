"""The local cache of snapshots, and the policy by which a client purges it.

The cache contains the snapshots between the most recent common ancestors of all clients' snapshots
and those snapshots, both ends included. A snapshot that the client holds as a conflict counts like
a client's snapshot. The cache is therefore closed: every snapshot between two cached snapshots is
cached, also after an upload, whose parents are all cached. So if all branches of a walk reach the
cache, the version at which the walk started is not an ancestor of ours: otherwise, it would be
cached. If a branch ends without reaching the cache, the client fetches the rest of the history and
knows all of it for this one time. And after a walk, the known snapshots show for each held conflict
whether our new version follows it.

In the pure functions, a snapshot is any hashable value. In `Cache`, it is a capability.

Source: "conflict detection and local caching", "local cache purging policy"
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from functools import reduce
from operator import and_
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
    """The cached snapshots of one file at one client, without their contents.

    snapshots: capability -> snapshot.
    floor: the most recent common ancestors of all clients' snapshots at the last purge; empty if
        there were none. No decision depends on it: it shows how far back the cache reaches.
    """

    snapshots: Mapping[bytes, Snapshot] = field(factory=dict)
    floor: frozenset[bytes] = frozenset()


EMPTY_CACHE: Final = Cache()


@frozen
class Examined:
    """The result of a look at another client's snapshot.

    cache: with all fetched snapshots, not purged yet. downloads: the number of requested snapshots,
    including those that no longer exist.
    """

    classification: Classification
    cache: Cache
    downloads: int


def known_parents(cache: Cache) -> ParentsOf[bytes]:
    """Return a function from a snapshot to its cached parents, none for an uncached one."""
    snapshots = cache.snapshots
    is_cached = snapshots.__contains__

    def parents_of(snapshot: bytes) -> Iterable[bytes]:
        known = snapshots.get(snapshot)
        return () if known is None else filter(is_cached, known.parents)

    return parents_of


def examine(
    reading: Reading,
    cache: Cache,
    fetch: Callable[[bytes], Snapshot | None],
    local: bytes | None,
    remote: bytes,
) -> Examined:
    """Classify another client's snapshot, and fetch only the snapshots that this needs.

    fetch: downloads a snapshot; called once for each snapshot that is needed and not cached. It
        returns None for a snapshot that no longer exists. Its ancestors do not exist either, so the
        branch ends there.

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
    """Return the cache with a snapshot that this client has just made.

    Clauses: CD-PURGE-CURRENT
    Source: "local cache purging policy"
    """
    return Cache({**cache.snapshots, capability: snapshot}, cache.floor)


def most_recent_common_ancestors(parents_of: ParentsOf[K], currents: Iterable[K]) -> frozenset[K]:
    """Return the common ancestors of the given snapshots that no other common ancestor follows.

    A snapshot counts as an ancestor of itself here. There can be several if histories crossed, and
    there is none if they never met.
    currents: all clients' snapshots, at least one.

    Clauses: CD-PURGE-COMMON-ANCESTOR, CD-PURGE-SYNCHRONIZED
    Source: "local cache purging policy"
    """
    ancestries = (_with_ancestors(parents_of, [current]) for current in dict.fromkeys(currents))
    common = reduce(and_, ancestries)  # one set after the other, because they can be large
    superseded = {parent for snapshot in common for parent in parents_of(snapshot)}
    return frozenset(common - superseded)


def snapshots_to_keep(
    parents_of: ParentsOf[K], currents: Collection[K], common: Collection[K]
) -> frozenset[K]:
    """Return the snapshots between `common` and `currents`, both ends included.

    common: the most recent common ancestors; if there are none, all ancestors are kept.

    Clauses: CD-PURGE-CURRENT, CD-PURGE-INTERMEDIATE, CD-PURGE-NO-COMMON
    Source: "local cache purging policy"
    """
    ancestry = _with_ancestors(parents_of, currents)
    return frozenset(_descendants(parents_of, ancestry, common) if common else ancestry)


def purge(cache: Cache, own: bytes | None, others: Collection[bytes]) -> Cache:
    """Return the cache without the snapshots that the policy does not require.

    If all snapshots are the same, it is its own most recent common ancestor, and only this snapshot
    is kept.
    own: our snapshot, or None if we have none: we then have no common ancestor with anybody.
    others: the other clients' snapshots as last seen, and the snapshots that we hold as conflicts.

    Clauses: CD-PURGE-CURRENT, CD-PURGE-SYNCHRONIZED, CD-PURGE-COMMON-ANCESTOR,
        CD-PURGE-INTERMEDIATE, CD-PURGE-NO-COMMON, CD-PURGE-NO-VERSION
    Source: "local cache purging policy"
    """
    parents_of = known_parents(cache)
    if own is None:
        common: frozenset[bytes] = frozenset()
        kept = snapshots_to_keep(parents_of, others, common)
    elif {own, *others} == {own}:
        common = kept = frozenset({own})
    else:
        common = most_recent_common_ancestors(parents_of, (own, *others))
        kept = snapshots_to_keep(parents_of, (own, *others), common)
    if common == cache.floor and cache.snapshots.keys() <= kept:
        return cache
    snapshots = {each: cache.snapshots[each] for each in cache.snapshots if each in kept}
    return Cache(snapshots, common)


def _with_ancestors(parents_of: ParentsOf[K], snapshots: Iterable[K]) -> set[K]:
    """Return the snapshots and all their ancestors."""
    found: set[K] = set()
    pending = list(snapshots)
    while pending:
        snapshot = pending.pop()
        if snapshot not in found:
            found.add(snapshot)
            pending.extend(parents_of(snapshot))
    return found


def _descendants(parents_of: ParentsOf[K], among: Iterable[K], snapshots: Iterable[K]) -> set[K]:
    """Return the snapshots and those of their descendants that are in `among`."""
    children: dict[K, list[K]] = {}
    for snapshot in among:
        for parent in parents_of(snapshot):
            children.setdefault(parent, []).append(snapshot)
    return _with_ancestors(lambda snapshot: children.get(snapshot, ()), snapshots)
