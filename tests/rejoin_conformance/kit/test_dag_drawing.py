"""A DAG is drawn one line a node, each node in a lane."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rejoin_conformance.kit.dag_drawing import draw_dag


def _draw(dag: Mapping[str, Sequence[str]], notes: Mapping[str, str] | None = None) -> list[str]:
    return draw_dag(dag, {node: node for node in dag}, notes or {}).splitlines()


def test_a_chain_stays_in_one_lane() -> None:
    assert _draw({"a": [], "b": ["a"], "c": ["b"]}) == ["o  a", "o  b  <- a", "o  c  <- b"]


def test_a_fork_opens_a_lane_and_a_merge_closes_it() -> None:
    assert _draw({"a": [], "b": ["a"], "c": ["a"], "d": ["b", "c"]}) == [
        "o    a",
        "+-o  b  <- a",
        "o |  c  <- a",
        "o-'  d  <- b, c",
    ]


def test_a_line_crosses_a_lane_that_is_not_a_parent() -> None:
    assert _draw({"a": [], "b": ["a"], "c": ["a"], "d": ["a", "b"], "e": ["c", "d"]}) == [
        "o      a",
        "+-o    b  <- a",
        "+-|-o  c  <- a",
        "o-' |  d  <- a, b",
        "o---'  e  <- c, d",
    ]


def test_notes_stand_behind_the_names() -> None:
    assert _draw({"a": [], "b": ["a"]}, {"b": "says so"}) == ["o  a", "o  b  <- a   says so"]


def test_no_nodes_are_no_lines() -> None:
    assert _draw({}) == []
