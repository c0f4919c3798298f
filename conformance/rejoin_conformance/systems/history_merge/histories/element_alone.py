"""The same history with other states: one element alone, and a counter."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from rejoin.history_merge import (
    SETS,
    Graph,
    Node,
    SetMerge,
    StateType,
    ThreeWayMerge,
    counter_three_way_merge,
    element_three_way_merge,
)
from rejoin_conformance.kit.draw import Draw
from rejoin_conformance.systems.history_merge.histories.run import Run

Pair = tuple[bool, int]


def _merging_elements_by(element_merge: ThreeWayMerge[bool]) -> ThreeWayMerge[Pair]:
    def three_way_merge(o: Pair, a: Pair, b: Pair) -> Pair:
        return element_merge(o[0], a[0], b[0]), counter_three_way_merge(o[1], a[1], b[1])

    return three_way_merge


def _of_one_element(set_merge: SetMerge) -> ThreeWayMerge[bool]:
    """Return a 3-way merge of sets for one element; its state is whether the set has it."""
    merge_sets = SETS.merging_by(set_merge)

    def three_way_merge(*states: bool) -> bool:
        o, a, b = (frozenset("x" if state else "") for state in states)
        return bool(merge_sets(o, a, b))

    return three_way_merge


PAIRS: Final = StateType[Pair](
    "one element and a counter",
    (False, 0),
    _merging_elements_by(element_three_way_merge),
    {each: _merging_elements_by(_of_one_element(each)) for each in SETS.other_merges},
)
"""The type of a pair state: one element alone and a counter, merged together."""


def counted(past: int) -> int:
    """Return the counter of a past in which every message added its own power of 16 once.

    If a counter differs, its hexadecimal digits show how often it counts each message.
    """
    return int(f"{past:b}", 16)


@frozen
class ElementAlone:
    """The same history, with one element of its states and a counter."""

    element: str
    graph: Graph[Pair]


def element_alone(run: Run, draw: Draw) -> ElementAlone:
    """Return the history for one element that a message added or removed, if there is one."""
    element = draw.pick(sorted(run.operations) or [""])
    graph: Graph[Pair] = Graph()
    for message in run.messages:
        state = (element in message.state, counted(message.past))
        graph.add(Node(message.post.id, message.node.parents, state))
    return ElementAlone(element, graph)
