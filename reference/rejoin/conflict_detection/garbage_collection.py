"""Leases and garbage: the objects that clients keep alive, and the objects that the grid drops.

A time is a number that the caller increases; this module reads no clock.

Source: "Deletion propagation and eventual Garbage Collection"
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeAlias, TypeVar

from attrs import evolve

from rejoin.conflict_detection.alternatives import recent
from rejoin.conflict_detection.clients import Folder, client_named
from rejoin.conflict_detection.grid import read_capability
from rejoin.conflict_detection.objects import find, only
from rejoin.conflict_detection.snapshots import Snapshot

V = TypeVar("V")
K = TypeVar("K", bound=Hashable)

LinksOf: TypeAlias = Callable[[K], Iterable[K]]

Leases: TypeAlias = Mapping[bytes, int]
"""Capability -> the time from which the object is no longer kept."""


def linked(links_of: LinksOf[K], roots: Iterable[K]) -> frozenset[K]:
    """Return the roots and all objects that they link, recursively.

    links_of: the objects that an object links; none for an object without links.

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
    """Return the leases after a client renewed those on all objects that its directory links.

    A lease that ends later than `until` stays as it is, and so do those on all objects that its
    object links: they end no earlier.
    leases: object -> the time from which no lease covers it. roots: the objects that the directory
    links. until: the time at which the client's leases end.

    Clauses: CD-LEASE-RECURSIVE
    Source: "Deletion propagation and eventual Garbage Collection", leases
    """

    def links_to_extend(each: K) -> Iterable[K]:
        return links_of(each) if leases.get(each, -1) < until else ()

    return {
        **leases,
        **{each: max(until, leases.get(each, until)) for each in linked(links_to_extend, roots)},
    }


def kept(leases: Mapping[K, int], now: int) -> frozenset[K]:
    """Return the objects that the storage servers keep: those with a lease that ends after `now`.

    Clauses: CD-GARBAGE-LEASED, CD-GARBAGE-UNLINKED
    Source: "Deletion propagation and eventual Garbage Collection"
    """
    return frozenset(each for each, until in leases.items() if until > now)


def renew_leases(folder: Folder[V], leases: Leases, nickname: str, until: int) -> dict[bytes, int]:
    """Return the leases after a client of a folder renewed its own, with the function `renewed`.

    The renewed objects are the linked snapshots with their contents and ancestors, the linked
    contents, and the client's list of subscriptions. A reading can limit the ancestors.
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

    generations = folder.design.reading.kept_generations
    if generations is not None:
        near = recent(links_of, roots, generations)
        return renewed(leases, lambda _: (), [directory.subscriptions, *near], until)
    return renewed(leases, links_of, [directory.subscriptions, *roots], until)


def collect_garbage(folder: Folder[V], leases: Leases, now: int) -> Folder[V]:
    """Return the folder after the storage servers dropped every object without a lease.

    Clauses: CD-GARBAGE-LEASED, CD-GARBAGE-UNLINKED
    Source: "Deletion propagation and eventual Garbage Collection"
    """
    objects = only(folder.grid.objects, kept(leases, now))
    return evolve(folder, grid=evolve(folder.grid, objects=objects))
