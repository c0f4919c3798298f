"""Leases: what every client keeps alive, and what the grid forgets.

Time is a number that the caller counts up; nothing here looks at a clock.

Source: "Deletion propagation and eventual Garbage Collection"
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias, TypeVar

from attrs import evolve

from rejoin.conflict_detection.clients import Folder, client_named
from rejoin.conflict_detection.grid import Grid, read_capability
from rejoin.conflict_detection.objects import find, only
from rejoin.conflict_detection.snapshots import Snapshot

V = TypeVar("V")

Leases: TypeAlias = Mapping[bytes, int]
"""Capability -> the time from which on the object is no longer kept."""


def linked_capabilities(grid: Grid, roots: Iterable[bytes]) -> frozenset[bytes]:
    """All that is linked, recursively: snapshots with their contents and ancestors, and contents.

    Clauses: CD-LEASE-RECURSIVE
    Source: "Deletion propagation and eventual Garbage Collection", leases
    """
    linked: set[bytes] = set()
    pending = list(roots)
    while pending:
        capability = pending.pop()
        found = find(grid.objects, capability)
        if capability in linked or found is None:
            continue
        linked.add(capability)
        if isinstance(found, Snapshot):
            pending.extend(found.parents)
            if found.content is not None:
                pending.append(found.content)
    return frozenset(linked)


def renew_leases(folder: Folder[V], leases: Leases, nickname: str, until: int) -> dict[bytes, int]:
    """The leases after one client renewed its own, for all that its directory links.

    until: the time at which they end; a lease that lasts longer stays as it is.
    Errors: "unknown-client".

    Clauses: CD-LEASE-RECURSIVE
    Source: "Deletion propagation and eventual Garbage Collection", leases
    """
    readable = read_capability(client_named(folder, nickname).write_capability)
    directory = folder.grid.directories[readable]
    roots = [directory.subscriptions]
    roots += [each.capability for each in directory.entries.values() if each.capability is not None]
    linked = linked_capabilities(folder.grid, roots)
    return {**leases, **{each: max(until, leases.get(each, until)) for each in linked}}


def collect_garbage(folder: Folder[V], leases: Leases, now: int) -> Folder[V]:
    """The folder after the storage servers dropped every object without a lease beyond `now`.

    Clauses: CD-GARBAGE-UNLINKED, CD-GARBAGE-LEASED
    Source: "Deletion propagation and eventual Garbage Collection"
    """
    kept = [capability for capability, until in leases.items() if until > now]
    objects = only(folder.grid.objects, kept)
    return evolve(folder, grid=evolve(folder.grid, objects=objects))
