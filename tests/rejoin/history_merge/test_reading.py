"""Readings: fold orders, and the four merges of sets."""

from __future__ import annotations

from attrs import evolve

from rejoin.history_merge import (
    DOCUMENT,
    READINGS,
    SET_MERGES,
    SETS,
    ascending,
    graph_of,
    merge,
    merging_sets_by,
    ranked,
    ranked_in,
    reducing,
)
from rejoin.history_merge.reading import FOLD_ORDERS
from support.plain_history_merge import nodes_in


def test_ids_ascend_as_strings_and_ranked_nodes_come_first() -> None:
    some = frozenset(["a", "B", "9", "10", "aa", "A"])
    assert next(iter(READINGS.values())) is DOCUMENT
    assert (DOCUMENT.fold_order, DOCUMENT.anti_chain_check) == (ascending, "reject")
    assert FOLD_ORDERS["ascending"] is ascending
    assert ascending(some) == ("10", "9", "A", "B", "a", "aa")
    assert FOLD_ORDERS["descending"](some) == ascending(some)[::-1]
    assert ranked([*"cxa"])(frozenset("abcd")) == ("c", "a", "b", "d")
    assert ranked_in(graph_of(nodes_in("r; p < r")), [*"pr"])(frozenset("rp")) == ("p", "r")


def test_a_reducing_reading_merges_the_maximal_nodes_only() -> None:
    graph = graph_of(nodes_in("r: {a}; p < r: {b}; q < r: {a c}; s < q: {c}"))
    assert merge(graph, [*"pqrs"], SETS, reducing()) == merge(graph, [*"ps"], SETS)
    assert merge(graph, ["p", "p"], SETS, reducing()) == frozenset("b")


def test_the_other_readings_differ_in_the_merge_of_sets_alone() -> None:
    assert [reading.set_merge for reading in READINGS.values()] == list(SET_MERGES)
    for name, reading in READINGS.items():
        assert evolve(reading, set_merge=DOCUMENT.set_merge) == evolve(DOCUMENT, name=name)
        assert reading is DOCUMENT or reading == merging_sets_by(reading.set_merge)


def test_a_reading_merges_every_set_on_the_way_by_its_merge() -> None:
    graph = graph_of(nodes_in("r: {}; p < r: {x}; q < r: {x}; s < p q: {x}; t < p q: {x}"))
    merged = {name: merge(graph, [*"st"], SETS, reading) for name, reading in READINGS.items()}
    kept = {name for name, state in merged.items() if state == frozenset("x")}
    assert kept == {"document", "removals-cancel"}
    assert {*merged} - kept == {"additions-cancel", "symmetric-difference"}
