"""Backups: a client that is set back to the state of an earlier time.

A backup has a client's local files and all that the client knows of them. The directory is on the
grid, so it is not set back.

Source: none. Both designs assume that a client never forgets.
"""

from __future__ import annotations

from typing import TypeVar, cast

from attrs import evolve

from rejoin.conflict_detection.clients import (
    Draft,
    Folder,
    LocalFile,
    Outcome,
    client_named,
    publish,
    without_client,
)
from rejoin.conflict_detection.errors import ConflictDetectionError
from rejoin.conflict_detection.grid import Entry, read_capability, read_directory
from rejoin.conflict_detection.taking_over import finish_begun

V = TypeVar("V")


def back_up(folder: Folder[V], nickname: str) -> Outcome[V]:
    """Make a backup of a client's files, in place of an earlier backup.

    Errors: "unknown-client".

    Clauses: CD-SET-BACK
    """
    client = client_named(folder, nickname)
    return publish(folder, Draft(folder.grid, evolve(client, backup=client.files)))


def set_back(folder: Folder[V], nickname: str) -> Outcome[V]:
    """Set a client back to its backup.

    Its subscriptions stay as they are now: the client keeps nothing that it knew of a client whose
    subscription has ended since. It also stays online, or offline. If it is online, it finishes the
    overwrites that its backup began.
    Errors: "unknown-client", "no-backup".

    Clauses: CD-SET-BACK, CD-OVERWRITE-INTERRUPTED
    """
    client = client_named(folder, nickname)
    if client.backup is None:
        raise ConflictDetectionError("no-backup", f"{nickname} has no backup")
    entries = read_directory(folder.grid, read_capability(client.write_capability)).entries
    files: dict[str, LocalFile[V]] = {}
    for path, saved in client.backup.items():
        file = saved
        for other in saved.seen:
            if other not in client.subscriptions:
                file = without_client(file, other)
        files[path] = evolve(file, linked=_links(folder, entries.get(path), file))
    draft = Draft(folder.grid, evolve(client, files=files))
    return publish(folder, finish_begun(folder, draft) if client.online else draft)


def _links(folder: Folder[V], entry: Entry | None, file: LocalFile[V]) -> bool:
    """Return whether the client's directory links the file's current version."""
    if entry is None or file.version is None:
        return False
    linked = entry.capability if entry.version_map is None else entry.version_map
    return folder.design.is_same(cast("V", linked), file.version)
