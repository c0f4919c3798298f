"""The histories and version graphs of questions are drawn, and the nodes marked where answers part.

A marked node is an `@`.
"""

from __future__ import annotations

from typing import Any

from rejoin_conformance.contract.operation import Asked
from rejoin_conformance.contract.registry import all_systems, system_named
from rejoin_conformance.contract.system import drawings_of
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
    answers: list[JsonObject | None] = [{"output": each} for each in outputs]
    expected, observed, *_ = [*answers, None, None]
    asked = Asked(
        operation=operation,
        reading=system.default_reading,
        input=value,
        expected=expected,
        observed=observed,
    )
    drawings = drawings_of(system.draw, asked, () if step is None else (step,))
    return [line for each in drawings for line in (each.title, *each.text().splitlines())]


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
    outputs: list[JsonObject] = [
        {"steps": [{}, {}, {}, {"classification": found}]} for found in ("overwrite", "conflict")
    ]
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
            asked = Asked(
                operation=vector.operation,
                reading=vector.readings[0],
                input=vector.input,
                expected={"output": nonsense},
                observed={"output": {}},
            )
            drawings_of(system.draw, asked, [step])
