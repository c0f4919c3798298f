"""Histories are made of nodes, and refused where they are none."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rejoin.history_merge import HistoryMergeError, Node, ancestors, graph_of
from support.plain_history_merge import SetNode, histories, nodes_in


def _refused(text: str) -> HistoryMergeError:
    with pytest.raises(HistoryMergeError) as caught:
        graph_of(nodes_in(text))
    return caught.value


def test_two_nodes_with_one_id_are_refused_by_name() -> None:
    error = _refused("r: {}; p < r: {x}; p < r: {y}")
    assert (error.code, error.nodes) == ("duplicate-node", ("p",))


def test_a_parent_that_is_not_there_is_refused_with_the_child_and_all_missing_parents() -> None:
    error = _refused("r: {}; p < r z y: {x}")
    assert (error.code, error.nodes) == ("unknown-parent", ("p", "y", "z"))


def test_a_cycle_is_refused_with_its_nodes_from_child_to_parent() -> None:
    error = _refused("r: {}; d < c: {}; c < b: {}; b < a r: {}; a < c: {}")
    assert (error.code, error.nodes) == ("cycle", ("a", "c", "b"))


def test_a_refused_node_leaves_the_graph_as_it_was() -> None:
    graph = graph_of(nodes_in("r: {}; p < r: {}"))
    for wrong in (
        Node("r", frozenset[str](), frozenset("x")),
        Node("q", frozenset("z"), frozenset("x")),
    ):
        with pytest.raises(HistoryMergeError):
            graph.add(wrong)
    assert [node.id for node in graph] == ["r", "p"]
    assert graph.heads() == {"p"}
    assert graph.state("r") == frozenset()


def test_a_node_added_to_a_copy_is_not_in_the_original() -> None:
    original = graph_of(nodes_in("r: {}; p < r: {}"))
    copy = original.copy()
    copy.add(Node("q", frozenset("r"), frozenset()))
    assert len(original) == 2
    assert original.heads() == {"p"}
    assert copy.heads() == {"p", "q"}


@given(histories(), st.randoms(use_true_random=False))
def test_any_listing_of_the_nodes_gives_the_same_pasts_and_heads(
    nodes: tuple[SetNode, ...], random: Random
) -> None:
    shuffled = list(nodes)
    random.shuffle(shuffled)
    graph, other = graph_of(nodes), graph_of(shuffled)
    assert graph.heads() == other.heads()
    for node in nodes:
        assert ancestors(graph, node.id) == ancestors(other, node.id)


def test_a_chain_of_30_000_nodes_listed_backwards_is_a_history() -> None:
    size = 30_000
    nodes = [
        Node(str(index), frozenset([str(index - 1)] if index else []), frozenset[str]())
        for index in reversed(range(size))
    ]
    graph = graph_of(nodes)
    assert graph.heads() == {str(size - 1)}
    assert graph.pasts.number(str(size - 1)) == size - 1


def test_a_history_names_the_ids_that_it_lacks_once_each_in_order() -> None:
    graph = graph_of(nodes_in("r: {}; p < r: {}"))
    assert graph.lacks(["z", "p", "a", "z", "r"]) == ["a", "z"]
    assert graph.lacks(["r", "p"]) == []
