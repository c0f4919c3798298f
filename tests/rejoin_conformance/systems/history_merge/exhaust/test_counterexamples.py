"""The smallest counterexamples are these, up to renaming."""

from __future__ import annotations

from functools import cache

from rejoin_conformance.systems.history_merge.exhaust.counts import (
    QUESTIONS,
    Unit,
    counterexamples,
    units_of,
)
from rejoin_conformance.systems.history_merge.exhaust.plain import (
    Case,
    canonical,
    described,
    history,
)
from support.history_merge_claims import findings_of

REMOVED_ONCE = Case(((0,), (0,), (1,), (1,)), (True, True, False, True))
REMOVED_TWICE = Case(((0,), (0,), (1,), (1,)), (True, True, True, True))
ADDED_AGAIN = Case(((0,), (1,), (1,), (2,), (2,)), (True, True, True, False, True))
ONLY_NOT_ASSOCIATIVE = Case(
    ((0,), (0,), (1,), (1, 2), (1, 2), (3,), (3,)),
    (True, True, True, False, False, False, True),
)


@cache
def _answers(nodes: int) -> dict[str, set[Case]]:
    """By name of the question, the answers of a size."""
    answers: dict[str, set[Case]] = {}
    for unit in units_of(nodes):
        for number, cases in counterexamples(unit, list(range(len(QUESTIONS)))).items():
            answers.setdefault(QUESTIONS[number].name, set()).update(cases)
    return answers


def test_fewer_than_four_nodes_besides_the_root_show_nothing() -> None:
    for nodes in (1, 2, 3):
        assert not any(_answers(nodes).values())


def test_four_nodes_make_two_counterexamples() -> None:
    answers = _answers(4)
    assert answers["none"] == {REMOVED_ONCE, REMOVED_TWICE}
    assert answers["removed-once"] == {REMOVED_ONCE}
    assert answers["no-concurrent-removals"] == {REMOVED_ONCE}
    assert answers["single-parents-removed-once-no-re-adding"] == {REMOVED_ONCE}
    assert answers["single-parents"] == {REMOVED_ONCE, REMOVED_TWICE}
    assert answers["no-concurrent-additions"] == set()


def test_without_concurrent_additions_it_takes_five() -> None:
    assert _answers(5)["no-concurrent-additions"] == {ADDED_AGAIN}


def test_with_seven_associativity_can_fail_though_no_order_matters() -> None:
    """The one counterexample of that size; this unit has it."""
    (question,) = [place for place, each in enumerate(QUESTIONS) if not each.order_matters]
    assert counterexamples(Unit(7, 6), [question]) == {question: {ONLY_NOT_ASSOCIATIVE}}
    found = findings_of(history(ONLY_NOT_ASSOCIATIVE.parents, ONLY_NOT_ASSOCIATIVE.changes))
    assert found["order_dependent"] == 0
    assert found["not_associative"] == 1


def test_renamed_histories_have_one_canonical_form() -> None:
    renamed = Case(((0,), (1,), (0,), (1,)), (True, True, True, False))
    assert canonical(renamed) == REMOVED_ONCE
    assert canonical(REMOVED_ONCE) == REMOVED_ONCE
    assert canonical(REMOVED_TWICE) != REMOVED_ONCE


def test_a_counterexample_is_reported_with_orders_splits_and_a_drawing() -> None:
    told = described(REMOVED_ONCE)
    assert told["nodes"] == [
        {"id": "0", "parents": [], "state": []},
        {"id": "1", "parents": ["0"], "state": ["x"]},
        {"id": "2", "parents": ["0"], "state": ["x"]},
        {"id": "3", "parents": ["1"], "state": ["x"]},
        {"id": "4", "parents": ["1"], "state": []},
    ]
    assert told["sets"] == [
        {
            "nodes": ["2", "3", "4"],
            "results": [
                {"state": [], "orders": [["2", "3", "4"], ["3", "2", "4"]]},
                {
                    "state": ["x"],
                    "orders": [["2", "4", "3"], ["3", "4", "2"], ["4", "2", "3"], ["4", "3", "2"]],
                },
            ],
        }
    ]
    assert told["splits"] == [
        {"a": ["2", "4"], "b": ["3"], "together": [], "over_new_node": ["x"]},
        {"a": ["3", "4"], "b": ["2"], "together": [], "over_new_node": ["x"]},
    ]
    assert told["drawing"] == (
        "o    0   {}\n"
        "+-o  1  <- 0   {x}  adds x\n"
        "o |  2  <- 0   {x}  adds x\n"
        "o-+  3  <- 1   {x}\n"
        "  o  4  <- 1   {}  removes x"
    )
