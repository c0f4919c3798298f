"""The histories and version graphs of questions are drawn, and the nodes marked where answers part.

A marked node is an `@`.
"""

from __future__ import annotations

from typing import Any

from rejoin_conformance.contract.explanation import Difference
from rejoin_conformance.contract.operation import Output
from rejoin_conformance.contract.parting import Question, drawings_of
from rejoin_conformance.contract.registry import all_systems, system_named
from rejoin_conformance.contract.step import steps_in
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.kit.json_types import JsonObject

NODES: Any = [
    {"id": "r", "parents": [], "state": ["a"]},
    {"id": "p", "parents": ["r"], "state": ["a", "b"]},
    {"id": "q", "parents": ["r"], "state": []},
]
SCENARIO: JsonObject = {
    "design": "snapshots",
    "clients": ["A", "B"],
    "steps": [
        {"client": "A", "edit": "a"},
        {"client": "B", "poll": "A"},
        {"client": "A", "edit": "b"},
        {"client": "B", "poll": "A"},
    ],
}


def _drawn(operation: str, value: JsonObject, *outputs: JsonObject, step: Any = None) -> list[str]:
    system = system_named(operation.partition("/")[0])
    question = Question(
        operation=operation,
        reading=system.default_reading,
        input=value,
        outputs=outputs,
        steps=() if step is None else (step,),
    )
    drawings = drawings_of(system.parting, question)
    return [line for each in drawings for line in (each.title, *each.text().splitlines())]


def _leading(operation: str, value: JsonObject, observed: JsonObject) -> list[JsonObject]:
    """Return the steps of the reference that lead to a wrong output."""
    system = system_named(operation.partition("/")[0])
    reading = system.default_reading
    plain, listing = system.operation(operation), system.operation(f"{operation}-steps")
    assert plain is not None
    assert listing is not None
    assert system.parting is not None
    answer, steps = plain.run(value, reading), listing.run(value, reading)
    assert isinstance(answer, Output)
    assert isinstance(steps, Output)
    difference = Difference(
        operation=operation, reading=reading, input=value, expected=answer.value, observed=observed
    )
    listed = steps_in(steps.value)
    return [listed[place] for place in system.parting.leading(difference, listed)]


def test_the_nodes_that_one_answer_lists_and_the_other_does_not_are_marked() -> None:
    value: JsonObject = {"nodes": NODES, "of": ["p"]}
    assert _drawn("history-merge/ancestors", value, {"nodes": ["p", "r"]}, {"nodes": ["p"]}) == [
        "nodes",
        "@    r   {a}",
        "+-o  p  <- r   {a b}",
        "o    q  <- r   {}",
    ]


def test_the_node_of_the_step_at_which_answers_part_is_marked() -> None:
    value: JsonObject = {"nodes": NODES, "merge": ["p", "q"]}
    fold = {"step": "fold", "clause": "HM-MERGE-STEP", "node": "q", "state": []}
    marked = _drawn("history-merge/merge", value, step=fold)
    assert [line for line in marked if "@" in line] == ["@    q  <- r   {}"]


def test_a_message_that_is_asked_about_is_drawn_with_the_history() -> None:
    message: JsonObject = {"id": "m", "parents": ["p", "q"], "state": ["b"]}
    lines = _drawn("history-merge/accept", {"nodes": NODES, "message": message})
    assert lines[-1].endswith("m  <- p, q   {b}")


def test_a_cycle_is_not_drawn() -> None:
    nodes: Any = [{"id": "a", "parents": ["b"]}, {"id": "b", "parents": ["a"]}]
    assert _drawn("history-merge/ancestors", {"nodes": nodes, "of": ["a"]}) == []


def test_the_version_that_a_poll_sees_is_marked_if_the_results_of_the_poll_differ() -> None:
    outputs: list[JsonObject] = [{"steps": [1, 2, 3, 4]}, {"steps": [1, 2, 3, 5]}]
    assert _drawn("conflict-detection/scenario", SCENARIO, *outputs) == [
        "foo",
        "o  #0   A writes 'a'",
        "@  #2  <- #0   A writes 'b'",
    ]


