"""A DAG is drawn one line a node, each node in a lane."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rejoin_conformance.kit.dag_drawing import Drawing, draw_dag, drawing_of_nodes
from rejoin_conformance.kit.json_types import Json


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


def test_a_marked_node_is_another_sign() -> None:
    drawing = Drawing("", {1: [], 2: [1]}, {1: "a", 2: "b"}, marked=frozenset({2}))
    assert drawing.text().splitlines() == ["o  a", "@  b  <- a"]


def test_nodes_in_json_are_drawn_parents_first() -> None:
    listed: list[Json] = [{"id": "b", "parents": ["a", "unknown", 7]}, {"id": "a", "parents": []}]
    drawing = drawing_of_nodes("title", listed, lambda _node: "", marked={"a"})
    assert drawing is not None
    assert drawing.text().splitlines() == ["@  a", "o  b  <- a"]


def test_json_that_lists_no_dag_is_not_drawn() -> None:
    wrong: tuple[list[Json], ...] = (
        [{"id": "a", "parents": ["a"]}],
        [{"id": "a", "parents": []}, {"id": "a", "parents": []}],
        [7],
        [{"id": 7, "parents": []}],
    )
    for listed in wrong:
        assert drawing_of_nodes("", listed, lambda _node: "") is None


def test_no_nodes_are_no_lines() -> None:
    assert _draw({}) == []
