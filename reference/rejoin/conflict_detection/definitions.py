"""The definitions: names, the follows relation, the version DAG, what a poll should find.

Nothing here knows a design: this is the ground truth that both designs compute in ways of their
own. A version DAG is a mapping from each version to its parents, the versions that it directly
follows. Versions are any hashable values: names in vectors, small integers in a search,
capabilities on the grid.

Source: "Summary and definitions".
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final, TypeAlias, TypeVar

from rejoin.conflict_detection.errors import ConflictDetectionError

K = TypeVar("K", bound=Hashable)

VersionDag: TypeAlias = Mapping[K, Sequence[K]]
"""Version -> its parents."""

CONFLICT_MARK: Final = ".conflict-"
"""What stands between a file's path and the nicknames in the name of a conflict file."""

_NO_COMPONENTS: Final = frozenset({"", ".", ".."})


def check_path(path: str) -> None:
    """Refuse what cannot be the relative path of an abstract file.

    path: components divided by slashes, from the root of the folder; the mark of conflict files
        occurs nowhere in it, so that a file name is either a path or a conflict file's name.
    Errors: "bad-path".

    Clauses: CD-PATH
    Source: "Summary and definitions", relative path
    """
    components = path.split("/")
    if not _NO_COMPONENTS.isdisjoint(components):
        raise ConflictDetectionError("bad-path", "a path has no empty, `.` or `..` component")
    if "\0" in path or CONFLICT_MARK in path or not _is_unicode(path):
        raise ConflictDetectionError("bad-path", f"a path holds no NUL and no {CONFLICT_MARK}")


def check_nickname(nickname: str) -> None:
    """Refuse what cannot be a client's nickname: it becomes part of file names.

    Errors: "bad-nickname".

    Clauses: CD-NICKNAME
    Source: "Overview", names of conflict files
    """
    if not nickname or any(mark in nickname for mark in ",/\0") or not _is_unicode(nickname):
        raise ConflictDetectionError(
            "bad-nickname", "a nickname is not empty and holds no comma, slash or NUL"
        )


def _is_unicode(text: str) -> bool:
    """Whether the text has an encoding: JSON can smuggle in halves of surrogate pairs."""
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def follows(dag: VersionDag[K], later: K, earlier: K) -> bool:
    """Whether `later` follows `earlier`: the irreflexive transitive closure of directly follows.

    dag: version -> the versions that it directly follows. Time is linear in the part of the DAG
    that `later` follows.

    Clauses: CD-FOLLOWS-CLOSURE, CD-FOLLOWS-IRREFLEXIVE
    Source: "Summary and definitions", follows relation
    """
    seen: set[K] = set()
    pending = list(dag[later])
    while pending:
        version = pending.pop()
        if version == earlier:
            return True
        if version not in seen:
            seen.add(version)
            pending.extend(dag[version])
    return False


def version_dag(versions: Iterable[tuple[K, Sequence[K]]]) -> dict[K, tuple[K, ...]]:
    """The DAG of (version, its parents) pairs that may come in any order.

    Errors: "duplicate-version", "duplicate-parent", "unknown-version" (a parent that is not among
    the versions), "cycle".

    Clauses: CD-DAG-UNIQUE, CD-DAG-KNOWN, CD-DAG-ACYCLIC
    Source: "Summary and definitions", version DAG
    """
    dag: dict[K, tuple[K, ...]] = {}
    for version, parents in versions:
        if version in dag:
            raise ConflictDetectionError("duplicate-version", f"{version} is given twice")
        if len(set(parents)) != len(parents):
            raise ConflictDetectionError("duplicate-parent", f"{version} names a parent twice")
        dag[version] = tuple(parents)
    for version, parents in dag.items():
        for parent in parents:
            if parent not in dag:
                raise ConflictDetectionError(
                    "unknown-version", f"{version} has the parent {parent}, which is not given"
                )
    _refuse_cycles(dag)
    return dag


def check_known(dag: VersionDag[K], *versions: K) -> None:
    """Refuse a version that the DAG does not hold.

    Errors: "unknown-version".

    Clauses: CD-DAG-KNOWN
    """
    for version in versions:
        if version not in dag:
            raise ConflictDetectionError("unknown-version", f"{version} is not given")


def _refuse_cycles(dag: VersionDag[K]) -> None:
    """Take away versions whose parents are all gone, as long as there are any."""
    children: dict[K, list[K]] = {version: [] for version in dag}
    waiting = {version: len(parents) for version, parents in dag.items()}
    for version, parents in dag.items():
        for parent in parents:
            children[parent].append(version)
    ready = [version for version, count in waiting.items() if count == 0]
    taken = 0
    while ready:
        version = ready.pop()
        taken += 1
        for child in children[version]:
            waiting[child] -= 1
            if waiting[child] == 0:
                ready.append(child)
    if taken != len(dag):
        raise ConflictDetectionError("cycle", "a version follows itself")


class Classification(StrEnum):
    """What another client's current version is to a client that looks at it."""

    OVERWRITE = "overwrite"
    """It follows ours, or we have none: it takes the place of our file."""
    CONFLICT = "conflict"
    """It is to be kept beside our file."""
    STALE = "stale"
    """Ours follows it: there is nothing to do."""
    SAME = "same"
    """It is the version that we have."""


def desired_classification(dag: VersionDag[K], ours: K | None, theirs: K) -> Classification:
    """What a client that has `ours` should make of `theirs`; None where it has no version.

    The document speaks of a new version only: the version that the client has, and those that it
    followed already, are no news.

    Clauses: CD-CLASSIFY-OVERWRITE, CD-CLASSIFY-CONFLICT, CD-CLASSIFY-STALE, CD-CLASSIFY-SAME,
        CD-CLASSIFY-FIRST
    Source: "Summary and definitions", desired behaviour
    """
    if ours is None or follows(dag, theirs, ours):
        return Classification.OVERWRITE
    if ours == theirs:
        return Classification.SAME
    if follows(dag, ours, theirs):
        return Classification.STALE
    return Classification.CONFLICT
