"""The storage grid, in memory: immutable objects by capability, and a mutable directory per client.

Every function returns a new grid, which shares its unchanged parts with the old grid.

Source: "Glossary", capability, DMD and snapshot
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from attrs import field, frozen

from rejoin.bencode import encode
from rejoin.conflict_detection.errors import ConflictDetectionError
from rejoin.conflict_detection.objects import Objects, find, store
from rejoin.conflict_detection.signed_snapshots import check_signature
from rejoin.conflict_detection.snapshots import (
    Snapshot,
    capability_of,
    content_capability,
    snapshot_capability,
)


@frozen
class Entry:
    """The entry of one file in a directory: the current version of the directory's owner.

    capability: of a snapshot. In the design with version maps, of the content, or None for a
        deletion.
    version_map: the metadata in the design with version maps, None in the design with snapshots.
    """

    capability: bytes | None
    version_map: Mapping[str, int] | None = None


@frozen
class Subscriptions:
    """The immutable directory of a client's subscriptions: nickname -> read capability."""

    read_capabilities: Mapping[str, bytes]


GridObject: TypeAlias = bytes | Snapshot | Subscriptions
"""An immutable object: a content, a snapshot, or a list of subscriptions."""


@frozen
class Directory:
    """A client's mutable directory (DMD): relative path -> entry, and the client's subscriptions.

    subscriptions: the capability of an immutable directory.
    """

    entries: Mapping[str, Entry]
    subscriptions: bytes


@frozen
class Grid:
    """All remote data: the objects, and the directories by their read capabilities."""

    objects: Objects[GridObject] = field(factory=Objects)
    directories: Mapping[bytes, Directory] = field(factory=dict)


def read_capability(write_capability: bytes) -> bytes:
    """Return the read capability of a directory, derived from its write capability.

    Clauses: CD-DIRECTORY-OWN
    Source: "Glossary", capability and DMD
    """
    return capability_of(encode([b"read", write_capability]))


def is_stored(grid: Grid, capability: bytes) -> bool:
    """Return whether the grid has an object with this capability."""
    return find(grid.objects, capability) is not None


def fetch_snapshot(grid: Grid, capability: bytes) -> Snapshot:
    """Download a snapshot and return it.

    Errors: "missing-object"; "bad-signature", "half-signed" and "bad-key" if its author or its
    signature is invalid.

    Clauses: CD-SIGN-REFUSE
    Source: "Snapshot Author Identity"
    """
    snapshot = find(grid.objects, capability)
    if not isinstance(snapshot, Snapshot):
        raise ConflictDetectionError(
            "missing-object", f"no snapshot has the capability {capability.hex()}"
        )
    check_signature(snapshot)
    return snapshot


def fetch_ancestor(grid: Grid, capability: bytes, descendant: bytes) -> Snapshot | None:
    """Download a snapshot on a walk that started at `descendant`, and return it.

    Returns None if no lease kept the snapshot: in that case, none of its ancestors was kept either.
    Errors: as `fetch_snapshot`, but "missing-object" only for the descendant itself.

    Clauses: CD-WALK-COLLECTED
    Source: "Deletion propagation and eventual Garbage Collection"
    """
    if capability != descendant and not is_stored(grid, capability):
        return None
    return fetch_snapshot(grid, capability)


def fetch_content(grid: Grid, capability: bytes) -> bytes:
    """Download the content of a file and return it.

    Errors: "missing-object".
    """
    content = find(grid.objects, capability)
    if not isinstance(content, bytes):
        raise ConflictDetectionError(
            "missing-object", f"no content has the capability {capability.hex()}"
        )
    return content


def store_content(grid: Grid, content: bytes) -> tuple[Grid, bytes]:
    """Upload the content of a file; return the new grid and the content's capability.

    Clauses: CD-GRID-IMMUTABLE
    Source: "local changes"
    """
    capability = content_capability(content)
    return Grid(store(grid.objects, capability, content), grid.directories), capability


def store_snapshot(grid: Grid, snapshot: Snapshot) -> tuple[Grid, bytes]:
    """Upload a snapshot; return the new grid and the snapshot's capability.

    Clauses: CD-GRID-IMMUTABLE
    Source: "local changes"
    """
    capability = snapshot_capability(snapshot)
    return Grid(store(grid.objects, capability, snapshot), grid.directories), capability


def read_directory(grid: Grid, capability: bytes) -> Directory:
    """Read a directory and return it.

    capability: its read capability. Errors: "missing-object".
    """
    directory = grid.directories.get(capability)
    if directory is None:
        raise ConflictDetectionError(
            "missing-object", f"no directory has the read capability {capability.hex()}"
        )
    return directory


def update_directory(
    grid: Grid, write_capability: bytes, changes: Mapping[str, Entry | None]
) -> Grid:
    """Return the grid after one update of a directory, which links, relinks and unlinks files.

    changes: relative path -> new entry, or None to remove the link.
    Errors: "no-write-capability".

    Clauses: CD-DIRECTORY-OWN, CD-COST-COMBINED
    Source: "Glossary", DMD; "remote changes", combined updates
    """
    readable, directory = _writable(grid, write_capability)
    entries = {
        path: entry for path, entry in {**directory.entries, **changes}.items() if entry is not None
    }
    changed = Directory(entries, directory.subscriptions)
    return Grid(grid.objects, {**grid.directories, readable: changed})


def update_subscriptions(
    grid: Grid, write_capability: bytes, read_capabilities: Mapping[str, bytes]
) -> Grid:
    """Return the grid after a directory got new subscriptions; create a missing directory.

    read_capabilities: nickname -> the read capability of that client's directory.

    Clauses: CD-SUBSCRIPTIONS
    Source: "Overview", subscriptions
    """
    encoded = encode({name.encode(): each for name, each in read_capabilities.items()})
    listed = capability_of(encoded)
    readable = read_capability(write_capability)
    entries = grid.directories[readable].entries if readable in grid.directories else {}
    return Grid(
        store(grid.objects, listed, Subscriptions(dict(read_capabilities))),
        {**grid.directories, readable: Directory(entries, listed)},
    )


def _writable(grid: Grid, write_capability: bytes) -> tuple[bytes, Directory]:
    readable = read_capability(write_capability)
    if readable not in grid.directories:
        raise ConflictDetectionError(
            "no-write-capability", "the capability does not give write access to any directory"
        )
    return readable, grid.directories[readable]
