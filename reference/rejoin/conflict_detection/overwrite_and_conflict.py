"""Overwrite and conflict: search for our snapshot among the ancestors of another client's snapshot.

`walk` starts at another client's snapshot. It fetches each snapshot once, and follows every branch
until it reaches a known snapshot or a snapshot without parents. `classify_by_graph` then decides
from the known snapshots. If the whole graph is known, it needs no walk.

In this module, a snapshot is any hashable value. `parents_of` returns the parents of a snapshot:
it is the `__getitem__` of a mapping, or a look-up in a cache or on the grid.

Source: "Overview", "Conflict Resolution"
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Hashable, Iterable
from typing import Generic, TypeAlias, TypeVar

from attrs import frozen

from rejoin.conflict_detection.definitions import Classification
from rejoin.conflict_detection.reading import Reading

K = TypeVar("K", bound=Hashable)

ParentsOf: TypeAlias = Callable[[K], Iterable[K]]


def is_descendant(parents_of: ParentsOf[K], snapshot: K, ancestor: K) -> bool:
    """Return whether `ancestor` is an ancestor of `snapshot`; no snapshot is its own ancestor.

    Visits each ancestor at most once, however many paths lead to it.

    Clauses: CD-WALK-ONCE
    Source: "Overview"
    """
    seen: set[K] = set()
    pending = list(parents_of(snapshot))
    while pending:
        found = pending.pop()
        if found == ancestor:
            return True
        if found not in seen:
            seen.add(found)
            pending.extend(parents_of(found))
    return False


def classify_by_graph(
    reading: Reading, parents_of: ParentsOf[K], local: K | None, remote: K
) -> Classification:
    """Return the classification of the snapshot `remote`.

    The time is linear in the number of ancestors of the two snapshots.
    local: the client's current snapshot, or None if it has none.
    parents_of: returns the parents in the whole graph, or in the part that the client knows, and
        nothing for any other snapshot. A part is enough if it contains all snapshots between the
        two, as it does after a walk.

    Clauses: CD-CLASSIFY-OVERWRITE, CD-CLASSIFY-CONFLICT, CD-CLASSIFY-STALE, CD-CLASSIFY-SAME,
        CD-CLASSIFY-FIRST
    Source: "Glossary", conflict and overwrite; "Conflict Resolution", detection of conflicts
    """
    if local is None:
        return Classification.OVERWRITE
    if local == remote:
        return Classification.SAME
    if is_descendant(parents_of, remote, local):
        return Classification.OVERWRITE
    if reading.followed_version == "stale" and is_descendant(parents_of, local, remote):
        return Classification.STALE
    return Classification.CONFLICT


@frozen
class Walk(Generic[K]):
    """The result of a walk back through the graph.

    downloaded: the fetched snapshots, in the order of the walk, each once.
    met_root: whether a branch ended at a fetched snapshot without parents.
    """

    downloaded: tuple[K, ...]
    met_root: bool


def walk(known: Container[K], parents_of: ParentsOf[K], start: Iterable[K]) -> Walk[K]:
    """Walk back from the snapshots `start`, and return the fetched snapshots.

    Each branch ends at a known snapshot or at a snapshot without parents. The walk follows all
    branches, even after it has found our own snapshot. The policy of the cache requires the
    snapshots in between anyway, and the fetched snapshots then do not depend on the order.
    known: the snapshots whose ancestors need not be walked. parents_of: fetches a snapshot and
    returns its parents; called once for each snapshot that is not known.

    Clauses: CD-WALK-ONCE, CD-WALK-STOP, CD-WALK-KNOWN
    Source: "Overview", walking backwards through the DAG
    """
    downloaded: dict[K, None] = {}
    met_root = False
    pending = list(start)
    while pending:
        snapshot = pending.pop()
        if snapshot not in known and snapshot not in downloaded:
            downloaded[snapshot] = None
            parents = list(parents_of(snapshot))
            met_root |= not parents
            pending.extend(parents)
    return Walk(tuple(downloaded), met_root)


def fetch_for_poll(
    cached: Collection[K], parents_of: ParentsOf[K], local: K | None, remote: K
) -> Walk[K]:
    """Fetch the snapshots that a client needs to classify another client's snapshot, and no others.

    If a branch of the walk ends without reaching the cache, the client also fetches the rest of its
    own history. Only this rest shows whether our snapshot follows theirs, and which snapshots are
    common ancestors.
    cached: the cached snapshots. parents_of: returns the parents of a cached snapshot, and fetches
    any other snapshot. local: the client's current snapshot, or None. A client without a snapshot
    fetches only `remote` here; its ancestors, if CD-WALK-HELD requires them, are not fetched here.

    Clauses: CD-WALK-STOP, CD-WALK-KNOWN, CD-WALK-FIRST, CD-WALK-COMPLETE, CD-COST-NOTHING
    Source: "Overview"; "conflict detection and local caching"
    """
    if local is None:
        if remote in cached:
            return Walk((), met_root=False)
        parents_of(remote)
        return Walk((remote,), met_root=False)
    found = walk(cached, parents_of, [remote])
    if not found.met_root:
        return found
    known = {*cached, *found.downloaded}
    missing = [parent for each in cached for parent in parents_of(each) if parent not in known]
    rest = walk(known, parents_of, missing)
    return Walk((*found.downloaded, *rest.downloaded), met_root=True)
