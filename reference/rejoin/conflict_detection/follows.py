"""Ground truth: the follows relation of the document, and what it makes of a download.

Nothing here knows a design. A `Witness` stands beside the clients and writes down what each of them
had at each upload; from this, and nothing else, it says what every poll should have found.
`Closure` is the same relation as bit sets, for searches that ask millions of times.

Source: "Summary and definitions"
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Generic, TypeAlias, TypeVar

from attrs import evolve, field, frozen

from rejoin.conflict_detection.definitions import Classification
from rejoin.conflict_detection.version_dag import VersionDag

K = TypeVar("K", bound=Hashable)


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


@frozen
class Witness(Generic[K]):
    """What each client already had, for one abstract file.

    directly: version -> the versions that its maker had when it made the change.
    had: client -> every version that was ever in its local file, or that it resolved a conflict
        with. A conflict file that is only held was not had (CD-E11).
    current: client -> the version that its local file has now.
    """

    directly: Mapping[K, frozenset[K]] = field(factory=dict)
    had: Mapping[str, frozenset[K]] = field(factory=dict)
    current: Mapping[str, K] = field(factory=dict)


def witness_upload(
    witness: Witness[K], client: str, version: K, resolved: Iterable[K] = ()
) -> Witness[K]:
    """A client changed its file, or removed conflict files of the versions `resolved`.

    A version that exists already gets no new parents: two uploads that make the same thing are one
    version (CD-E13).

    Clauses: CD-FOLLOWS-DIRECTLY, CD-ALREADY-HAD
    Source: "Summary and definitions", directly follows
    """
    had = witness.had.get(client, frozenset()) | frozenset(resolved)
    directly = {version: had, **witness.directly}
    return Witness(
        directly,
        {**witness.had, client: had | {version}},
        {**witness.current, client: version},
    )


def witness_overwrite(witness: Witness[K], client: str, version: K) -> Witness[K]:
    """A client's local file was overwritten with `version`.

    Clauses: CD-ALREADY-HAD
    Source: "Summary and definitions", directly follows
    """
    had = witness.had.get(client, frozenset()) | {version}
    return evolve(
        witness,
        had={**witness.had, client: had},
        current={**witness.current, client: version},
    )


def witness_expects(witness: Witness[K], client: str, theirs: K) -> Classification:
    """What a poll by `client` that finds `theirs` should be classified as.

    Clauses: CD-CLASSIFY-OVERWRITE, CD-CLASSIFY-CONFLICT, CD-CLASSIFY-STALE, CD-CLASSIFY-SAME,
        CD-CLASSIFY-FIRST
    Source: "Summary and definitions", desired behaviour
    """
    dag = {version: tuple(parents) for version, parents in witness.directly.items()}
    return desired_classification(dag, witness.current.get(client), theirs)


Closure: TypeAlias = tuple[int, ...]
"""For each version, numbered from 0 in the order of uploads: a bit for each version it follows."""


def extend_closure(closure: Closure, had: int) -> Closure:
    """The closure with one version more, made by a client that had the versions of the bits `had`.

    Clauses: CD-FOLLOWS-CLOSURE
    Source: "Summary and definitions", follows relation
    """
    mask = had
    for version, followed in enumerate(closure):
        if had >> version & 1:
            mask |= followed
    return (*closure, mask)


def classify_by_closure(closure: Closure, ours: int | None, theirs: int) -> Classification:
    """`desired_classification` over bit sets.

    Clauses: CD-CLASSIFY-OVERWRITE, CD-CLASSIFY-CONFLICT, CD-CLASSIFY-STALE, CD-CLASSIFY-SAME,
        CD-CLASSIFY-FIRST
    Source: "Summary and definitions", desired behaviour
    """
    if ours is None or closure[theirs] >> ours & 1:
        return Classification.OVERWRITE
    if ours == theirs:
        return Classification.SAME
    if closure[ours] >> theirs & 1:
        return Classification.STALE
    return Classification.CONFLICT
