"""Differences of one operation with different causes have different kinds."""

from __future__ import annotations

from typing import Any

import pytest

from rejoin_conformance.adapters.kinds import kind_of
from rejoin_conformance.adapters.protocol import Reply
from rejoin_conformance.adapters.runner.judge import judge
from rejoin_conformance.campaigns.adapter_questions import case_of
from rejoin_conformance.contract.history import Call
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.kit.json_types import JsonObject

STEPS = [
    {"client": "A", "edit": "a"},
    {"client": "B", "poll": "A"},
    {"client": "B", "delete": True},
]


def reply(kind: Any, body: JsonObject, operation: str, value: JsonObject, reading: str) -> str:
    """Return the kind of an adapter's reply."""
    system = system_named(operation.partition("/")[0])
    asked = system.operation(operation)
    assert asked is not None
    case = case_of(system, asked, Call(operation, value), reading)
    return kind_of(judge(case, Reply(1, kind, body))).removeprefix(f"{operation} ")


def scenario(change: Any) -> str:
    value: Any = {"design": "snapshots", "clients": ["A", "B"], "steps": STEPS, "report": ["links"]}
    system = system_named("conflict-detection")
    operation = system.operation("conflict-detection/scenario")
    assert operation is not None
    output: Any = operation.answer(value, "repaired").to_json()["output"]
    change(output["steps"])
    return reply("output", output, "conflict-detection/scenario", value, "repaired")


def set_classification(steps: Any) -> None:
    steps[1]["classification"] = "conflict"


def lose_a_file(steps: Any) -> None:
    del steps[1]["files"]["B"]["foo"]


def change_a_text(steps: Any) -> None:
    steps[0]["links"]["A"]["foo"] = "b"


def keep_a_link(steps: Any) -> None:
    steps[2]["links"]["B"]["foo"] = "a"


def stop_early(steps: Any) -> None:
    del steps[2]


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (set_classification, "wrong-output at poll: classification conflict instead of overwrite"),
        (lose_a_file, "wrong-output at poll: files.*.* missing"),
        (change_a_text, "wrong-output at edit: links.*.* differs"),
        (keep_a_link, "wrong-output at delete: links.*.* is of another type"),
        (stop_early, "wrong-output steps too short"),
    ],
)
def test_a_scenario_is_told_by_its_first_step_that_differs(change: Any, kind: str) -> None:
    assert scenario(change) == kind


@pytest.mark.parametrize(
    ("output", "kind"),
    [
        ({"nodes": []}, "wrong-output nodes too short"),
        ({"nodes": ["x"]}, "wrong-output nodes[] differs"),
        ({"nodes": ["r", "s"]}, "wrong-output nodes too long"),
        ({"nodes": {}}, "wrong-output nodes is of another type"),
        ({"named": ["r"]}, "wrong-output * unexpected"),
    ],
)
def test_other_outputs_are_told_by_place_and_manner(output: JsonObject, kind: str) -> None:
    value: JsonObject = {"nodes": [{"id": "r", "parents": []}], "of": ["r"]}
    assert reply("output", output, "history-merge/ancestors", value, "document") == kind


def test_a_wrongly_accepted_input_is_told_by_the_code_of_the_reference() -> None:
    value: JsonObject = {"nodes": [{"id": "r", "parents": ["r"]}], "of": []}
    said = reply("output", {"nodes": []}, "history-merge/ancestors", value, "document")
    assert said == "wrongly-accepted cycle"


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("ValueError: bad 17", "error ValueError"),
        ("something else", "error"),
        ("", "error"),
    ],
)
def test_an_error_is_told_by_the_exception_that_it_names(message: str, kind: str) -> None:
    value: JsonObject = {"nodes": [], "of": []}
    body: JsonObject = {"message": message}
    assert reply("error", body, "history-merge/ancestors", value, "document") == kind
