"""The operations answer by their schemas, and refuse what the schemas refuse."""

from __future__ import annotations

from rejoin_conformance.contract.operation import Operation, Output, Rejected
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.history_merge.operations import OPERATIONS
from support.plain_history_merge import messages_in

BY_NAME = {operation.name.partition("/")[2]: operation for operation in OPERATIONS}
FORK = "r: {a b}; p < r: {a b c}; q < r: {b}"


def _operation(name: str) -> Operation:
    return BY_NAME[name]


def _code(name: str, value: JsonObject) -> str:
    result = _operation(name).run(value, "document")
    assert isinstance(result, Rejected)
    return result.code


def test_states_are_not_looked_at_where_only_the_order_counts() -> None:
    nodes = [*messages_in("r: {a}"), *messages_in("p < r: 7")]
    result = _operation("maximal").run({"nodes": nodes, "among": ["p", "r"]}, "document")
    assert result == Output({"nodes": ["p"]})


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
