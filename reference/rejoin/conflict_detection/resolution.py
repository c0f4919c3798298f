"""Resolution: a new version that follows ours and those whose conflict files went away.

Source: "Overview", .conflict- files; "Conflict Resolution"
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from rejoin.conflict_detection.clients import Folder, Outcome, client_named, file_of, publish
from rejoin.conflict_detection.conflict_files import Conflicts, naming
from rejoin.conflict_detection.errors import ConflictDetectionError
from rejoin.conflict_detection.local_changes import change
from rejoin.conflict_detection.local_names import check_writable

V = TypeVar("V")


def parents_of_upload(current: bytes | None, removed: Conflicts[bytes]) -> tuple[bytes, ...]:
    """Return the parents of a client's next snapshot.

    parent0 is the current snapshot, if there is one. The snapshots of the removed conflict files
    follow, each of them once, in the order of their capabilities.
    current: the client's current snapshot, or None for the first version of a file. removed: the
    conflict files that went away.

    Clauses: CD-FOLLOWS-DIRECTLY, CD-ALREADY-HAD, CD-SNAPSHOT-EDIT, CD-RESOLVE-PARENTS,
        CD-RESOLVE-CONCURRENT
    Source: "Overview", .conflict- files
    """
    resolved = sorted({file.version for file in removed} - {current})
    return tuple(resolved) if current is None else (current, *resolved)


def resolve(
    folder: Folder[V],
    nickname: str,
    path: str,
    others: Sequence[str],
    content: bytes | None = None,
) -> Outcome[V]:
    """Remove the conflict files of some other clients at once, and upload one version.

    others: at least one nickname; the client holds a conflict with each of these clients.
    content: the new content of the file; None keeps the present content, and a deleted file stays
        deleted.
    Errors: "unknown-client", "no-conflict", "path-blocked".

    Clauses: CD-RESOLVE-SEVERAL, CD-RESOLVE-NOTHING, CD-RESOLVE-KEEPS-CONTENT
    Source: "Overview", .conflict- files
    """
    client = client_named(folder, nickname)
    file = file_of(client, path)
    for other in others:
        if not naming(file.conflicts, [other]):
            raise ConflictDetectionError(
                "no-conflict", f"{nickname} holds no conflict with {other} on {path}"
            )
    if not others:
        raise ConflictDetectionError(
            "no-conflict", "the resolution names no client; name at least one"
        )
    if content is not None:
        check_writable(client, path)
    chosen = file.content if content is None else content
    removed = naming(file.conflicts, others)
    return publish(folder, change(folder, client, {path: (chosen, removed)}))