def test_the_roles_of_versions_are_beside_them() -> None:
    value: JsonObject = {"snapshots": NODES, "local": "p", "remote": "q"}
    lines = _drawn("conflict-detection/classify-snapshot", value)
    assert [line.split()[-1] for line in lines[2:]] == ["local", "remote"]


def test_the_version_that_is_classified_in_two_ways_is_marked() -> None:
    value: JsonObject = {"snapshots": NODES, "local": "p", "remote": "q"}
    outputs: list[JsonObject] = [{"classification": "conflict"}, {"classification": "stale"}]
    lines = _drawn("conflict-detection/classify-snapshot", value, *outputs)
    assert [line.split()[-1] for line in lines if "@" in line] == ["remote"]


def test_messages_are_drawn_with_the_expected_and_the_observed_merge() -> None:
    vector = next(
        each
        for each in load_system("config-merge")
        if each.id == "config-merge/resolve/shared-row-takes-value-of-highest"
    )
    expected: Any = vector.expected["document"]["output"]
    wrong = {**expected, "message": vector.input["messages"][0]}  # type: ignore[index]
    lines = _drawn("config-merge/resolve", vector.input, expected, wrong)
    notes = [line.split("   ")[-1] for line in lines[1:]]
    made, given, other = sorted(notes)
    assert made == "expected"
    assert given.startswith("message 0, observed {")
    assert other.startswith("message 1 {")
    assert sum("@" in line for line in lines) == 2


def test_an_answer_that_makes_no_sense_draws_nothing_and_ends_nothing() -> None:
    nonsense: JsonObject = {"nodes": [[7]], "steps": {"x": 1}, "message": "zz"}
    step: JsonObject = {"node": 7, "hash": "zz", "source": [], "number": "x", "index": -1}
    for system in all_systems():
        for vector in load_system(system.name)[::40]:
            assert system.parting is not None
            question = Question(
                operation=vector.operation,
                reading=vector.readings[0],
                input=vector.input,
                outputs=(nonsense, {}),
                steps=(step,),
            )
            drawings_of(system.parting, question)


def test_the_steps_that_lead_to_a_state_end_at_the_last_fold_that_changes_what_differs() -> None:
    chain: Any = [*NODES, {"id": "s", "parents": ["r"], "state": ["a", "c"]}]
    value: JsonObject = {"nodes": chain, "merge": ["p", "q", "s"]}
    leading = _leading("history-merge/merge", value, {"state": ["a", "b", "c"]})
    assert [each.get("node") for each in leading if each["step"] in {"start", "fold"}] == ["p", "q"]


def test_the_steps_that_lead_to_a_result_of_a_scenario_are_those_of_its_action() -> None:
    plain = system_named("conflict-detection").operation("conflict-detection/scenario")
    assert plain is not None
    answer = plain.run(SCENARIO, "repaired")
    assert isinstance(answer, Output)
    steps: Any = answer.value["steps"]
    wrong: JsonObject = {"steps": [*steps[:3], {**steps[3], "classification": "stale"}]}
    leading = _leading("conflict-detection/scenario", SCENARIO, wrong)
    assert {each["number"] for each in leading} == {3}
    assert leading[0]["step"] == "look"


def test_the_steps_that_lead_to_a_value_are_the_entries_that_change_its_key() -> None:
    vector = next(
        each
        for each in load_system("config-merge")
        if each.id == "config-merge/steps/two-survivors"
    )
    value = vector.input
    leading = _leading("config-merge/resolve", value, {"message": "6465", "ignored": []})
    assert {"ignore", "survivors"} >= {str(each["step"]) for each in leading}
    plain = system_named("config-merge").operation("config-merge/resolve")
    assert plain is not None
    answer = plain.run(value, "document")
    assert isinstance(answer, Output)
    wrong = answer.value | {
        "message": str(answer.value["message"]).replace("313a61693165", "313a61693265")
    }
    kinds = [str(each["step"]) for each in _leading("config-merge/resolve", value, wrong)]
    assert kinds.count("replay") == 1
    assert "base" in kinds
