"""Calls of overridden functions and constants are counted, and compared with the originals."""

from __future__ import annotations

from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.readings.in_force import Side, Variant, between, in_force, side_in_force
from rejoin_conformance.readings.reach import overridden, tried
from rejoin_conformance.readings.rule_file import Rule

MERGE: JsonObject = {"origin": ["x"], "left": [], "right": ["x"]}
OF_SETS = "rejoin.history_merge.three_way_merge.set_three_way_merge"
SYMMETRIC = "rejoin.history_merge.three_way_merge.symmetric_set_three_way_merge"
SETS = "rejoin.history_merge.three_way_merge.SETS"
KEYS = "rejoin.config_merge.application_data.MAX_KEY_LENGTH"
WINDOW = "rejoin.config_merge.windows.DEFAULT_WINDOW"
SWAPPED = f"""
from rejoin.history_merge.three_way_merge import *
from rejoin.history_merge.three_way_merge import symmetric_set_three_way_merge
OVERRIDES = {{"{OF_SETS}": symmetric_set_three_way_merge, "{SYMMETRIC}": set_three_way_merge}}
"""
UNION = f"""
from rejoin.history_merge.three_way_merge import StateType
OVERRIDES = {{"{SETS}": StateType("set", frozenset(), lambda o, a, b: a | b)}}
"""


def _side(source: str) -> Side:
    return Side("rule.py", Rule("rule.py", source))


def _answers(source: str, system: str, operation: str, *values: JsonObject) -> list[JsonObject]:
    """Return the answers under a rule file, and the counts."""
    unchanged = system_named(system)
    with side_in_force(_side(source), unchanged) as (reading, changed):
        asked = changed.operation(operation)
        assert asked is not None
        answers = [asked.run(value, reading).to_json() for value in values]
        counts: JsonObject = {
            name: [each[kind] for kind in ("called", "differed", "uncompared")]
            for name, each in tried().items()
        }
    assert overridden() == ()
    return [*answers, counts]


def test_two_functions_may_stand_in_for_each_other() -> None:
    answer, counts = _answers(SWAPPED, "history-merge", "history-merge/three-way-merge", MERGE)
    assert answer == {"output": {"state": []}}
    assert counts == {OF_SETS: [1, 0, 0], SYMMETRIC: [0, 0, 0]}


def test_a_state_type_changes_wherever_it_is_held() -> None:
    answer, counts = _answers(UNION, "history-merge", "history-merge/three-way-merge", MERGE)
    assert answer == {"output": {"state": ["x"]}}
    assert counts[SETS] != [0, 0, 0]


def test_steps_are_those_of_the_rule_and_not_of_the_call_that_it_is_compared_with() -> None:
    nodes: list[Json] = [
        {"id": "r", "parents": [], "state": ["x"]},
        {"id": "p", "parents": ["r"], "state": []},
        {"id": "q", "parents": ["r"], "state": ["x"]},
    ]
    asked: JsonObject = {"nodes": nodes, "merge": ["p", "q"]}
    answer, _ = _answers(UNION, "history-merge", "history-merge/merge-steps", asked)
    output = answer["output"]
    assert isinstance(output, dict)
    assert isinstance(output["steps"], list)
    last = output["steps"][-1]
    assert isinstance(last, dict)
    assert last["state"] == ["x"]


def test_the_answers_of_the_readers_of_a_constant_are_compared() -> None:
    rule = f"OVERRIDES = {{'{KEYS}': 3}}"
    for key, differs in (("abc", False), ("abcd", True)):
        new = f"d{len(key)}:{key}i1ee".encode()
        asked: JsonObject = {"old": b"de".hex(), "new": new.hex()}
        answer, counts = _answers(rule, "config-merge", "config-merge/diff", asked)
        assert ("rejected" in answer) is differs
        found = counts[KEYS]
        assert isinstance(found, list)
        calls, differed, uncompared = found
        assert calls
        assert bool(differed) is differs
        assert uncompared == 0


def test_a_constant_that_a_default_holds_is_counted_and_not_compared() -> None:
    asked: JsonObject = {"messages": []}
    *_, counts = _answers(
        f"OVERRIDES = {{'{WINDOW}': 7}}", "config-merge", "config-merge/resolve", asked
    )
    found = counts[WINDOW]
    assert isinstance(found, list)
    assert found[0] == found[2] != 0


def test_a_choice_point_matters_if_the_answer_is_another_under_its_other_value() -> None:
    system = system_named("conflict-detection")
    sides = between(Side("repaired"), Side("literal"), system)
    watched = Variant(sides.one, sides.other, watched=("map_missing_entry", "map_comparison"))
    for later, earlier, matters in (
        ({"A": 2}, {"A": 1}, False),
        ({"A": 2, "B": 1}, {"A": 1, "B": 1}, True),
    ):
        with in_force(watched, system) as (reading, changed):
            asked = changed.operation("conflict-detection/classify-version-map")
            assert asked is not None
            value: JsonObject = {"local": {**earlier}, "remote": {**later}}
            assert asked.run(value, reading).to_json() == {
                "output": {"classification": "overwrite"}
            }
            counts = tried()
        assert counts["map_comparison"]["called"] > 0
        assert (counts["map_comparison"]["differed"] > 0) is matters, (later, earlier)
        assert counts["map_missing_entry"]["differed"] == 0
    assert tried() == {}
