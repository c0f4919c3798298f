"""The choice points: fold order, and the treatment of sets that are not an anti-chain."""

from __future__ import annotations

import pytest
from attrs import evolve

from rejoin.history_merge import (
    DOCUMENT,
    READINGS,
    SET_MERGES,
    SETS,
    HistoryMergeError,
    ascending,
    folding_by,
    graph_of,
    merge,
    merging_sets_by,
    ranked,
    ranked_in,
    reducing,
)
from rejoin.history_merge.reading import FOLD_ORDERS
from support.plain_history_merge import nodes_in


def test_the_document_folds_by_ascending_id_and_rejects() -> None:
    assert next(iter(READINGS.values())) is DOCUMENT
    assert DOCUMENT.fold_order is ascending
    assert DOCUMENT.anti_chain_check == "reject"


def test_ids_ascend_as_strings() -> None:
    assert ascending(frozenset(["a", "B", "9", "10", "aa", "A"])) == (
        "10", "9", "A", "B", "a", "aa",
    )  # fmt: skip


def test_fold_orders_have_names_and_descending_is_the_opposite() -> None:
    assert FOLD_ORDERS["ascending"] is ascending
    some = frozenset(["a", "B", "9", "10", "aa", "A"])
    assert FOLD_ORDERS["descending"](some) == ascending(some)[::-1]


def test_ranked_nodes_come_first_and_the_others_ascend() -> None:
    assert ranked("cxa")(frozenset("abcd")) == ("c", "a", "b", "d")


def test_a_ranking_with_a_node_twice_is_refused_by_name() -> None:
    with pytest.raises(HistoryMergeError) as caught:
        ranked("abcb")
    assert (caught.value.code, caught.value.nodes) == ("not-a-fold-order", ("b",))


def test_a_ranking_with_an_unknown_node_is_refused_by_name() -> None:
    graph = graph_of(nodes_in("r: {}; p < r: {}"))
    assert ranked_in(graph, "pr")(frozenset("rp")) == ("p", "r")
    with pytest.raises(HistoryMergeError) as caught:
        ranked_in(graph, "zpy")
    assert (caught.value.code, caught.value.nodes) == ("not-a-fold-order", ("y", "z"))


@pytest.mark.parametrize(
    ("order", "wrong"),
    [("p", ("q",)), ("ppq", ("p", "p", "q")), ("pqr", ("r",)), ("pr", ("q", "r"))],
)
def test_a_fold_order_that_is_not_a_permutation_is_refused(
    order: str, wrong: tuple[str, ...]
) -> None:
    graph = graph_of(nodes_in("r: {}; p < r: {}; q < r: {}"))
    with pytest.raises(HistoryMergeError) as caught:
        merge(graph, "pq", SETS, folding_by(lambda _: tuple(order)))
    assert (caught.value.code, caught.value.nodes) == ("not-a-fold-order", wrong)


def test_a_reducing_reading_merges_the_maximal_nodes_only() -> None:
    graph = graph_of(nodes_in("r: {a}; p < r: {b}; q < r: {a c}; s < q: {c}"))
    assert merge(graph, "pqrs", SETS, reducing()) == merge(graph, "ps", SETS)
    assert merge(graph, ["p", "p"], SETS, reducing()) == frozenset("b")


def test_the_other_readings_differ_in_the_merge_of_sets_alone() -> None:
    assert [reading.set_merge for reading in READINGS.values()] == list(SET_MERGES)
    for name, reading in READINGS.items():
        assert evolve(reading, set_merge=DOCUMENT.set_merge) == evolve(DOCUMENT, name=name)
        assert reading is DOCUMENT or reading == merging_sets_by(reading.set_merge)


def test_a_reading_merges_every_set_on_the_way_by_its_merge() -> None:
    graph = graph_of(nodes_in("r: {}; p < r: {x}; q < r: {x}; s < p q: {x}; t < p q: {x}"))
    merged = {name: merge(graph, "st", SETS, reading) for name, reading in READINGS.items()}
    x, nothing = frozenset("x"), frozenset[str]()
    assert merged == {
        "document": x,
        "additions-cancel": nothing,
        "removals-cancel": x,
        "symmetric-difference": nothing,
    }
