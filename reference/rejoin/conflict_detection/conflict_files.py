"""Conflict files: what stands beside a file while another client's version conflicts with it.

A conflict file belongs to one other client, or, where the reading says so, to one version with all
clients that are known to have it. What the user does to it is never uploaded; only that it goes
away means something. A version without content, a deletion, is held like any other and has no file.

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
    """A version that conflicts with ours.

    nicknames: the clients that it was seen at, sorted.
    version: as the design names it. content: what the file beside ours holds now, which the user
        may have changed; None for a deletion, which has no file.
    """

    nicknames: tuple[str, ...]
    version: V
    content: bytes | None


Conflicts: TypeAlias = tuple[ConflictFile[V], ...]
"""The conflict files of one file, sorted by nicknames."""


def conflict_file_name(path: str, nicknames: Sequence[str]) -> str:
    """The name of a conflict file: the file's path, the mark, the nicknames with commas between.

    Clauses: CD-CONFLICT-FILE-NAME
    Source: "Overview", names of conflict files
    """
    return f"{path}{CONFLICT_MARK}{','.join(nicknames)}"


def split_file_name(name: str) -> tuple[str, tuple[str, ...]]:
    """A file name's path and nicknames; no nicknames where it is not a conflict file's.

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
) -> Conflicts[V]:
    """The conflict files after `nickname` was seen to have a version that conflicts.

    content: None for a deletion. one_per_version: whether clients with one version share a file.
    A client that has a conflict file already moves to the new version, whose content takes the
    place of the old; where it is the same version, the file stays as the user left it.

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
    return _sorted((*others, ConflictFile((nickname,), version, content)))


def let_go(conflicts: Conflicts[V], nickname: str) -> Conflicts[V]:
    """The conflict files without those that stand for `nickname` alone.

    A file that stands for others too loses a name.

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
    """The conflict files whose versions our new version does not follow.

    Clauses: CD-CONFLICT-FILE-GONE
    Source: "Example: simultaneous update with four parties", the conflict files disappear
    """
    return tuple(file for file in conflicts if not is_followed(file.version))


def naming(conflicts: Conflicts[V], nicknames: Sequence[str]) -> Conflicts[V]:
    """The conflict files that name at least one of the clients.

    Clauses: CD-RESOLVE-NOTHING
    """
    return tuple(
        file for file in conflicts if any(nickname in file.nicknames for nickname in nicknames)
    )


def _sorted(files: Iterable[ConflictFile[V]]) -> Conflicts[V]:
    return tuple(sorted(files, key=lambda file: file.nicknames))
