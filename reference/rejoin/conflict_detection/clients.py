"""Clients: their files, and their knowledge of the other clients' versions.

The classes are the same in both designs. A version is a snapshot's capability in one design and a
version map in the other. A `Folder` is the whole state at one moment: the grid and all clients.
Actions take a folder and return a new one.

Source: "Summary and definitions"; "Overview"
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Generic, TypeVar

from attrs import evolve, field, frozen

from rejoin.bencode import encode
from rejoin.conflict_detection.conflict_files import Conflicts, let_go
from rejoin.conflict_detection.cost_model import NO_OPERATIONS, Operations, plus
from rejoin.conflict_detection.definitions import Classification, check_nickname
from rejoin.conflict_detection.designs import Design, Found
from rejoin.conflict_detection.errors import ConflictDetectionError
from rejoin.conflict_detection.grid import (
    Entry,
    Grid,
    read_capability,
    update_directory,
    update_subscriptions,
)
from rejoin.conflict_detection.local_cache import EMPTY_CACHE, Cache
from rejoin.conflict_detection.snapshots import capability_of
from rejoin.conflict_detection.upload_and_download import conflict_map_for
from rejoin.conflict_detection.version_maps import VersionMap

V = TypeVar("V")

LARGEST_SCENARIO: Final = 2**20
"""The largest size of a scenario, in bytes."""
LONGEST_SCENARIO: Final = 2**11
"""The largest number of steps of a scenario."""

_ONE_UPDATE: Final = Operations(directory_updates=1)


@frozen
class Begun(Generic[V]):
    """An overwrite that a client began: it wrote the local file, and has not recorded more.

    other: the client that was polled. entry: its entry. found: the result of the look at it.
    """

    other: str
    entry: Entry
    found: Found[V]


@frozen
class LocalFile(Generic[V]):
    """One file at one client.

    version: the current version, or None if the client has none yet.
    is_deletion: whether the current version is a deletion.
    is_own: whether the client made the current version itself.
    content: the content of the local file, or None if there is no local file.
    conflicts: the conflict files beside it.
    conflict_version_map: other client -> its entry, for the clients with a held conflict whose map
        has one. It also has the entries of clients whose conflict went away offline, until the next
        upload. It stays empty in the design with snapshots.
    seen: other client -> the last version that it was seen to link.
    vanished: the clients in `seen` whose link was missing when the client last looked.
    certain: the clients whose missing link cannot be due to an earlier deletion. Since the client
        gave up an earlier deletion, they were seen to link a version with content, or the current
        deletion. None means all clients: no earlier deletion was given up.
    linked: whether the client's own directory links a version.
    waiting: None if everything is uploaded. After changes that were not uploaded yet, the conflict
        files that went away with these changes.
    begun: the overwrite that the client began before it stopped, or None.
    cache: the cached snapshots; stays empty in the design with version maps.
    """

    version: V | None = None
    is_deletion: bool = False
    is_own: bool = False
    content: bytes | None = None
    conflicts: Conflicts[V] = ()
    conflict_version_map: VersionMap = field(factory=dict)
    seen: Mapping[str, V] = field(factory=dict)
    vanished: frozenset[str] = frozenset()
    certain: frozenset[str] | None = None
    linked: bool = False
    waiting: Conflicts[V] | None = None
    begun: Begun[V] | None = None
    cache: Cache = EMPTY_CACHE


NO_FILE: Final[LocalFile[Any]] = LocalFile()
"""The file at a path at which a client never had one."""


@frozen
class Client(Generic[V]):
    """One client: its identity, its subscriptions, and its files by relative path.

    write_capability: of its own directory. subscriptions: nickname -> read capability.
    signing_key: the 32-byte seed of its identity key if it signs its snapshots, else None.
    backup: the files at the time of its last backup, or None if it has no backup.
    """

    nickname: str
    write_capability: bytes
    subscriptions: Mapping[str, bytes] = field(factory=dict)
    files: Mapping[str, LocalFile[V]] = field(factory=dict)
    online: bool = True
    signing_key: bytes | None = None
    backup: Mapping[str, LocalFile[V]] | None = None


@frozen
class Folder(Generic[V]):
    """A magic folder at one moment: the design, the grid, and all clients by nickname."""

    design: Design[V]
    grid: Grid = field(factory=Grid)
    clients: Mapping[str, Client[V]] = field(factory=dict)


@frozen
class Outcome(Generic[V]):
    """The result of an action. Its text leaves out the folder.

    classification: of a poll; None for other actions, and for a poll that found nothing.
    operations: the remote operations that the action took.
    """

    folder: Folder[V] = field(repr=False)
    classification: Classification | None = None
    operations: Operations = NO_OPERATIONS


@frozen
class Draft(Generic[V]):
    """A client and the grid during an action, before the client's directory is updated.

    entries: relative path -> the new entry of the directory, or None to remove the link.
    """

    grid: Grid
    client: Client[V]
    entries: Mapping[str, Entry | None] = field(factory=dict)
    operations: Operations = NO_OPERATIONS


def client_named(folder: Folder[V], nickname: str) -> Client[V]:
    """Return the client with this nickname.

    Errors: "unknown-client".
    """
    client = folder.clients.get(nickname)
    if client is None:
        raise ConflictDetectionError("unknown-client", f"the folder has no client {nickname}")
    return client


def file_of(client: Client[V], path: str) -> LocalFile[V]:
    """Return the client's file at this path; a file that it never had is empty.

    Clauses: CD-PATH-EXACT
    """
    return client.files.get(path, NO_FILE)


def certain_after(file: LocalFile[V]) -> frozenset[str] | None:
    """Return the value of `certain` after the file gets another current version.

    When a client gives up a deletion for a later version, all links become uncertain: a link that
    then disappears may have been a link to that deletion, until its owner is seen to link another
    version.

    Clauses: CD-DELETE-DROP-LINK
    Source: "Deletion propagation and eventual Garbage Collection"
    """
    return frozenset() if file.is_deletion else file.certain


def held_by(file: LocalFile[V], left: Conflicts[V]) -> Conflicts[V]:
    """Return the conflicts that a client holds on a file: those that are left, and the waiting.

    A conflict that the user has resolved counts until the resolution is uploaded, because its
    version becomes a parent.
    left: the conflict files of the file.

    Clauses: CD-PURGE-HELD
    Source: none
    """
    return (*left, *(file.waiting or ()))


def conflict_map_left(file: LocalFile[V], held: Conflicts[V]) -> VersionMap:
    """Return the conflict version map of a file after all conflicts but `held` went away.

    Clauses: CD-MAP-CONFLICT
    Source: "Zooko's Design", conflict version map
    """
    if not file.conflict_version_map:
        return file.conflict_version_map
    return conflict_map_for(
        file.conflict_version_map,
        {nickname for each in held for nickname in each.nicknames},
    )


def with_file(client: Client[V], path: str, file: LocalFile[V]) -> Client[V]:
    """Return the client with this file at this path."""
    return Client(
        client.nickname,
        client.write_capability,
        client.subscriptions,
        {**client.files, path: file},
        client.online,
        client.signing_key,
        client.backup,
    )


def add_client(folder: Folder[V], nickname: str, signing_key: bytes | None = None) -> Folder[V]:
    """Return the folder with one more client, which has no files.

    The new client and the other clients subscribe to each other.
    Errors: "bad-nickname", "client-exists".

    Clauses: CD-SUBSCRIPTIONS, CD-NICKNAME
    Source: "Overview", subscriptions
    """
    return add_clients(folder, [(nickname, signing_key)])


def add_clients(folder: Folder[V], newcomers: Iterable[tuple[str, bytes | None]]) -> Folder[V]:
    """Return the folder with more clients, added as by `add_client` one by one.

    Every list of subscriptions is written once, with all newcomers.
    newcomers: the nickname of each, and its signing key or None.
    Errors: as `add_client`.

    Clauses: CD-SUBSCRIPTIONS, CD-NICKNAME
    Source: "Overview", subscriptions
    """
    clients = dict(folder.clients)
    subscriptions = {name: dict(client.subscriptions) for name, client in clients.items()}
    readable = {name: read_capability(each.write_capability) for name, each in clients.items()}
    for nickname, signing_key in newcomers:
        check_nickname(nickname)
        if nickname in clients:
            message = f"the folder already has a client {nickname}"
            raise ConflictDetectionError("client-exists", message)
        # A real write capability is a secret; this one is derived from the nickname.
        capability = capability_of(encode([b"write", nickname.encode()]))
        subscriptions[nickname] = dict(readable)
        readable[nickname] = read_capability(capability)
        for other in clients:
            subscriptions[other][nickname] = readable[nickname]
        clients[nickname] = Client(nickname, capability, signing_key=signing_key)
    grown = folder
    for nickname, listed in subscriptions.items():
        grown = _with_subscriptions(grown, clients[nickname], listed)
    return grown


def subscribe(folder: Folder[V], nickname: str, other: str) -> Folder[V]:
    """Return the folder after the client `nickname` subscribed to the client `other`.

    Errors: "unknown-client", "own-directory", "already-subscribed".

    Clauses: CD-SUBSCRIPTIONS
    Source: "Overview", subscriptions
    """
    client = client_named(folder, nickname)
    if nickname == other:
        raise ConflictDetectionError("own-directory", f"{nickname} cannot subscribe to itself")
    if other in client.subscriptions:
        raise ConflictDetectionError(
            "already-subscribed", f"{nickname} already subscribes to {other}"
        )
    readable = read_capability(client_named(folder, other).write_capability)
    return _with_subscriptions(folder, client, {**client.subscriptions, other: readable})


def unsubscribe(folder: Folder[V], nickname: str, other: str) -> Folder[V]:
    """Return the folder after the client `nickname` ended its subscription to the client `other`.

    The conflict files for `other` go away.
    Errors: "unknown-client", "not-subscribed".

    Clauses: CD-UNSUBSCRIBE
    Source: "Snapshot Author Identity"
    """
    client = client_named(folder, nickname)
    if other not in client.subscriptions:
        raise ConflictDetectionError("not-subscribed", f"{nickname} does not subscribe to {other}")
    files = {path: without_client(file, other) for path, file in client.files.items()}
    left = {name: each for name, each in client.subscriptions.items() if name != other}
    return _with_subscriptions(folder, evolve(client, files=files), left)


def without_client(file: LocalFile[V], other: str) -> LocalFile[V]:
    """Return the file without everything that the client knows of the client `other`.

    Clauses: CD-UNSUBSCRIBE
    """
    left = let_go(file.conflicts, other)
    return evolve(
        file,
        seen={name: version for name, version in file.seen.items() if name != other},
        vanished=file.vanished - {other},
        certain=None if file.certain is None else file.certain - {other},
        conflicts=left,
        conflict_version_map=conflict_map_left(file, held_by(file, left)),
    )


def _with_subscriptions(
    folder: Folder[V], client: Client[V], subscriptions: Mapping[str, bytes]
) -> Folder[V]:
    changed = evolve(client, subscriptions=subscriptions)
    return evolve(
        folder,
        grid=update_subscriptions(folder.grid, client.write_capability, subscriptions),
        clients={**folder.clients, client.nickname: changed},
    )


def counting(draft: Draft[V], operations: Operations) -> Draft[V]:
    """Return the draft with more operations added to its count."""
    if operations is NO_OPERATIONS:
        return draft
    return Draft(draft.grid, draft.client, draft.entries, plus(draft.operations, operations))


def publish(
    folder: Folder[V], draft: Draft[V], classification: Classification | None = None
) -> Outcome[V]:
    """Return the outcome of an action, after one update of the client's directory for all changes.

    If nothing changed, the outcome has the same folder. An action that is refused has no outcome.

    Clauses: CD-COST-COMBINED, CD-DIRECTORY-FLAT, CD-DIRECTORY-LINK, CD-REFUSED-STEP
    Source: "remote changes", combined updates
    """
    client, grid, operations = draft.client, draft.grid, draft.operations
    if draft.entries:
        grid = update_directory(grid, client.write_capability, draft.entries)
        operations = plus(operations, _ONE_UPDATE)
    if grid is folder.grid and client is folder.clients.get(client.nickname):
        return Outcome(folder, classification, operations)
    clients = {**folder.clients, client.nickname: client}
    return Outcome(Folder(folder.design, grid, clients), classification, operations)


def checked_scenario(size: int) -> int:
    """Return the size of a scenario, after checking that it is not too large.

    size: the bytes of all names and texts in the reports of its steps so far, and one for each
        name; and for each of its first clients, the names of all of them, counted alike; and the
        same for all clients after each step with which one joins.
    Errors: `ConflictDetectionError` with "scenario-too-large".

    Clauses: CD-SCENARIO-SIZE
    Source: not in the document
    """
    if size > LARGEST_SCENARIO:
        message = f"the size of the scenario is more than {LARGEST_SCENARIO} bytes"
        raise ConflictDetectionError("scenario-too-large", message)
    return size


def checked_steps(steps: int) -> int:
    """Return the number of steps of a scenario, after checking that there are not too many.

    Errors: `ConflictDetectionError` with "scenario-too-large".

    Clauses: CD-SCENARIO-STEPS
    Source: not in the document
    """
    if steps > LONGEST_SCENARIO:
        message = f"the scenario has more than {LONGEST_SCENARIO} steps"
        raise ConflictDetectionError("scenario-too-large", message)
    return steps
