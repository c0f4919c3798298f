"""A merge with a recorder has the same result, and lists each set of nodes once."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rejoin.history_merge import (
    DOCUMENT,
    SETS,
    CommonAncestorsStep,
    DefaultStep,
    FoldStep,
    MergeStep,
    Node,
    OrderStep,
    OriginStep,
    StartStep,
    complete_algorithm,
    fast_merge,
    folding_by,
    graph_of,
    ranked,
    recording,
)
from support.plain_history_merge import SetNode, anti_chains, histories

Steps = tuple[MergeStep[Any], ...]
EMPTY: frozenset[str] = frozenset()


def _node(id_: str, parents: str = "", state: str = "") -> SetNode:
    return Node(id_, frozenset(parents), frozenset(state))


CRISS_CROSS = (
    _node("r"),
    _node("p", "r", "x"),
    _node("q", "r", "y"),
    _node("a", "pq", "xy"),
    _node("b", "pq", "x"),
    _node("c", "pq", "y"),
)


def _steps(nodes: tuple[SetNode, ...], asked: str, order: str = "") -> tuple[Steps, Steps]:
    """Return the steps of both evaluations."""
    graph, reading = graph_of(nodes), folding_by(ranked(order)) if order else DOCUMENT
    literal, one = recording(reading)
    fast, other = recording(reading)
    complete_algorithm.merge(graph, asked, SETS, literal)
    fast_merge(graph, asked, SETS, fast)
    return one.steps(), other.steps()


def test_a_merge_of_two_branches_has_the_steps_of_the_pseudo_code() -> None:
    literal, fast = _steps(CRISS_CROSS, "pq")
    assert literal == fast
    assert literal == (
        OrderStep(("p", "q"), "HM-FOLD-ASCENDING"),
        StartStep("p", frozenset("x"), "HM-MERGE-FOLD"),
        CommonAncestorsStep("q", frozenset("r")),
        OriginStep(frozenset("r"), EMPTY),
        FoldStep("q", frozenset("xy")),
    )
    assert [step.clause for step in literal] == [
        "HM-FOLD-ASCENDING",
        "HM-MERGE-FOLD",
        "HM-LCAU-LOWEST",
        "HM-MERGE-ORIGIN",
        "HM-MERGE-STEP",
    ]


def test_a_set_that_two_folds_need_is_listed_once_and_before_them() -> None:
    literal, fast = _steps(CRISS_CROSS, "abc")
    assert literal == fast
    assert [step.nodes for step in literal if isinstance(step, OrderStep)] == [
        ("p", "q"),
        ("a", "b", "c"),
    ]
    assert [step for step in literal if isinstance(step, OriginStep)][1:] == [
        OriginStep(frozenset("pq"), frozenset("xy"))
    ] * 2


def test_the_merge_of_no_nodes_or_of_one_node_has_steps_too() -> None:
    assert _steps(CRISS_CROSS, "") == ((DefaultStep(EMPTY),),) * 2
    one = (
        OrderStep(("b",), "HM-FOLD-ASCENDING"),
        StartStep("b", frozenset("x"), "HM-MERGE-ONE"),
    )
    assert _steps(CRISS_CROSS, "b") == (one, one)


def test_nodes_without_a_common_ancestor_have_the_default_state_as_origin() -> None:
    literal, fast = _steps((_node("a", "", "x"), _node("b", "", "y")), "ab")
    assert literal == fast
    assert literal[2:4] == (CommonAncestorsStep("b", EMPTY), OriginStep(EMPTY, EMPTY))
    assert [step.clause for step in literal[2:4]] == ["HM-LCAU-NONE", "HM-MERGE-NO-ORIGIN"]


def test_a_given_order_is_named_as_such() -> None:
    literal, fast = _steps(CRISS_CROSS, "pq", order="qp")
    assert literal == fast
    assert literal[0] == OrderStep(("q", "p"), "HM-FOLD-RANKED")


def test_a_recorder_has_no_part_in_the_equality_of_readings() -> None:
    reading, _ = recording()
    assert reading == DOCUMENT
    assert hash(reading) == hash(DOCUMENT)
    assert repr(reading) == repr(DOCUMENT)


@given(st.data())
def test_the_steps_end_with_the_merge_and_both_evaluations_have_the_same(data: Any) -> None:
    nodes = data.draw(histories())
    asked = data.draw(anti_chains(nodes))
    graph = graph_of(nodes)
    literal, fast = _steps(nodes, "".join(sorted(asked)))
    assert literal == fast
    last = literal[-1]
    assert isinstance(last, DefaultStep | StartStep | FoldStep)
    assert last.state == complete_algorithm.merge(graph, asked, SETS)
    sets = [frozenset(step.nodes) for step in literal if isinstance(step, OrderStep)]
    assert len(sets) == len({*sets})
