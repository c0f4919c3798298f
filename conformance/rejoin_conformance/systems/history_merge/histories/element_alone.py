"""The same history for other states: one element by itself, and a counter beside it."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from rejoin.history_merge import Graph, Node, StateType
from rejoin.history_merge.three_way_merge import counter_three_way_merge, element_three_way_merge
from rejoin_conformance.kit.draw import Draw
from rejoin_conformance.systems.history_merge.histories.run import Run

Pair = tuple[bool, int]


def _pair_three_way_merge(o: Pair, a: Pair, b: Pair) -> Pair:
    return (
        element_three_way_merge(o[0], a[0], b[0]),
        counter_three_way_merge(o[1], a[1], b[1]),
    )


PAIRS: Final = StateType[Pair]("one element and a counter", (False, 0), _pair_three_way_merge)
"""One element by itself, and a counter beside it, merged in one go."""


def counted(past: int) -> int:
    """The counter after every message of a past added its own power of 16, once.

    A hexadecimal digit of any other number tells how often a message was counted.
    """
    return int(f"{past:b}", 16)


@frozen
class ElementAlone:
    """The same history with one element of its states, and a counter."""

    element: str
    graph: Graph[Pair]


def element_alone(run: Run, draw: Draw) -> ElementAlone:
    """The history for one element that something was done to, if there is one."""
    element = draw.pick(sorted(run.operations) or [""])
    graph: Graph[Pair] = Graph()
    for message in run.messages:
        state = (element in message.state, counted(message.past))
        graph.add(Node(message.post.id, frozenset(message.parents), state))
    return ElementAlone(element, graph)
