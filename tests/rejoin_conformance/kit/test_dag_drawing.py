"""A DAG is drawn one line a node, each node in a lane."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rejoin_conformance.kit.dag_drawing import draw_dag, drawing_of_nodes
from rejoin_conformance.kit.json_types import Json


def _draw(dag: Mapping[str, Sequence[str]]) -> list[str]:
    return draw_dag(dag, {node: node for node in dag}, {}).splitlines()


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


def test_json_that_lists_no_dag_is_not_drawn() -> None:
    wrong: tuple[list[Json], ...] = (
        [{"id": "a", "parents": ["a"]}],
        [{"id": "a", "parents": []}, {"id": "a", "parents": []}],
        [7],
        [{"id": 7, "parents": []}],
    )
    for listed in wrong:
        assert drawing_of_nodes("", listed, lambda _node: "") is None
