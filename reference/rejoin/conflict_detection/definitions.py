"""The definitions: names, the follows relation, the version DAG, and the desired classification.

This module does not depend on a design. It is the ground truth, which each design computes in its
own way. A version DAG is a mapping from each version to its parents, the versions that it directly
follows. Versions are any hashable values: names in vectors, small integers in a search, and
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
"""The text between a file's path and the nicknames in the name of a conflict file."""

_NO_COMPONENTS: Final = frozenset({"", ".", ".."})


def check_path(path: str) -> None:
    """Refuse a string that is not a valid relative path of an abstract file.

    path: components separated by single slashes, relative to the root of the folder. It must not
        contain `CONFLICT_MARK`, so that no path is also the name of a conflict file.
    Errors: "bad-path".

    Clauses: CD-PATH
    Source: "Summary and definitions", relative path
    """
    components = path.split("/")
    if not _NO_COMPONENTS.isdisjoint(components):
        raise ConflictDetectionError(
            "bad-path", f"{path!r}: a path must not have an empty, `.` or `..` component"
        )
    if "\0" in path or CONFLICT_MARK in path or not _is_unicode(path):
        raise ConflictDetectionError(
            "bad-path",
            f"{path!r}: a path must not contain NUL, an unpaired surrogate or {CONFLICT_MARK}",
        )


def check_nickname(nickname: str) -> None:
    """Refuse a string that is not a valid nickname of a client.

    nickname: a part of file names, and therefore without separators.
    Errors: "bad-nickname".

    Clauses: CD-NICKNAME
    Source: "Overview", names of conflict files
    """
    if not nickname or any(mark in nickname for mark in ",/\0") or not _is_unicode(nickname):
        raise ConflictDetectionError(
            "bad-nickname",
            f"{nickname!r}: a nickname must not be empty, and must not contain a comma, a slash, "
            "NUL or an unpaired surrogate",
        )


def _is_unicode(text: str) -> bool:
    """Return whether the text has no unpaired surrogate; JSON strings can contain them."""
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def follows(dag: VersionDag[K], later: K, earlier: K) -> bool:
    """Return whether `later` follows `earlier`.

    Follows is the irreflexive transitive closure of "directly follows". The time is linear in the
    part of the DAG that `later` follows.
    dag: version -> the versions that it directly follows; it contains `later`.

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
    """Return the DAG of the given versions: version -> its parents.

    versions: pairs of a version and its parents, in any order.
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
                    "unknown-version", f"{version} names the unknown parent {parent}"
                )
    _refuse_cycles(dag)
    return dag


def check_known(dag: VersionDag[K], *versions: K) -> None:
    """Refuse versions that are not in the DAG.

    Errors: "unknown-version".

    Clauses: CD-DAG-KNOWN
    """
    for version in versions:
        if version not in dag:
            raise ConflictDetectionError(
                "unknown-version", f"{version} is not among the given versions"
            )


def _refuse_cycles(dag: VersionDag[K]) -> None:
    """Refuse a DAG with a cycle: remove versions without remaining parents until none is left."""
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
        raise ConflictDetectionError(
            "cycle", "the versions have a cycle: one of them follows itself"
        )


class Classification(StrEnum):
    """The classification of another client's current version by the client that polls it."""

    OVERWRITE = "overwrite"
    """It follows our version, or we have no version: it replaces our file."""
    CONFLICT = "conflict"
    """It is kept beside our file."""
    STALE = "stale"
    """Our version follows it: nothing changes."""
    SAME = "same"
    """It is the version that we have."""


def desired_classification(dag: VersionDag[K], ours: K | None, theirs: K) -> Classification:
    """Return the classification that the definitions require for `theirs`.

    The document defines it for a new version only. The version that the client has, and those that
    this version follows, are not new.
    ours: the client's current version, or None if it has no version.

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
