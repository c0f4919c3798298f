"""The operations as an adapter meets them: what no vector says, as JSON or text cannot say it."""

from __future__ import annotations

from rejoin_conformance.contract.operation import Asked, Output, Rejected, Result
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.operations import OPERATIONS
from rejoin_conformance.systems.conflict_detection.pictures import explain

BY_NAME = {operation.name.partition("/")[2]: operation for operation in OPERATIONS}
EDIT: JsonObject = {"client": "A", "edit": "X"}


def _scenario(*steps: JsonObject, clients: tuple[Json, ...] = ("A", "B")) -> JsonObject:
    return {"design": "snapshots", "clients": [*clients], "steps": [*steps]}


def _code(result: Result) -> str:
    assert isinstance(result, Rejected)
    return result.code


def test_input_that_breaks_the_schema_is_refused() -> None:
    for operation in OPERATIONS:
        assert _code(operation.run({"unknown": 1}, "repaired")) == "input", operation.name
    steps: tuple[JsonObject, ...] = (
        {"client": "A"},
        {**EDIT, "poll": "B"},
        {"client": "A", "delete": False},
        {"client": "A", "forged": True},
        {"edit": "X"},
    )
    for step in steps:
        assert _code(BY_NAME["scenario"].run(_scenario(step), "repaired")) == "input", step
    nobody: JsonObject = {"snapshots": [], "currents": {}}
    assert _code(BY_NAME["purge"].run(nobody, "repaired")) == "input"


def test_names_and_numbers_that_no_system_has_are_refused() -> None:
    for name in ("", "\ud800", "a\0"):
        named = _scenario({**EDIT, "file": name})
        assert _code(BY_NAME["scenario"].run(named, "repaired")) == "bad-path"
        asked = _scenario(clients=(name,))
        assert _code(BY_NAME["scenario"].run(asked, "repaired")) == "bad-nickname"
    huge: JsonObject = {"local": {"A": 10**300}, "remote": {"A": 1}}
    assert _code(BY_NAME["classify-version-map"].run(huge, "repaired")) == "version-number"


def test_half_a_surrogate_pair_is_a_text_like_any_other() -> None:
    result = BY_NAME["scenario"].run(_scenario({**EDIT, "edit": "\ud800"}), "repaired")
    files: JsonObject = {"A": {"foo": "\ud800"}, "B": {}}
    assert result == Output({"steps": [{"classification": None, "files": files}]})


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
