"""Leases: what every client keeps alive, and what the grid forgets.

Time is a number that the caller counts up; nothing here looks at a clock.

Source: "Deletion propagation and eventual Garbage Collection"
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeAlias, TypeVar

from attrs import evolve

from rejoin.conflict_detection.clients import Folder, client_named
from rejoin.conflict_detection.grid import read_capability
from rejoin.conflict_detection.objects import find, only
from rejoin.conflict_detection.snapshots import Snapshot

V = TypeVar("V")
K = TypeVar("K", bound=Hashable)

LinksOf: TypeAlias = Callable[[K], Iterable[K]]

Leases: TypeAlias = Mapping[bytes, int]
"""Capability -> the time from which on the object is no longer kept."""


def linked(links_of: LinksOf[K], roots: Iterable[K]) -> frozenset[K]:
    """All that is linked, recursively, by the roots, which are among it.

    links_of: what an object links; nothing for one that links nothing.

    Clauses: CD-LEASE-RECURSIVE
    Source: "Deletion propagation and eventual Garbage Collection", leases
    """
    found: set[K] = set()
    pending = list(roots)
    while pending:
        each = pending.pop()
        if each not in found:
            found.add(each)
            pending.extend(links_of(each))
    return frozenset(found)


def renewed(
    leases: Mapping[K, int], links_of: LinksOf[K], roots: Iterable[K], until: int
) -> dict[K, int]:
    """The leases after a client renewed those on all that its directory links.

    leases: object -> the time from which on no lease covers it. roots: what the directory links.
    until: the time at which the client's leases end; one that lasts longer stays as it is.

    Clauses: CD-LEASE-RECURSIVE
    Source: "Deletion propagation and eventual Garbage Collection", leases
    """
    return {
        **leases,
        **{each: max(until, leases.get(each, until)) for each in linked(links_of, roots)},
    }


def kept(leases: Mapping[K, int], now: int) -> frozenset[K]:
    """The objects that the storage servers keep: those with a lease that ends after `now`.

    Clauses: CD-GARBAGE-LEASED, CD-GARBAGE-UNLINKED
    Source: "Deletion propagation and eventual Garbage Collection"
    """
    return frozenset(each for each, until in leases.items() if until > now)


def renew_leases(folder: Folder[V], leases: Leases, nickname: str, until: int) -> dict[bytes, int]:
    """`renewed` for a client of a folder: snapshots with their contents and ancestors, contents,
    and the list of subscriptions.

    Errors: "unknown-client".

    Clauses: CD-LEASE-RECURSIVE
    Source: "Deletion propagation and eventual Garbage Collection", leases
    """
    readable = read_capability(client_named(folder, nickname).write_capability)
    directory = folder.grid.directories[readable]
    roots = [each.capability for each in directory.entries.values() if each.capability is not None]

    def links_of(capability: bytes) -> tuple[bytes, ...]:
        found = find(folder.grid.objects, capability)
        if not isinstance(found, Snapshot):
            return ()
        return found.parents if found.content is None else (*found.parents, found.content)

    return renewed(leases, links_of, [directory.subscriptions, *roots], until)


def collect_garbage(folder: Folder[V], leases: Leases, now: int) -> Folder[V]:
    """The folder after the storage servers dropped every object that no lease covers any longer.

    Clauses: CD-GARBAGE-LEASED, CD-GARBAGE-UNLINKED
    Source: "Deletion propagation and eventual Garbage Collection"
    """
    objects = only(folder.grid.objects, kept(leases, now))
    return evolve(folder, grid=evolve(folder.grid, objects=objects))
