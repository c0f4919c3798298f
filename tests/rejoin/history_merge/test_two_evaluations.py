"""The literal and the fast evaluation agree on every small history and on random ones.

Results are compared as terms: the state of a node is its ID, and a 3-way merge only notes what it
is given. Two evaluations with the same term agree for every type of state and for all states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain, combinations, permutations
from typing import Any

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from rejoin.history_merge import (
    REGISTERS,
    FoldOrder,
    Graph,
    HistoryMergeError,
    Node,
    StateType,
    ancestors_of_all,
    ascending,
    before,
    complete_algorithm,
    fast_ancestors_of_all,
    fast_before,
    fast_is_anti_chain,
    fast_lca,
    fast_lca2,
    fast_lca_u,
    fast_maximal,
    fast_merge,
    fast_merge_fold_recurse,
    fast_merge_recurse_fold,
    fast_transitive_reduction,
    folding_by,
    graph_of,
    is_anti_chain,
    lca2,
    lca_u,
    maximal,
    partial_orders,
    ranked,
    reducing,
    simple_derivation,
)
from rejoin.history_merge.reading import descending
from rejoin_conformance.systems.history_merge.exhaust.literal import every_dag
from support.plain_history_merge import SetNode, anti_chains, by_id, histories

MERGES: tuple[tuple[Callable[..., Any], Callable[..., Any]], ...] = (
    (complete_algorithm.merge, fast_merge),
    (simple_derivation.merge_fold_recurse, fast_merge_fold_recurse),
    (simple_derivation.merge_recurse_fold, fast_merge_recurse_fold),
)
SET_QUERIES: tuple[tuple[Callable[..., Any], Callable[..., Any]], ...] = (
    (ancestors_of_all, fast_ancestors_of_all),
    (maximal, fast_maximal),
    (is_anti_chain, fast_is_anti_chain),
    (simple_derivation.lca, fast_lca),
)
SIZES = (*range(5), pytest.param(5, marks=pytest.mark.long))
"""Numbers of nodes after the root. The histories with 5 take ten times as long as the others."""


@frozen(eq=False)
class _Case:
    """A history, the anti-chains among its sets of nodes, and the other sets."""

    graph: Graph[str]
    anti_chains: tuple[tuple[str, ...], ...]
    others: tuple[tuple[str, ...], ...]


TERMS = StateType[Any]("term", "default", lambda o, a, b: (o, a, b))
"""States that show how they were merged, so states of every other type merge alike too."""


def _result(function: Callable[..., Any], *given: Any) -> Any:
    """Return the result of a function, or its complete refusal."""
    try:
        return function(*given)
    except HistoryMergeError as error:
        return error.code, str(error), error.nodes


def _agree(literal: Callable[..., Any], fast: Callable[..., Any], *given: Any) -> bool:
    return bool(_result(literal, *given) == _result(fast, *given))


@cache
def _cases(nodes: int) -> tuple[_Case, ...]:
    """Every history of a root and that many nodes, and each without its root."""
    return tuple(map(_case_of, _small_graphs(nodes)))


def _case_of(graph: Graph[str]) -> _Case:
    subsets = _subsets(graph)
    chains = tuple(chosen for chosen in subsets if is_anti_chain(graph, chosen))
    return _Case(graph, chains, tuple(sorted({*subsets} - {*chains})))


def _small_graphs(nodes: int) -> Iterator[Graph[str]]:
    for parents in every_dag(nodes):
        for first in (0, 1):
            graph: Graph[str] = Graph()
            for number, above in enumerate(((), *parents)):
                if number >= first:
                    names = frozenset(str(parent) for parent in above if parent >= first)
                    graph.add(Node(str(number), names, str(number)))
            yield graph


def _subsets(graph: Graph[Any]) -> list[tuple[str, ...]]:
    names = [node.id for node in graph]
    return list(chain.from_iterable(combinations(names, n) for n in range(len(names) + 1)))


@pytest.mark.parametrize("nodes", SIZES)
def test_every_merge_of_every_small_history_is_the_same_term(nodes: int) -> None:
    for case in _cases(nodes):
        for x in case.anti_chains:
            for order in (ascending, descending):
                reading = folding_by(order)
                assert all(_agree(*both, case.graph, x, TERMS, reading) for both in MERGES)


@pytest.mark.parametrize("nodes", range(5))
def test_every_fold_order_of_every_smaller_history_gives_the_same_term(nodes: int) -> None:
    for case in _cases(nodes):
        chains = [x for x in case.anti_chains if len(x) > 1]
        for ranking in permutations([node.id for node in case.graph]):
            reading = folding_by(ranked(ranking))
            assert all(_agree(*MERGES[0], case.graph, x, TERMS, reading) for x in chains)


@pytest.mark.parametrize("nodes", SIZES)
def test_every_set_that_is_not_an_anti_chain_is_refused_in_the_same_words(nodes: int) -> None:
    for case in _cases(nodes):
        for x in case.others:
            assert all(_agree(*both, case.graph, x, TERMS) for both in MERGES)
            assert _agree(*MERGES[0], case.graph, x, TERMS, reducing())


@pytest.mark.parametrize("nodes", range(5))
def test_every_query_of_the_order_has_one_answer(nodes: int) -> None:
    for graph in _small_graphs(nodes):
        names = [node.id for node in graph]
        assert partial_orders.transitive_reduction(graph) == fast_transitive_reduction(graph)
        for chosen in _subsets(graph):
            assert all(_agree(*both, graph, chosen) for both in SET_QUERIES)
            assert all(_agree(lca_u, fast_lca_u, graph, chosen, b) for b in names)
        for u, v in combinations([*names, *names], 2):
            assert _agree(before, fast_before, graph, u, v)
            assert _agree(lca2, fast_lca2, graph, u, v)


def test_unknown_nodes_are_refused_in_the_same_words() -> None:
    graph: Graph[str] = graph_of([Node("r", frozenset(), ""), Node("p", frozenset("r"), "")])
    unknown: tuple[Iterable[str], ...] = (["z", "p", "y"], ["z"], ["y", "y"], ["z", "z", "p", "p"])
    for x in unknown:
        assert all(_agree(*both, graph, x, TERMS) for both in MERGES)
        assert all(_agree(*both, graph, x) for both in SET_QUERIES)
        assert _agree(lca_u, fast_lca_u, graph, x, "q")
    for pair in (("r", "z"), ("z", "r"), ("z", "y")):
        assert _agree(before, fast_before, graph, *pair)
        assert _agree(lca2, fast_lca2, graph, *pair)


@pytest.mark.parametrize("x", [[*"pp"], [*"prp"], [*"pq"]])
def test_repeated_and_conflicting_nodes_are_refused_in_the_same_words(x: list[str]) -> None:
    graph = graph_of(
        [Node("r", frozenset[str](), "o"), *(Node(n, frozenset("r"), n) for n in "pq")]
    )
    for literal, fast in MERGES:
        assert isinstance(_result(literal, graph, x, REGISTERS), tuple)
        assert _agree(literal, fast, graph, x, REGISTERS)


@given(histories(max_nodes=12), st.data())
def test_random_histories_merge_to_the_same_terms(
    nodes: tuple[SetNode, ...], data: st.DataObject
) -> None:
    graph = graph_of(Node(node.id, node.parents, node.id) for node in nodes)
    x = data.draw(anti_chains(nodes) | st.sets(st.sampled_from(sorted(by_id(nodes)))))
    ranking: FoldOrder = ranked(data.draw(st.permutations(sorted(by_id(nodes)))))
    for order in (ascending, descending, ranking):
        reading = folding_by(order)
        assert all(_agree(*both, graph, x, TERMS, reading) for both in MERGES)
        assert _agree(*MERGES[0], graph, x, TERMS, reducing(reading))
