"""Local merge: a client that joins with files of its own merges its directory with the folder.

Source: "Local Merge Property"
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from rejoin.conflict_detection.clients import Folder, Outcome, add_client, publish
from rejoin.conflict_detection.definitions import check_path
from rejoin.conflict_detection.local_changes import change
from rejoin.conflict_detection.local_names import check_together

V = TypeVar("V")


def join_folder(
    folder: Folder[V],
    nickname: str,
    files: Mapping[str, bytes] | None = None,
    signing_key: bytes | None = None,
) -> Outcome[V]:
    """Add a client to the folder; this client and all others subscribe to each other.

    files: relative path -> content of the files that its local directory already has. Each becomes
    a first version, which follows nothing. A path that other clients have too is then a conflict.
    Errors: "bad-nickname", "client-exists", "bad-path", "path-blocked", "bad-key".

    Clauses: CD-LOCAL-MERGE-ROOTS, CD-LOCAL-MERGE-CONFLICT
    Source: "Local Merge Property"
    """
    own = dict(sorted((files or {}).items()))
    for path in own:
        check_path(path)
    check_together(own)
    grown = add_client(folder, nickname, signing_key)
    client = grown.clients[nickname]
    return publish(
        grown, change(grown, client, {path: (content, ()) for path, content in own.items()})
    )
