"""Version DAGs as letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rejoin_conformance.systems.conflict_detection.drawing import draw_dag


def drawn(dag: Mapping[str, Sequence[str]], **notes: str) -> list[str]:
    return draw_dag(dag, {name: name for name in dag}, notes).splitlines()


def test_a_chain_stays_in_one_lane() -> None:
    assert drawn({"A1": [], "A2": ["A1"], "A3": ["A2"]}) == [
        "o  A1",
        "o  A2  <- A1",
        "o  A3  <- A2",
    ]


def test_a_fork_opens_a_lane_and_a_resolution_closes_it() -> None:
    assert drawn({"A1": [], "B1": ["A1"], "A2": ["A1"], "A3": ["A2", "B1"]}, A3="at A and B") == [
        "o    A1",
        "+-o  B1  <- A1",
        "o |  A2  <- A1",
        "o-'  A3  <- A2, B1   at A and B",
    ]


def test_first_versions_of_several_clients_stand_side_by_side() -> None:
    assert drawn({"A1": [], "B1": [], "C1": [], "A2": ["A1", "C1"], "B2": ["B1", "A2"]}) == [
        "o      A1",
        "| o    B1",
        "| | o  C1",
        "o-|-'  A2  <- A1, C1",
        "o-'    B2  <- B1, A2",
    ]


def test_a_version_that_nothing_follows_frees_its_lane() -> None:
    assert drawn({"A1": [], "B1": [], "C1": [], "A2": ["A1"], "C2": ["C1"]}) == [
        "o    A1",
        "| o  B1",
        "| o  C1",
        "o |  A2  <- A1",
        "  o  C2  <- C1",
    ]


def test_without_versions_there_is_nothing_to_draw() -> None:
    assert drawn({}) == []
