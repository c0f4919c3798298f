"""A witness beside the clients: it writes down what each of them had at each upload.

From this, and nothing else, it says what every poll should have found, by the document's follows
relation. It knows no design.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Generic, TypeVar

from attrs import evolve, field, frozen

from rejoin import conflict_detection as cd

K = TypeVar("K", bound=Hashable)


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
    """Write down that a client changed its file, or removed conflict files of some versions.

    A version that exists already gets no new parents: two uploads that make the same thing are one
    version (CD-E13).
    """
    had = witness.had.get(client, frozenset()) | frozenset(resolved)
    directly = {version: had, **witness.directly}
    return Witness(
        directly,
        {**witness.had, client: had | {version}},
        {**witness.current, client: version},
    )


def witness_overwrite(witness: Witness[K], client: str, version: K) -> Witness[K]:
    """Write down that a version overwrote a client's local file."""
    had = witness.had.get(client, frozenset()) | {version}
    return evolve(
        witness,
        had={**witness.had, client: had},
        current={**witness.current, client: version},
    )


def witness_expects(witness: Witness[K], client: str, theirs: K) -> cd.Classification:
    """Return what a poll by `client` that finds `theirs` should be classified as."""
    dag = {version: tuple(parents) for version, parents in witness.directly.items()}
    return cd.desired_classification(dag, witness.current.get(client), theirs)
