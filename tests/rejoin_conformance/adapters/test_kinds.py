"""Differences of one operation with different causes have different kinds."""

from __future__ import annotations

from typing import Any

from rejoin_conformance.adapters.kinds import kind_of
from rejoin_conformance.adapters.protocol import Reply
from rejoin_conformance.adapters.runner.judge import judge
from rejoin_conformance.campaigns.adapter_calls import case_of
from rejoin_conformance.contract.history import Call
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.kit.json_types import JsonObject

SCENARIO: JsonObject = {
    "design": "snapshots",
    "clients": ["A", "B"],
    "steps": [
        {"client": "A", "edit": "a"},
        {"client": "B", "poll": "A"},
        {"client": "B", "delete": True},
    ],
    "report": ["links"],
}


def _kind(kind: Any, body: JsonObject, operation: str, value: JsonObject, reading: str) -> str:
    """Return the kind of an adapter's reply, without the operation."""
    system = system_named(operation.partition("/")[0])
    case = case_of(system, Call(operation, value), reading)
    return kind_of(judge(case, Reply(1, kind, body))).removeprefix(f"{operation} ")


CHANGES: list[tuple[tuple[Any, ...], Any, str]] = [
    (
        (1, "classification"),
        "conflict",
        "at poll: classification conflict instead of overwrite",
    ),
    ((1, "files", "B", "foo"), None, "at poll: files.*.* missing"),
    ((0, "links", "A", "foo"), "b", "at edit: links.*.* differs"),
    ((2, "links", "B", "foo"), "a", "at delete: links.*.* is of another type"),
    ((2,), None, "steps too short"),
]


def test_a_scenario_is_told_by_its_first_step_that_differs() -> None:
    operation = system_named("conflict-detection").operation("conflict-detection/scenario")
    assert operation is not None
    for (*path, last), value, kind in CHANGES:
        output: Any = operation.answer(SCENARIO, "repaired").to_json()["output"]
        holder = output["steps"]
        for part in path:
            holder = holder[part]
        holder[last] = value
        if value is None:
            del holder[last]
        said = _kind("output", output, operation.name, SCENARIO, "repaired")
        assert said == f"wrong-output {kind}"


NODES: JsonObject = {"nodes": [{"id": "r", "parents": []}], "of": ["r"]}
CYCLE: JsonObject = {"nodes": [{"id": "r", "parents": ["r"]}], "of": []}
ANSWERS: list[tuple[str, JsonObject, JsonObject, str]] = [
    ("output", {"nodes": []}, NODES, "wrong-output nodes too short"),
    ("output", {"nodes": ["x"]}, NODES, "wrong-output nodes[] differs"),
    ("output", {"nodes": ["r", "s"]}, NODES, "wrong-output nodes too long"),
    ("output", {"nodes": {}}, NODES, "wrong-output nodes is of another type"),
    ("output", {"named": ["r"]}, NODES, "wrong-output * unexpected"),
    ("output", {"nodes": []}, CYCLE, "wrongly-accepted cycle"),
    ("error", {"message": "ValueError: bad 17"}, NODES, "error ValueError"),
    ("error", {"message": "something else"}, NODES, "error"),
    ("error", {"message": ""}, NODES, "error"),
]


def test_other_answers_are_told_by_place_and_manner_by_code_or_by_exception() -> None:
    for kind, body, value, said in ANSWERS:
        assert _kind(kind, body, "history-merge/ancestors", value, "document") == said
