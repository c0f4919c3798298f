"""Each refusal has its code and names its nodes, and changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import permutations
from typing import Any

import pytest

from rejoin.errors import RejoinError
from rejoin.history_merge import (
    SETS,
    HistoryMergeError,
    Node,
    ancestors_of_all,
    folding_by,
    graph_of,
    is_anti_chain,
    lca_u,
    maximal,
    merge,
    ranked,
    ranked_in,
    session_of,
)
from rejoin.history_merge.errors import named, repeated
from support.plain_history_merge import nodes_in

GRAPH = graph_of(nodes_in("r: {}; p < r: {}; q < r: {}; s < q: {}"))


def _history(text: str) -> Callable[[], Any]:
    return lambda: graph_of(nodes_in(text))


def _folded(order: str) -> Callable[[], Any]:
    return lambda: merge(GRAPH, [*"pq"], SETS, folding_by(lambda _: tuple(order)))


REFUSED: dict[str, tuple[Callable[[], Any], str, tuple[str, ...]]] = {
    "two nodes with one ID": (
        _history("r: {}; p < r: {x}; p < r: {y}"),
        "duplicate-node",
        ("p",),
    ),
    "parents that are not there": (
        _history("r: {}; p < r z y: {x}"),
        "unknown-parent",
        ("p", "y", "z"),
    ),
    "a cycle, from child to parent": (
        _history("r: {}; d < c: {}; c < b: {}; b < a r: {}; a < c: {}"),
        "cycle",
        ("a", "c", "b"),
    ),
    "unknown nodes to merge": (lambda: merge(GRAPH, [*"zpy"], SETS), "unknown-node", ("y", "z")),
    "unknown nodes on both sides": (lambda: lca_u(GRAPH, [*"zp"], "y"), "unknown-node", ("y", "z")),
    "unknown ancestors": (lambda: ancestors_of_all(GRAPH, [*"zpy"]), "unknown-node", ("y", "z")),
    "unknown maximal nodes": (lambda: maximal(GRAPH, [*"zpy"]), "unknown-node", ("y", "z")),
    "an unknown anti-chain": (lambda: is_anti_chain(GRAPH, [*"zpy"]), "unknown-node", ("y", "z")),
    "a ranking with a node twice": (lambda: ranked([*"abcb"]), "not-a-fold-order", ("b",)),
    "a ranking of unknown nodes": (
        lambda: ranked_in(GRAPH, [*"zpy"]),
        "not-a-fold-order",
        ("y", "z"),
    ),
    "an order without a node": (_folded("p"), "not-a-fold-order", ("q",)),
    "an order with a node twice": (_folded("ppq"), "not-a-fold-order", ("p", "p", "q")),
    "an order with another node": (_folded("pqr"), "not-a-fold-order", ("r",)),
    "an order of other nodes": (_folded("pr"), "not-a-fold-order", ("q", "r")),
    **{
        f"an older node, folding {order}": (
            partial(merge, GRAPH, order, SETS, folding_by(ranked(order))),
            "not-an-anti-chain",
            ("q", "s"),
        )
        for order in permutations("pqs")
    },
}


def test_each_refusal_has_its_code_and_names_its_nodes() -> None:
    found = {}
    for name, (refused, _, _) in REFUSED.items():
        with pytest.raises(HistoryMergeError) as caught:
            refused()
        found[name] = (caught.value.code, caught.value.nodes)
    assert found == {name: (code, nodes) for name, (_, code, nodes) in REFUSED.items()}


@pytest.mark.parametrize(
    ("text", "code", "nodes"),
    [
        ("m < p z y: {a}", "unknown-parent", ("m", "y", "z")),
        ("m < p q s: {a}", "not-an-anti-chain", ("q", "s")),
        ("p < r: {x}", "duplicate-node", ("p",)),
    ],
)
def test_a_refused_message_changes_neither_session_nor_graph(
    text: str, code: str, nodes: tuple[str, ...]
) -> None:
    session = session_of(GRAPH, SETS)
    before = (len(session.graph), session.graph.heads(), session.members())
    (message,) = nodes_in(text)
    with pytest.raises(HistoryMergeError) as caught:
        session.accept(message)
    assert (caught.value.code, caught.value.nodes) == (code, nodes)
    assert (len(session.graph), session.graph.heads(), session.members()) == before
    graph = GRAPH.copy()
    if code != "not-an-anti-chain":
        with pytest.raises(HistoryMergeError):
            graph.add(message)
        assert [*graph] == [*GRAPH]
        assert (graph.heads(), graph.state("p")) == (GRAPH.heads(), frozenset())


def test_a_node_added_to_a_copy_is_not_in_the_original() -> None:
    copy = GRAPH.copy()
    copy.add(Node("t", frozenset("r"), frozenset()))
    assert copy.heads() - GRAPH.heads() == {"t"}
    assert (GRAPH.lacks(["z", "p", "t", "z"]), copy.lacks("zt")) == (["t", "z"], ["z"])


def test_an_error_says_its_code_its_message_and_its_nodes() -> None:
    error = HistoryMergeError("cycle", "these go round: 'a'", ["a"])
    assert isinstance(error, RejoinError)
    assert str(error) == "cycle: these go round: 'a'"
    assert named(["b", "a"]) == "'b', 'a'"
    assert named(str(n) for n in range(10)) == "'0', '1', '2', '3', '4', '5', '6', '7' and 2 more"
    assert repeated("cabcbc") == ["b", "c"]
    with pytest.raises(HistoryMergeError, match="'r' is an ancestor of 'p'"):
        merge(GRAPH, [*"pr"], SETS)
