"""Overwrite or conflict: look for our snapshot among the ancestors of theirs.

`walk` starts at another client's snapshot and fetches snapshot after snapshot, each once, until
every branch has come to something known or to its root. `classify_by_graph` decides from what is
known then; where the whole graph is at hand it needs no walk.

A snapshot is any hashable value here, and `parents_of` says what its parents are: a mapping's
`__getitem__`, or a look-up in a cache or on the grid.

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
    """Whether `ancestor` is an ancestor of `snapshot`; no snapshot is its own ancestor.

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
    """What the snapshot `remote` is to a client whose current snapshot is `local`.

    local: None where the client has no snapshot. parents_of: for the whole graph, or for the part
    that a client knows, nothing for any other snapshot; such a part is enough where it holds all
    that lies between the two, as it does after a walk.
    Time is linear in the number of ancestors of the two.

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
    """What a walk back through the graph came across.

    downloaded: the snapshots that had to be fetched, in the order of the walk, each once.
    met_root: whether a branch came to its end, a snapshot without parents, before it met a known
        one.
    """

    downloaded: tuple[K, ...]
    met_root: bool


def walk(known: Container[K], parents_of: ParentsOf[K], start: Iterable[K]) -> Walk[K]:
    """Walk back from `start`, each branch until it comes to a known snapshot or to its root.

    known: the snapshots whose ancestry need not be walked. parents_of: fetches a snapshot and says
    what its parents are; called once for each snapshot that is not known.

    No branch is left out once our own snapshot is found: the policy of the cache demands the
    snapshots in between anyway, and so what is fetched does not depend on the order of the walk.

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
    """Fetch what a client needs to classify another client's snapshot, and nothing else.

    cached: the snapshots at hand. parents_of: of a cached snapshot, or of one that is fetched for
    that. local: None where the client has no snapshot of its own, and needs only the other one.
    Where a branch of the walk ends without meeting the cache, whether ours follows theirs, and what
    the common ancestors are, shows only in the rest of our own history, which is then fetched.

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
