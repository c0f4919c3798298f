"""The names of a client's local files, and the names that it cannot write.

A file system cannot have a file and a folder of the same name. So a local file stands in the way of
every name below it, and of the name of every folder that it is in.

Source: "Summary and definitions", local file; "Overview", names of conflict files
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeVar

from rejoin.conflict_detection.clients import Client
from rejoin.conflict_detection.conflict_files import conflict_file_name
from rejoin.conflict_detection.errors import ConflictDetectionError

V = TypeVar("V")


def local_files(client: Client[V]) -> dict[str, bytes]:
    """Return the files that the client's user sees: file name -> content, sorted by name.

    Conflict files are included.

    Clauses: CD-CONFLICT-FILE-NAME, CD-CONFLICT-FILE-DELETION, CD-FOUR-PARTIES
    Source: "Overview", names of conflict files
    """
    return dict(sorted(_named(client)))


def is_blocked(client: Client[V], name: str) -> bool:
    """Return whether a local file stands in the way of a file with this name.

    The local file is in a folder that has the name, or has the name of a folder that the name is
    in.

    Clauses: CD-PATH-BLOCKED
    """
    return any(_is_in_the_way(other, name) for other, _ in _named(client))


def check_together(names: Collection[str]) -> None:
    """Refuse names of files that no folder can have at once.

    Errors: "path-blocked".

    Clauses: CD-PATH-BLOCKED
    """
    for name in names:
        if any(_is_in_the_way(other, name) for other in names):
            raise ConflictDetectionError("path-blocked", f"{name} is a file and a folder")


def check_writable(client: Client[V], name: str) -> None:
    """Refuse to write a file whose name is blocked.

    Errors: "path-blocked".

    Clauses: CD-PATH-BLOCKED
    """
    if is_blocked(client, name):
        raise ConflictDetectionError(
            "path-blocked",
            f"{client.nickname} cannot write {name}: a file system has no file and folder of one "
            "name",
        )


def _named(client: Client[V]) -> list[tuple[str, bytes]]:
    """Return the name and the content of each local file, in no particular order.

    Clauses: CD-CONFLICT-FILE-NAME, CD-CONFLICT-FILE-DELETION, CD-FOUR-PARTIES
    Source: "Overview", names of conflict files
    """
    files: list[tuple[str, bytes]] = []
    for path, file in client.files.items():
        if file.content is not None:
            files.append((path, file.content))
        for conflict in file.conflicts:
            if conflict.content is not None:
                name = conflict_file_name(path, conflict.named_after)
                files.append((name, conflict.content))
    return files


def _is_in_the_way(file: str, name: str) -> bool:
    """Return whether no file can have the name as long as another file is there.

    pre: len(file) <= 2 and len(name) <= 4
    post: __return__ == _is_in_the_way(name, file)
    post: file != name or not __return__
    post: __return__ or name[: len(file) + 1] != file + "/"

    Clauses: CD-PATH-BLOCKED
    """
    return file.startswith(name + "/") or name.startswith(file + "/")
