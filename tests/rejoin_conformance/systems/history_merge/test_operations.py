"""The operations answer by their schemas, and refuse what the schemas refuse."""

from __future__ import annotations

import pytest

from rejoin_conformance.contract.operation import Operation, Output, Rejected
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.history_merge.operations import OPERATIONS
from rejoin_conformance.systems.history_merge.text import messages_in

BY_NAME = {operation.name.partition("/")[2]: operation for operation in OPERATIONS}
FORK = "r: {a b}; p < r: {a b c}; q < r: {b}"


def _operation(name: str) -> Operation:
    return BY_NAME[name]


def _code(name: str, value: JsonObject) -> str:
    result = _operation(name).run(value, "document")
    assert isinstance(result, Rejected)
    return result.code


def test_every_operation_of_the_design_is_there() -> None:
    assert set(BY_NAME) >= {
        "ancestors",
        "maximal",
        "common-ancestors",
        "three-way-merge",
        "merge",
        "merge-recurse-fold",
        "members",
        "accept",
    }
    assert {operation.system for operation in OPERATIONS} == {"history-merge"}


def test_lists_of_ids_may_be_in_any_order_and_come_out_sorted() -> None:
    result = _operation("ancestors").run(
        {"nodes": messages_in("q < r; p < r; r"), "of": ["q", "p"]}, "document"
    )
    assert result == Output({"nodes": ["p", "q", "r"]})


def test_states_are_not_looked_at_where_only_the_order_counts() -> None:
    nodes = [*messages_in("r: {a}"), *messages_in("p < r: 7")]
    result = _operation("maximal").run({"nodes": nodes, "among": ["p", "r"]}, "document")
    assert result == Output({"nodes": ["p"]})


@pytest.mark.parametrize(
    "wrong",
    [
        {"nodes": messages_in(FORK)},
        {"nodes": messages_in(FORK), "merge": ["p"], "surplus": 1},
        {"nodes": messages_in("r; p < r; q < r"), "merge": ["p"]},
        {"nodes": messages_in(FORK), "merge": "p"},
        {"nodes": messages_in(FORK), "merge": ["p q"]},
        {"nodes": messages_in(FORK), "merge": [""]},
        {"nodes": messages_in(FORK), "merge": ["p\n"]},
        {"nodes": messages_in(FORK), "merge": ["p"], "state_type": "list"},
        {"nodes": messages_in(FORK), "merge": ["p"], "state_type": "counter"},
        {"nodes": messages_in("r: 1"), "merge": ["r"]},
        {"nodes": messages_in('r: "01"'), "merge": ["r"], "state_type": "counter"},
        {"nodes": messages_in("r: " + "9" * 61), "merge": ["r"], "state_type": "counter"},
        {"nodes": [{"id": "r", "parents": [], "state": ["a", "a"]}], "merge": ["r"]},
        {"nodes": [{"id": "r", "parents": ["p", "p"], "state": []}], "merge": ["r"]},
    ],
)
def test_input_that_breaks_the_schema_is_rejected(wrong: JsonObject) -> None:
    assert _code("merge", wrong) == "input"


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("ancestors", {"nodes": messages_in("r; r"), "of": []}, "duplicate-node"),
        ("ancestors", {"nodes": messages_in("r < p"), "of": []}, "unknown-parent"),
        ("ancestors", {"nodes": messages_in("r < p; p < r"), "of": []}, "cycle"),
        ("ancestors", {"nodes": [], "of": ["z"]}, "unknown-node"),
        ("merge", {"nodes": messages_in(FORK), "merge": ["p", "r"]}, "not-an-anti-chain"),
        ("merge", {"nodes": messages_in(FORK), "merge": ["p"], "order": ["z"]}, "not-a-fold-order"),
        ("common-ancestors", {"nodes": messages_in("r"), "of": [], "with": "r"}, "empty-set"),
        (
            "three-way-merge",
            {"origin": "a", "left": "b", "right": "c", "state_type": "register"},
            "conflict",
        ),
    ],
)
def test_each_code_of_the_reference_comes_through(name: str, value: JsonObject, code: str) -> None:
    assert _code(name, value) == code


def test_a_rejection_names_the_nodes() -> None:
    result = _operation("accept").run(
        {
            "nodes": messages_in(FORK),
            "message": {"id": "m", "parents": ["p", "r"], "state": []},
        },
        "document",
    )
    assert isinstance(result, Rejected)
    assert "'r'" in result.reason
    assert "'p'" in result.reason


def test_a_session_goes_on_after_a_refusal() -> None:
    messages = messages_in("r: {a}; q < p: {b}; p < r: {a b}")
    assert _operation("session").run({"messages": messages}, "document") == Output(
        {
            "steps": [
                {"accepted": True, "state": ["a"]},
                {"accepted": False, "state": ["a"]},
                {"accepted": True, "state": ["a", "b"]},
            ]
        }
    )


def test_counters_come_out_as_decimal_strings() -> None:
    nodes = messages_in("r: 0; p < r: -7; q < r: 2")
    result = _operation("members").run({"nodes": nodes, "state_type": "counter"}, "document")
    assert result == Output({"state": "-5"})
