"""Steps as text: one function prints the steps of every system, whatever an adapter answers."""

from __future__ import annotations

from typing import Any

from rejoin_conformance.contract.registry import all_systems, system_named
from rejoin_conformance.contract.step_text import StepText, grouped, step_texts
from rejoin_conformance.corpus.document_examples import vector_of
from rejoin_conformance.corpus.load import load_topic_file
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.locations import vectors_directory


def _of_vector(vector_id: str) -> tuple[StepText, ...]:
    vector = vector_of(vector_id)
    system = system_named(vector.system)
    output: Any = vector.expected[system.default_reading]["output"]
    return step_texts(system.notation, vector.operation, vector.input, output)


def _lines(vector_id: str) -> list[str]:
    return [step.text for step in _of_vector(vector_id)]


MIDDLE = "a3d4d73962500023a1aacb1c0ea4a2c59d31338ff044d3934b554e1a752c65f9"


def test_the_steps_of_a_resolution_name_the_messages_of_the_question() -> None:
    assert _lines("config-merge/steps/two-survivors") == [
        "ignore 10 as included",
        "survivors 11 12",
        "seqno 13",
        "base 12 = {b: 1, c: 1, k: 1}",
        "replay 10 {=k} from 12 = as before",
        "replay 11 {=a, =k} = {a: 1, b: 1, c: 1, k: 2}",
        "replay (11 a3d4d739) {=b} from 12 = as before",
        "replay 12 {=c} = as before",
        "keep 10 11 (11 a3d4d739) 12",
        f"message 13 {{a: 1, b: 1, c: 1, k: 2}} rows 10 11 (11 {MIDDLE} {{=b}}) 12",
    ]


def test_the_steps_of_a_scenario_stand_under_its_actions() -> None:
    steps = _of_vector("conflict-detection/steps/conflict-and-resolution")
    assert [(under, [each.text for each in group]) for under, group in grouped(steps)][3:6] == [
        ("#3 A edits foo=c", ["upload A foo=c after #0"]),
        ("#4 A polls B", ["look A foo of B = #2", "fetch #0 #2", "classify conflict", "hold b"]),
        ("#5 A resolves foo=d against B", ["upload A foo=d after #2 #3"]),
    ]


def test_the_steps_of_a_merge_stand_under_the_set_that_is_merged() -> None:
    steps = _of_vector("history-merge/steps/two-branches")
    assert {step.under for step in steps} == {"merge of p q"}
    assert [step.text for step in steps] == [
        "order p q",
        "start p: {a b}",
        "lca-u q = {r}",
        "origin {a}",
        "fold q: {b}",
    ]


def test_a_step_alone_is_one_line_with_its_clause() -> None:
    *_, last = _of_vector("conflict-detection/steps/conflict-and-resolution")
    assert last.line == "#6 B polls A: overwrite d  (CD-OVERWRITE-APPLY)"


def test_every_step_of_the_topics_is_one_line_of_text() -> None:
    for system in all_systems():
        for vector in load_topic_file(vectors_directory() / system.name / "steps.json"):
            operation = system.operation(vector.operation)
            assert operation is not None
            for result in vector.expected.values():
                output: Any = result.get("output", {})
                texts = step_texts(system.notation, operation.name, vector.input, output)
                assert len(texts) == len(output.get("steps", ()))
                for step in texts:
                    assert "\n" not in step.text
                    assert '{"' not in step.text


def test_a_step_that_no_notation_expresses_is_json_with_escapes() -> None:
    wild: JsonObject = {"step": "leap\x1b", "clause": "X", "to": "\x1b[2J"}
    for system in all_systems():
        operation = next(each for each in system.operations if each.steps_of)
        (said,) = step_texts(system.notation, operation.name, {}, {"steps": [wild]})
        assert said == StepText('leap\\x1b {"to":"\\u001b[2J"}', "X")
    assert step_texts(None, "", {}, {"steps": "none"}) == ()
