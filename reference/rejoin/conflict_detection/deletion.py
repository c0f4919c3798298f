"""Deletion: deleting a file, bringing it back, and dropping the link to the deletion.

Source: "Deletion propagation and eventual Garbage Collection"
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeVar

from rejoin.conflict_detection.clients import Folder, Outcome, client_named, file_of, publish
from rejoin.conflict_detection.conflict_files import split_file_name
from rejoin.conflict_detection.definitions import check_path
from rejoin.conflict_detection.designs import Design
from rejoin.conflict_detection.errors import ConflictDetectionError
from rejoin.conflict_detection.local_changes import change, conflict_file, existing_content
from rejoin.conflict_detection.local_names import check_writable

V = TypeVar("V")


def delete(folder: Folder[V], nickname: str, name: str) -> Outcome[V]:
    """Delete a file. Deleting a conflict file resolves its conflict.

    name: a relative path, or the name of a conflict file.
    Errors: "unknown-client", "no-file".

    Clauses: CD-DELETE-SNAPSHOT, CD-RESOLVE-PARENTS, CD-RESOLVE-KEEPS-CONTENT
    Source: "Deletion propagation and eventual Garbage Collection"; "Overview", .conflict- files
    """
    client = client_named(folder, nickname)
    path, nicknames = split_file_name(name)
    file = file_of(client, path)
    if nicknames:
        held = conflict_file(file, name, nicknames)
        return publish(folder, change(folder, client, {path: (file.content, (held,))}))
    existing_content(file, nickname, path)
    return publish(folder, change(folder, client, {path: (None, ())}))


def undelete(folder: Folder[V], nickname: str, path: str, content: bytes) -> Outcome[V]:
    """Bring a deleted file back.

    The new version follows the deletion if the deletion was uploaded.
    Errors: "unknown-client", "bad-path", "not-deleted", "path-blocked".

    Clauses: CD-UNDELETE, CD-UNDELETE-OFFLINE
    Source: "Deletion propagation and eventual Garbage Collection"
    """
    client = client_named(folder, nickname)
    check_path(path)
    file = file_of(client, path)
    was_there = file.version is not None or file.waiting is not None
    if file.content is not None or not was_there:
        raise ConflictDetectionError(
            "not-deleted", f"{nickname} cannot bring back {path}: it exists, or it never existed"
        )
    check_writable(client, path)
    return publish(folder, change(folder, client, {path: (content, ())}))


def may_drop_link(
    design: Design[V],
    deletion: V,
    subscriptions: Collection[str],
    seen: Mapping[str, V],
    vanished: Collection[str],
) -> bool:
    """Return whether a client may drop its link to a deletion: all others have the deletion.

    A client that was never seen to link the file counts as one that does not have the deletion.
    subscriptions: the clients that it polls.
    seen: other client -> the last version that it was seen to link.
    vanished: the clients whose link was there once and disappeared because of this deletion. They
        dropped it after they had seen everyone link the deletion, this client included.

    Clauses: CD-DELETE-DROP-LINK
    Source: "Deletion propagation and eventual Garbage Collection"
    """
    return all(
        other in vanished or (other in seen and design.is_same(seen[other], deletion))
        for other in subscriptions
    )
