"""The version DAG: which version was made by a client that had which.

A DAG is a mapping from each version to its parents, the versions that it directly follows. Versions
are any hashable values: names in vectors, small integers in a search, capabilities on the grid.

Source: "Summary and definitions", follows relation
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeAlias, TypeVar

from rejoin.conflict_detection.errors import ConflictDetectionError

K = TypeVar("K", bound=Hashable)

VersionDag: TypeAlias = Mapping[K, Sequence[K]]


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
