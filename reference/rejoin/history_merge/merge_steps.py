"""The steps of a merge: the order of each fold, and for each node its origin and the result.

A merge notes its steps in a recorder while it runs. The steps of one set of nodes stand together,
after the steps of the sets that its origins need. The literal evaluation can merge a set several
times; the recorder keeps its steps once. Both evaluations therefore have the same steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Final, Generic, TypeAlias

from attrs import field, frozen

from rejoin.history_merge.graph import S

ASCENDING: Final = "HM-FOLD-ASCENDING"
RANKED: Final = "HM-FOLD-RANKED"
"""The clauses that give a fold order."""


@frozen
class DefaultStep(Generic[S]):
    """The merge of no nodes. state: the default state."""

    clause: ClassVar = "HM-MERGE-EMPTY"
    state: S


@frozen
class OrderStep:
    """The nodes of a set in fold order. clause: the clause that gives the order."""

    nodes: tuple[str, ...]
    clause: str


@frozen
class StartStep(Generic[S]):
    """The first node in fold order, and its state. clause: says that the merge starts with it."""

    node: str
    state: S
    clause: str


@frozen
class CommonAncestorsStep:
    """lcaU(A, b), where A are the nodes so far. node: the node b. nodes: the common ancestors."""

    node: str
    nodes: frozenset[str]

    @property
    def clause(self) -> str:
        """Return the clause that determines the common ancestors."""
        return "HM-LCAU-LOWEST" if self.nodes else "HM-LCAU-NONE"


@frozen
class OriginStep(Generic[S]):
    """The state that stands for the common past. of: the nodes whose merge it is."""

    of: frozenset[str]
    state: S

    @property
    def clause(self) -> str:
        """Return the clause that determines the origin."""
        return "HM-MERGE-ORIGIN" if self.of else "HM-MERGE-NO-ORIGIN"


@frozen
class FoldStep(Generic[S]):
    """The 3-way merge with a further node. state: the merge of the nodes so far and this one."""

    clause: ClassVar = "HM-MERGE-STEP"
    node: str
    state: S


MergeStep: TypeAlias = (
    DefaultStep[S] | OrderStep | StartStep[S] | CommonAncestorsStep | OriginStep[S] | FoldStep[S]
)


@frozen
class _Origin(Generic[S]):
    """A note: before node b is merged, the merge of lcaU(A, b) is the state o."""

    b: str
    origins: frozenset[str]
    o: S


@frozen
class _Taken(Generic[S]):
    """A note: the merge of the nodes so far and b is a state."""

    b: str
    state: S


_Note: TypeAlias = _Origin[S] | _Taken[S]


@frozen(eq=False)
class MergeRecorder(Generic[S]):
    """Notes the steps of one merge.

    order_clause: the clause that gives the fold order.
    _notes: the notes about sets whose merge has not finished. _merged: set -> its steps, in the
    order in which the merges finished.
    """

    order_clause: str = ASCENDING
    _notes: list[_Note[S]] = field(factory=list, init=False)
    _merged: dict[frozenset[str], tuple[MergeStep[S], ...]] = field(factory=dict, init=False)

    def origin(self, b: str, origins: frozenset[str], o: S) -> None:
        """Note that o is the origin of the 3-way merge with b, and the merge of `origins`.

        Clauses: HM-STEPS-FOLD
        """
        self._notes.append(_Origin(b, origins, o))

    def taken(self, b: str, state: S) -> None:
        """Note the merge of the nodes so far and b. For the first node, it is the state of b.

        Clauses: HM-STEPS-FOLD
        """
        self._notes.append(_Taken(b, state))

    def merged(self, nodes: frozenset[str], state: S) -> None:
        """Note the merge of a set of nodes. The latest notes, which are about its nodes, end here.

        Clauses: HM-STEPS-MERGES
        """
        first = len(self._notes)
        while first and self._notes[first - 1].b in nodes:
            first -= 1
        notes = self._notes[first:]
        del self._notes[first:]
        # A set that is merged again has the same steps, and keeps its place.
        self._merged[nodes] = tuple(self._steps_of(nodes, state, notes))

    def steps(self) -> tuple[MergeStep[S], ...]:
        """Return the steps of the merge, after it has finished.

        An origin that is the default state or the state of one node has no steps of its own.

        Clauses: HM-STEPS-LIST, HM-STEPS-MERGES
        """
        last = next(reversed(self._merged))
        return tuple(
            step
            for nodes, steps in self._merged.items()
            if len(nodes) > 1 or nodes == last
            for step in steps
        )

    def _steps_of(
        self, nodes: frozenset[str], state: S, notes: Sequence[_Note[S]]
    ) -> Iterator[MergeStep[S]]:
        if not nodes:
            yield DefaultStep(state)
            return
        order = tuple(note.b for note in notes if isinstance(note, _Taken))
        yield OrderStep(order, self.order_clause)
        start = "HM-MERGE-FOLD" if len(nodes) > 1 else "HM-MERGE-ONE"
        for place, note in enumerate(notes):
            if isinstance(note, _Origin):
                yield CommonAncestorsStep(note.b, note.origins)
                yield OriginStep(note.origins, note.o)
            elif place:
                yield FoldStep(note.b, note.state)
            else:
                yield StartStep(note.b, note.state, start)
