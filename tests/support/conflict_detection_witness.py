"""A witness next to the clients: it records the versions that each client had at each upload.

From these records alone, the witness derives the correct result of every poll, by the document's
follows relation. It does not depend on any design.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Generic, TypeVar

from attrs import evolve, field, frozen

from rejoin import conflict_detection as cd

K = TypeVar("K", bound=Hashable)


@frozen
class Witness(Generic[K]):
    """The versions that each client already had, for one abstract file.

    directly: version -> the versions that its maker had when it made the change.
    had: client -> every version that was ever in its local file, or with which it resolved a
    conflict. A version that is only in a conflict file does not count (CD-E11).
    current: client -> the version that its local file has now.
    """

    directly: Mapping[K, frozenset[K]] = field(factory=dict)
    had: Mapping[str, frozenset[K]] = field(factory=dict)
    current: Mapping[str, K] = field(factory=dict)


def witness_upload(
    witness: Witness[K], client: str, version: K, resolved: Iterable[K] = ()
) -> Witness[K]:
    """Record that a client changed its file, or removed conflict files of some versions.

    A version that exists already gets no new parents: two uploads that make the same version
    count as one (CD-E13).
    """
    had = witness.had.get(client, frozenset()) | frozenset(resolved)
    directly = {version: had, **witness.directly}
    return Witness(
        directly,
        {**witness.had, client: had | {version}},
        {**witness.current, client: version},
    )


def witness_overwrite(witness: Witness[K], client: str, version: K) -> Witness[K]:
    """Record that a version overwrote a client's local file."""
    had = witness.had.get(client, frozenset()) | {version}
    return evolve(
        witness,
        had={**witness.had, client: had},
        current={**witness.current, client: version},
    )


def witness_expects(witness: Witness[K], client: str, theirs: K) -> cd.Classification:
    """Return the correct classification of a poll by `client` that finds `theirs`."""
    dag = {version: tuple(parents) for version, parents in witness.directly.items()}
    return cd.desired_classification(dag, witness.current.get(client), theirs)
