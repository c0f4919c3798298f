"""The operations as an adapter meets them: JSON in, JSON out, and refusals for the rest."""

from __future__ import annotations

import pytest

from rejoin_conformance.contract.operation import Operation, Output, Rejected, Result
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.operations import OPERATIONS

BY_NAME = {operation.name.partition("/")[2]: operation for operation in OPERATIONS}


def run(name: str, value: JsonObject, reading: str = "repaired") -> Result:
    return BY_NAME[name].run(value, reading)


def scenario(*steps: JsonObject, **fields: Json) -> JsonObject:
    return {"design": "snapshots", "clients": ["A", "B"], "steps": [*steps], **fields}


def reported(result: Result) -> list[JsonObject]:
    assert isinstance(result, Output)
    steps = result.value["steps"]
    assert isinstance(steps, list)
    return [step for step in steps if isinstance(step, dict)]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: each.name)
def test_an_unknown_field_is_refused(operation: Operation) -> None:
    result = operation.run({"unknown": 1}, "repaired")
    assert isinstance(result, Rejected)
    assert result.code == "input"


@pytest.mark.parametrize(
    "step",
    [
        {"client": "A"},
        {"client": "A", "edit": "X", "poll": "B"},
        {"client": "A", "delete": False},
        {"edit": "X"},
    ],
)
def test_a_step_is_exactly_one_action(step: JsonObject) -> None:
    result = run("scenario", scenario(step))
    assert isinstance(result, Rejected)
    assert result.code == "input"


def test_a_scenario_reports_what_is_asked_for_and_nothing_else() -> None:
    edit: JsonObject = {"client": "A", "edit": "X"}
    (plain,) = reported(run("scenario", scenario(edit)))
    assert sorted(plain) == ["classification", "files"]
    asked: list[Json] = ["links", "versions", "conflicts", "cached", "operations"]
    (full,) = reported(run("scenario", scenario(edit, report=asked)))
    assert sorted(full) == sorted(["classification", "files", *map(str, asked)])
    assert full["links"] == {"A": {"foo": "X"}, "B": {}}
    assert full["cached"] == {"A": {"foo": 1}, "B": {}}


def test_a_file_name_of_no_length_is_not_the_default_name() -> None:
    result = run("scenario", scenario({"client": "A", "edit": "X", "file": ""}))
    assert isinstance(result, Rejected)
    assert result.code == "bad-path"


def test_a_signing_key_changes_the_identity_of_snapshots() -> None:
    edit: JsonObject = {"client": "A", "edit": "X"}
    wanted: list[Json] = ["versions"]
    keys: JsonObject = {"A": "00" * 32}
    (unsigned,) = reported(run("scenario", scenario(edit, report=wanted)))
    (signed,) = reported(run("scenario", scenario(edit, report=wanted, signing_keys=keys)))
    assert unsigned["versions"] != signed["versions"]


def test_half_a_surrogate_pair_is_a_text_like_any_other() -> None:
    (step,) = reported(run("scenario", scenario({"client": "A", "edit": "\ud800"})))
    assert step["files"] == {"A": {"foo": "\ud800"}, "B": {}}


@pytest.mark.parametrize("name", ["\ud800", "a\0"])
def test_a_name_that_no_system_has_is_refused(name: str) -> None:
    as_client: JsonObject = {**scenario(), "clients": [name]}
    for value in (scenario({"client": "A", "edit": "X", "file": name}), as_client):
        result = run("scenario", value)
        assert isinstance(result, Rejected)
        assert result.code in {"bad-path", "bad-nickname"}


def test_a_scenario_of_many_steps_is_played_without_recursion() -> None:
    steps: list[JsonObject] = [{"client": "A", "edit": str(number)} for number in range(300)]
    last = reported(run("scenario", scenario(*steps, {"client": "B", "poll": "A"})))[-1]
    assert last["classification"] == "overwrite"


def test_a_long_chain_is_classified_at_once() -> None:
    length = 20_000
    chain: list[Json] = [
        {"id": str(number), "parents": [str(number - 1)] if number else []}
        for number in range(length)
    ]
    value: JsonObject = {"snapshots": chain, "local": "0", "remote": str(length - 1)}
    assert run("classify-snapshot", value) == Output({"classification": "overwrite"})


def test_a_huge_version_number_is_refused() -> None:
    value: JsonObject = {"local": {"A": 10**300}, "remote": {"A": 1}}
    result = run("classify-version-map", value)
    assert isinstance(result, Rejected)
    assert result.code == "version-number"


def test_a_walk_counts_our_own_snapshot_as_cached() -> None:
    graph: list[Json] = [{"id": "a", "parents": []}, {"id": "b", "parents": ["a"]}]
    value: JsonObject = {"snapshots": graph, "cached": [], "local": "a", "remote": "b"}
    assert run("walk", value) == Output({"downloaded": ["b"], "classification": "overwrite"})


def test_an_empty_folder_has_no_snapshots_to_purge() -> None:
    result = run("purge", {"snapshots": [], "currents": {}})
    assert isinstance(result, Rejected)
    assert result.code == "input"
