"""In how many histories the two loose variants of the anti-chain check give another state (HM-E14).

The document says of two variants of CHECK that they are not enough: one continues, and one returns
the state so far. A history is a root that lacks the element and further nodes, each with or without
it. Every set that is not an anti-chain is merged in every fold order, and compared with the merge
of its maximal nodes in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations, product
from typing import Final, TypeAlias

from attrs import frozen

from rejoin.history_merge import (
    SETS,
    AntiChainCheck,
    Graph,
    Node,
    checking_by,
    folding_by,
    graph_of,
    is_anti_chain,
    merge,
    ranked,
    reducing,
)
from rejoin_conformance.systems.history_merge.exhaust.dags import dags, parents_of

State: TypeAlias = frozenset[str]
VARIANTS: Final[tuple[AntiChainCheck, ...]] = ("continue", "return-as")

_WITHOUT: Final[State] = frozenset()
_WITH: Final = frozenset("x")


@frozen
class CheckCase:
    """A set that is merged to another state than its maximal nodes.

    nodes: the history; node 0 is the root. order: the set in fold order. state: its merge under
    the variant. reduced: the merge of its maximal nodes.
    """

    nodes: tuple[Node[State], ...]
    order: tuple[str, ...]
    state: State
    reduced: State


def check_cases(variant: AntiChainCheck, nodes: int) -> tuple[CheckCase, ...]:
    """Return a case for each history of that many nodes besides the root that has one."""
    found = (_case(variant, history) for history in histories(nodes))
    return tuple(case for case in found if case is not None)


def histories(nodes: int) -> Iterator[tuple[Node[State], ...]]:
    """Yield every history of a root and that many further nodes, for one element."""
    for dag in dags(nodes):
        for states in product((_WITHOUT, _WITH), repeat=nodes):
            further = zip(parents_of(dag), states, strict=True)
            yield (
                Node("0", frozenset(), _WITHOUT),
                *(
                    Node(str(number), frozenset(map(str, parents)), state)
                    for number, (parents, state) in enumerate(further, start=1)
                ),
            )


def _case(variant: AntiChainCheck, nodes: tuple[Node[State], ...]) -> CheckCase | None:
    graph = graph_of(nodes)
    for order in _orders(graph):
        folding = folding_by(ranked(order))
        state = merge(graph, order, SETS, checking_by(variant, folding))
        reduced = merge(graph, order, SETS, reducing(folding))
        if state != reduced:
            return CheckCase(nodes, order, state, reduced)
    return None


def _orders(graph: Graph[State]) -> Iterator[tuple[str, ...]]:
    """Yield every order of every set that is not an anti-chain, smaller sets first."""
    names = [node.id for node in graph]
    for size in range(2, len(names) + 1):
        for chosen in combinations(names, size):
            if not is_anti_chain(graph, chosen):
                yield from permutations(chosen)
