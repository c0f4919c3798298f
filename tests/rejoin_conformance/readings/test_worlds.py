"""Worlds hold changes beside the unchanged tree, and their hooked functions show their calls."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rejoin import history_merge
from rejoin_conformance.contract.operation import Output
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.readings.tracing import Call, collecting, steps_by, traced
from rejoin_conformance.readings.worlds import defined, world_of

LITERAL = "rejoin.history_merge.complete_algorithm"
FAST = "rejoin.history_merge.fast_complete_algorithm"
HOOKED = (f"{LITERAL}.merge", f"{LITERAL}.merge_u", f"{FAST}.fast_merge_steps")

CRISS_CROSS: JsonObject = {
    "nodes": [
        {"id": "p", "parents": [], "state": []},
        {"id": "q", "parents": [], "state": ["x"]},
        {"id": "a", "parents": ["p", "q"], "state": ["x"]},
        {"id": "b", "parents": ["p", "q"], "state": []},
    ],
    "merge": ["a", "b"],
}


def test_a_world_holds_a_change_and_the_unchanged_tree_does_not() -> None:
    before = dict(sys.modules)
    world = world_of(
        "history-merge",
        [defined("rejoin.history_merge.three_way_merge.set_three_way_merge", lambda _: _union)],
    )
    assert {name: sys.modules[name] for name in before} == before
    merge = world.operations["history-merge/merge"]
    assert merge.run(CRISS_CROSS, "document") == Output({"state": ["x"]})
    unchanged = {each.name: each for each in system_named("history-merge").operations}
    assert unchanged["history-merge/merge"].run(CRISS_CROSS, "document") == Output({"state": []})
    assert world.system.operation("history-merge/merge") is merge
    assert world.twin(history_merge.Graph) is not history_merge.Graph


def test_a_constant_holds_for_everything_that_is_computed_from_it() -> None:
    world = world_of(
        "config-merge",
        [defined("rejoin.config_merge.application_data.MAX_KEY_LENGTH", lambda _: 1)],
    )
    answer = world.operations["config-merge/diff"].run(
        {"old": "de", "new": b"d2:abi1ee".hex()}, "document"
    )
    assert "output" not in answer.to_json()


def test_calls_know_their_arguments_their_results_and_where_they_were_made() -> None:
    world = traced(None, "history-merge", HOOKED)
    merge = world.operations["history-merge/merge"]
    with collecting() as calls:
        merge.run(CRISS_CROSS, "document")
    assert [_told(each) for each in calls] == [
        "merge_u a in merge",  # the first node; then the origin of the other
        "merge_u p in merge",
        "merge  in merge_u",
        "merge_u q in merge",
        "merge p q in merge_u",
        "merge_u b in merge",
        "merge a b in -",
    ]
    with collecting() as calls:
        merge.answer_second(CRISS_CROSS, "document")
    assert [each.result for each in calls] == [{"x"}, set()]
    assert [each.within for each in calls] == [None, None]


def test_an_operation_lists_the_steps_of_another_one() -> None:
    perform = steps_by("history-merge/merge", HOOKED, states)
    assert perform(CRISS_CROSS, "document") == {"steps": [[], ["x"], []]}


def states(_value: JsonObject, calls: Sequence[Call]) -> list[Json]:
    """Return the state of each merge, in the order in which they return."""
    return [sorted(each.result) for each in calls if each.name == "merge"]


def _union(_o: frozenset[str], a: frozenset[str], b: frozenset[str]) -> frozenset[str]:
    return a | b


def _told(call: Call) -> str:
    nodes = call["nodes"] if call.name == "merge" else [call["b"]]
    where = "-" if call.within is None else call.within.name
    return f"{call.name} {' '.join(sorted(nodes))} in {where}"
