"""HM-E14: the two loose variants of CHECK are not enough, and the smallest histories show it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from rejoin.history_merge import (
    SETS,
    AntiChainCheck,
    Graph,
    Node,
    ancestors,
    graph_of,
    merge,
    operational_edges,
)
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.systems.history_merge.exhaust.check_variants import (
    CheckCase,
    State,
    check_cases,
    histories,
)


def changes(graph: Graph[State]) -> tuple[list[str], list[str]]:
    """Return the nodes that add the element, and those that remove it."""
    edges = [edge.node for edge in operational_edges(graph, SETS)]
    return (
        [node for node in edges if graph.state(node)],
        [node for node in edges if not graph.state(node)],
    )


def has_the_premise(nodes: Sequence[Node[State]]) -> bool:
    """Return whether no addition of the element is concurrent with a removal."""
    graph = graph_of(nodes)
    added, removed = changes(graph)
    return all(
        one in ancestors(graph, other) or other in ancestors(graph, one)
        for one in added
        for other in removed
    )


def test_how_many_histories_show_that_a_variant_is_not_enough() -> None:
    assert [len(list(histories(nodes))) for nodes in (1, 2, 3)] == [2, 8, 56]
    assert [len(check_cases("return-as", nodes)) for nodes in (1, 2, 3)] == [1, 6, 49]
    assert [len(check_cases("continue", nodes)) for nodes in (1, 2, 3)] == [0, 0, 3]


def test_if_check_continues_it_fails_only_where_an_addition_is_concurrent_with_a_removal() -> None:
    assert not any(has_the_premise(case.nodes) for case in check_cases("continue", 3))
    assert any(has_the_premise(case.nodes) for case in check_cases("return-as", 3))


def test_the_smallest_history_for_continue_is_that_of_the_clause() -> None:
    cases = check_cases("continue", 3)
    shown = CheckCase(
        nodes=(
            Node("0", frozenset(), frozenset()),
            Node("1", frozenset("0"), frozenset("x")),
            Node("2", frozenset("0"), frozenset("x")),
            Node("3", frozenset("1"), frozenset()),
        ),
        order=("1", "2", "3"),
        state=frozenset(),
        reduced=frozenset("x"),
    )
    assert shown in cases
    graph = graph_of(shown.nodes)
    assert merge(graph, ["2", "3"], SETS) == shown.reduced


@pytest.mark.parametrize(
    ("variant", "name", "reduced"),
    [
        ("continue", "continues-after-two-additions", "reduced-after-two-additions"),
        ("return-as", "returns-with-the-older-node-first", "reduced-to-the-newer-of-two"),
    ],
)
def test_the_vectors_have_smallest_histories(
    variant: AntiChainCheck, name: str, reduced: str
) -> None:
    vectors = {vector.id.rpartition("/")[2]: vector for vector in load_system("history-merge")}
    asked: Any = vectors[name].input
    place = {node["id"]: str(number) for number, node in enumerate(asked["nodes"])}
    nodes = tuple(
        Node(place[n["id"]], frozenset(place[p] for p in n["parents"]), frozenset(n["state"]))
        for n in asked["nodes"]
    )
    (case,) = [each for each in check_cases(variant, len(nodes) - 1) if each.nodes == nodes]
    assert [place[each] for each in sorted(asked["merge"], key=rank_in(asked))] == [*case.order]
    assert answer(vectors[name]) == case.state
    assert answer(vectors[reduced]) == case.reduced
    assert vectors[reduced].input["nodes"] == asked["nodes"]


def rank_in(asked: Any) -> Callable[[str], tuple[int, str]]:
    """Return the key of the fold order of an input."""
    order = asked.get("order", [])
    return lambda node: (order.index(node) if node in order else len(order), node)


def answer(vector: Vector) -> State:
    """Return the state that a vector expects."""
    (expected,) = vector.expected.values()
    output: Any = expected["output"]
    return frozenset(output["state"])
