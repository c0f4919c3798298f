"""How often the fold order decides whether registers conflict (HM-E26).

A history is a root and further nodes, each with a register as its state, and with parents that
merge to one state in every fold order. States are equal or different: the first node with a new
state gives it the next number.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from attrs import define, field, frozen

from rejoin_conformance.systems.history_merge.exhaust.dags import ROOT, Downset, dags, maximal

CONFLICT: Final = -1
"""The outcome of a merge that conflicts, in place of a state."""

Outcomes = frozenset[int]
"""The states, or `CONFLICT`, that a set of nodes can merge to. Every merge on the way can use any
fold order."""


@frozen
class RegisterCounts:
    """The histories of a root and `nodes` further nodes, whose states are registers.

    order_decides: the histories whose heads conflict in some fold orders and merge in others.
    two_conflict: those of them in which two of the heads conflict by themselves in some order.
    agree_in_vain: the histories whose heads conflict in every order, although the last operations
    before them set the same state. agree_on_another: those whose heads merge to another state in
    some order.
    """

    nodes: int
    histories: int = 0
    order_decides: int = 0
    two_conflict: int = 0
    agree_in_vain: int = 0
    agree_on_another: int = 0


def register_counts(nodes: int) -> RegisterCounts:
    """Return the counts of all histories of a root and that many further nodes."""
    histories = decides = pairs = in_vain = another = 0
    for dag in dags(nodes):
        for history in _histories(_Registers(), dag, 0):
            histories += 1
            heads = history.outcomes(history.everything)
            if CONFLICT in heads and len(heads) > 1:
                decides += 1
                pairs += history.two_heads_conflict()
            set_last = history.last_states()
            if len(set_last) == 1:
                in_vain += heads == {CONFLICT}
                another += bool(heads - {CONFLICT} - set_last)
    return RegisterCounts(nodes, histories, decides, pairs, in_vain, another)


@define
class _Registers:
    """A history while it grows.

    states: node -> its state. pasts: node -> its past, with itself. operations: the bits of the
    nodes that changed the merge of their parents. known: the outcomes of downsets.
    """

    states: list[int] = field(factory=lambda: [0])
    pasts: list[Downset] = field(factory=lambda: [ROOT])
    operations: int = ROOT
    known: dict[Downset, Outcomes] = field(factory=lambda: {ROOT: frozenset({0})})

    @property
    def everything(self) -> Downset:
        """Return the downset of all nodes."""
        return (1 << len(self.states)) - 1

    def outcomes(self, downset: Downset) -> Outcomes:
        """Return the outcomes of merging the maximal nodes of a downset."""
        found = self.known.get(downset)
        if found is None:
            found = self.known[downset] = self._merged(maximal(downset, self.pasts))
        return found

    def _merged(self, chain: tuple[int, ...]) -> Outcomes:
        if len(chain) == 1:
            return frozenset({self.states[chain[0]]})
        found: set[int] = set()
        for last in chain:
            rest = 0
            for node in chain:
                if node != last:
                    rest |= self.pasts[node]
            right = self.states[last]
            for origin in self.outcomes(rest & self.pasts[last]):
                found.update([_merge(origin, left, right) for left in self.outcomes(rest)])
        return frozenset(found)

    def two_heads_conflict(self) -> bool:
        """Return whether two of the heads conflict in some order."""
        heads = maximal(self.everything, self.pasts)
        return any(
            CONFLICT in self.outcomes(self.pasts[one] | self.pasts[two])
            for one, two in combinations(heads, 2)
        )

    def last_states(self) -> frozenset[int]:
        """Return the states that the last operations of the history set."""
        operations = [node for node in range(len(self.states)) if self.operations >> node & 1]
        return frozenset(
            self.states[node]
            for node in operations
            if not any(node != other and self.pasts[other] >> node & 1 for other in operations)
        )


def _merge(origin: int, left: int, right: int) -> int:
    if CONFLICT in (origin, left):
        return CONFLICT
    if left in (origin, right):
        return right
    return left if right == origin else CONFLICT


def _histories(history: _Registers, dag: tuple[Downset, ...], place: int) -> Iterator[_Registers]:
    """Yield the histories of a DAG, one after the other in the same object."""
    if place == len(dag):
        yield history
        return
    before = dag[place]
    merged = history.outcomes(before)
    if len(merged) != 1 or CONFLICT in merged:
        return
    node, known = len(history.states), history.known
    for state in range(max(history.states) + 2):
        history.states.append(state)
        history.pasts.append(before | 1 << node)
        operations = history.operations
        history.operations |= (state not in merged) << node
        history.known = known.copy()
        yield from _histories(history, dag, place + 1)
        history.known, history.operations = known, operations
        history.states.pop()
        history.pasts.pop()
