"""The operations as an adapter meets them: what no vector says, as JSON or text cannot say it."""

from __future__ import annotations

from rejoin_conformance.contract.operation import Asked, Output, Rejected, Result
from rejoin_conformance.contract.registry import all_systems, system_named
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.pictures import explain
from rejoin_conformance.systems.history_merge.pictures import explain as explain_merge

SCENARIO = "conflict-detection/scenario"
EDIT: JsonObject = {"client": "A", "edit": "X"}


def _scenario(*steps: JsonObject, clients: tuple[Json, ...] = ("A", "B")) -> JsonObject:
    return {"design": "snapshots", "clients": [*clients], "steps": [*steps]}


def _run(operation: str, value: JsonObject) -> Result:
    system = system_named(operation.partition("/")[0])
    found = system.operation(operation)
    assert found is not None
    return found.run(value, system.default_reading)


def _code(operation: str, value: JsonObject) -> str:
    result = _run(operation, value)
    assert isinstance(result, Rejected)
    return result.code


def test_input_that_breaks_the_schema_is_refused() -> None:
    for operation in (each for system in all_systems() for each in system.operations):
        assert _code(operation.name, {"unknown": 1}) == "input", operation.name
    steps: tuple[JsonObject, ...] = (
        {"client": "A"},
        {**EDIT, "poll": "B"},
        {"client": "A", "delete": False},
        {"client": "A", "forged": True},
        {"edit": "X"},
    )
    for step in steps:
        assert _code(SCENARIO, _scenario(step)) == "input", step
    nobody: JsonObject = {"snapshots": [], "currents": {}}
    assert _code("conflict-detection/purge", nobody) == "input"
    key = "80" * 32
    story: JsonObject = {"clients": ["A"], "key": key, "domain": "61", "steps": []}
    strangers: tuple[JsonObject, ...] = (
        {"steps": [{"client": "B", "push": True}]},
        {"signing_keys": {"B": key}},
    )
    for more in strangers:
        assert _code("config-merge/scenario", {**story, **more}) == "input", more


def test_names_and_numbers_that_no_system_has_are_refused() -> None:
    for name in ("", "\ud800", "a\0"):
        named = _scenario({**EDIT, "file": name})
        assert _code(SCENARIO, named) == "bad-path"
        asked = _scenario(clients=(name,))
        assert _code(SCENARIO, asked) == "bad-nickname"
    huge: JsonObject = {"local": {"A": 10**300}, "remote": {"A": 1}}
    assert _code("conflict-detection/classify-version-map", huge) == "version-number"


def test_half_a_surrogate_pair_is_a_text_like_any_other() -> None:
    result = _run(SCENARIO, _scenario({**EDIT, "edit": "\ud800"}))
    files: JsonObject = {"A": {"foo": "\ud800"}, "B": {}}
    assert result == Output({"steps": [{"classification": None, "files": files}]})


def test_a_node_that_is_itself_in_question_is_said_to_be() -> None:
    asked = Asked(
        operation="history-merge/common-ancestors",
        reading="document",
        input={
            "nodes": [{"id": each, "parents": []} for each in "ab"],
            "of": ["a", "b"],
            "with": "a",
        },
        expected={"output": {"nodes": ["a"]}},
        observed={"output": {"nodes": ["b"]}},
    )
    said = "a is missing: it is one of {a b} and before none of them; it is a itself\n"
    assert said in (explain_merge(asked) or "")


def test_a_long_path_between_two_versions_is_told_by_its_ends() -> None:
    versions: list[Json] = [{"id": "v0", "parents": []}]
    versions += [{"id": f"v{n}", "parents": [f"v{n - 1}"]} for n in range(1, 4097)]
    asked = Asked(
        operation="conflict-detection/follows",
        reading="repaired",
        input={"versions": versions, "later": "v4096", "earlier": "v0"},
        expected={"output": {"follows": True}},
        observed={"output": {"follows": False}},
    )
    path = "v4096 -> v4095 -> v4094 -> ... 4,091 more -> v2 -> v1 -> v0"
    assert f"v4096 follows v0: {path}" in (explain(asked) or "")
