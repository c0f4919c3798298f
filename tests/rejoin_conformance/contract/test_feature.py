"""The features of the systems' operations: an implementation can leave out each of them."""

from __future__ import annotations

from typing import Any

from rejoin_conformance.contract.operation import Operation, dropped, needed, reduced
from rejoin_conformance.contract.registry import all_systems, system_named
from rejoin_conformance.kit.json_types import Json, JsonObject

EVERY = [each for system in all_systems() for each in system.operations if each.features]


def operation(name: str) -> Operation:
    found = system_named(name.partition("/")[0]).operation(name)
    assert found is not None
    return found


def scenario(*steps: JsonObject, **more: Any) -> JsonObject:
    return {"design": "snapshots", "clients": ["A", "B"], "steps": [*steps], **more}


def test_features_have_distinct_names_and_one_sentence() -> None:
    for asked in EVERY:
        names = [feature.name for feature in asked.features]
        assert len(set(names)) == len(names)
        assert all(feature.summary.endswith(".") for feature in asked.features)


NEEDED: list[tuple[str, JsonObject, str]] = [
    ("conflict-detection/scenario", scenario(design="version-maps"), "version-maps"),
    ("conflict-detection/scenario", scenario({"client": "A", "upload": True}), "change"),
    ("conflict-detection/scenario", scenario({"client": "A", "set_back": True}), "back-up"),
    ("conflict-detection/scenario", scenario(report=["versions"]), "report-versions"),
    ("history-merge/merge", {"nodes": [], "merge": [], "state_type": "counter"}, "counter"),
    ("history-merge/session", {"messages": []}, "set"),
    ("config-merge/resolve", {"messages": [], "verify_key": "00"}, "signatures"),
    ("config-merge/resolve", {"messages": [], "window": 2}, "windows"),
]


def test_an_input_needs_a_feature() -> None:
    for name, value, feature in NEEDED:
        chosen = [each for each in operation(name).features if each.name == feature]
        assert needed(chosen, value) == feature


def test_every_kind_of_step_but_an_edit_and_a_poll_is_a_feature() -> None:
    asked = operation("conflict-detection/scenario")
    designs = {"snapshots", "version-maps"}
    others = [each for each in asked.features if each.name not in designs]
    schema: Any = asked.input_schema
    options = schema["properties"]["steps"]["items"]["anyOf"]
    plain = set()
    for option in options:
        names = {*option["properties"]} - {"forged", "stops"}
        step: JsonObject = dict.fromkeys(sorted(names), True)
        if not needed(others, scenario(step)):
            plain |= {*step} - {"client", "file"}
    assert plain == {"edit", "poll"}


def test_a_cache_is_open_if_it_lacks_a_parent() -> None:
    features = operation("conflict-detection/walk").features
    snapshots: list[Json] = [{"id": "x", "parents": []}, {"id": "a", "parents": ["x"]}]
    value: JsonObject = {"snapshots": snapshots, "local": None, "remote": "a", "cached": ["a"]}
    assert needed(features, value) == "open-caches"
    assert needed(features, {**value, "cached": ["a", "x"]}) == ""


def test_versions_are_then_asked_by_the_step_that_made_them() -> None:
    features = {each.name: each for each in operation("conflict-detection/scenario").features}
    left_out = [features["report-versions"], features["report-operations"]]
    value = scenario(report=["operations", "versions"])
    assert reduced(left_out, value) == scenario(report=["origins"])
    assert reduced([*left_out, features["report-origins"]], value) == scenario(report=[])


def test_the_reason_of_an_ignored_message_is_a_report() -> None:
    why = [each for each in operation("config-merge/resolve").features if each.dropped]
    output: JsonObject = {"message": "", "merged": False, "ignored": [{"index": 0, "why": "stale"}]}
    assert dropped(why, output) == {**output, "ignored": [{"index": 0}]}
