"""Conflict files: the files beside a file while versions of other clients conflict with it.

A conflict file belongs to one other client. If the reading says so, it belongs to one version,
with all clients that are known to have this version. A client never uploads a change that its user
makes to a conflict file; only the removal of a conflict file has an effect. A deletion is held
like any other version, but has no file.

Source: "Overview"; "Example: simultaneous update with four parties", Daira's remark
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeAlias, TypeVar

from attrs import evolve, frozen

from rejoin.conflict_detection.definitions import CONFLICT_MARK

V = TypeVar("V")


@frozen
class ConflictFile(Generic[V]):
    """A version that conflicts with the client's own version.

    nicknames: the clients that were seen with this version, sorted.
    version: the version, as the design represents it.
    content: the present content of the conflict file, which the user may have changed; None for a
        deletion, which has no file.
    label: what its name has in place of the nicknames; empty in both named readings.
    """

    nicknames: tuple[str, ...]
    version: V
    content: bytes | None
    label: str = ""

    @property
    def named_after(self) -> tuple[str, ...]:
        """Return the nicknames in the name of the conflict file, or its label."""
        return (self.label,) if self.label else self.nicknames


Conflicts: TypeAlias = tuple[ConflictFile[V], ...]
"""The conflict files of one file, sorted by nicknames."""


def conflict_file_name(path: str, nicknames: Sequence[str]) -> str:
    """Return the name of a conflict file: the file's path, the mark, and the nicknames with commas.

    Clauses: CD-CONFLICT-FILE-NAME
    Source: "Overview", names of conflict files
    """
    return f"{path}{CONFLICT_MARK}{','.join(nicknames)}"


def split_file_name(name: str) -> tuple[str, tuple[str, ...]]:
    """Return the path and the nicknames in a file name.

    A name that is not the name of a conflict file has no nicknames.

    Clauses: CD-CONFLICT-FILE-NAME
    Source: "Overview", names of conflict files
    """
    path, mark, nicknames = name.partition(CONFLICT_MARK)
    return path, tuple(nicknames.split(",")) if mark else ()


def hold(
    conflicts: Conflicts[V],
    nickname: str,
    version: V,
    content: bytes | None,
    *,
    one_per_version: bool,
    label: str = "",
) -> Conflicts[V]:
    """Return the conflict files after the client `nickname` was seen with a conflicting version.

    If this client has a conflict file for another version, it moves to the new version and its
    content. If it has a conflict file for the same version, the file keeps the content that the
    user left in it.
    content: None for a deletion. one_per_version: whether clients with one version share a file.
    label: of a new conflict file.

    Clauses: CD-CONFLICT-FILE-PER-CLIENT, CD-CONFLICT-FILE-UPDATED, CD-CONFLICT-FILE-UNTRACKED,
        CD-CONFLICT-FILE-PER-VERSION
    Source: "Overview"; "Example: simultaneous update with four parties"
    """
    if any(nickname in file.nicknames and file.version == version for file in conflicts):
        return conflicts
    others = let_go(conflicts, nickname)
    for file in others:
        if one_per_version and file.version == version:
            joined = evolve(file, nicknames=tuple(sorted((*file.nicknames, nickname))))
            return _sorted(joined if each is file else each for each in others)
    return _sorted((*others, ConflictFile((nickname,), version, content, label)))


def with_content(conflicts: Conflicts[V], nickname: str, content: bytes | None) -> Conflicts[V]:
    """Return the conflict files after the one of `nickname` got this content if it had none.

    Clauses: CD-PATH-BLOCKED
    """
    if content is None:
        return conflicts
    return tuple(
        evolve(file, content=content)
        if nickname in file.nicknames and file.content is None
        else file
        for file in conflicts
    )


def let_go(conflicts: Conflicts[V], nickname: str) -> Conflicts[V]:
    """Return the conflict files without the client `nickname`.

    A file that also belongs to other clients loses one name, and any other file of this client
    goes.

    Clauses: CD-CONFLICT-FILE-PER-VERSION, CD-UNSUBSCRIBE
    Source: "Overview", names of conflict files
    """
    left = (
        evolve(file, nicknames=tuple(name for name in file.nicknames if name != nickname))
        if nickname in file.nicknames
        else file
        for file in conflicts
    )
    return _sorted(file for file in left if file.nicknames)


def drop_followed(conflicts: Conflicts[V], is_followed: Callable[[V], bool]) -> Conflicts[V]:
    """Return the conflict files without those whose version our new version is or follows.

    is_followed: whether our new version is or follows a version.

    Clauses: CD-CONFLICT-FILE-GONE
    Source: "Example: simultaneous update with four parties", the conflict files disappear
    """
    return tuple(file for file in conflicts if not is_followed(file.version))


def naming(conflicts: Conflicts[V], nicknames: Sequence[str]) -> Conflicts[V]:
    """Return the conflict files that name at least one of the clients, or have one as their label.

    Clauses: CD-RESOLVE-NOTHING
    """
    return tuple(
        file
        for file in conflicts
        if any(nickname in file.nicknames or nickname == file.label for nickname in nicknames)
    )


def _sorted(files: Iterable[ConflictFile[V]]) -> Conflicts[V]:
    return tuple(sorted(files, key=lambda file: file.nicknames))
