"""Steps as text: one function prints the steps of every system, whatever an adapter answers."""

from __future__ import annotations

from typing import Any

from rejoin_conformance.contract.registry import all_systems, system_named
from rejoin_conformance.contract.step_text import StepText, grouped, step_texts
from rejoin_conformance.corpus.document_examples import vector_of
from rejoin_conformance.corpus.load import load_topic_file
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.locations import vectors_directory


def test_the_steps_of_a_scenario_stand_under_its_actions() -> None:
    vector = vector_of("conflict-detection/steps/conflict-and-resolution")
    system = system_named(vector.system)
    output: Any = vector.expected[system.default_reading]["output"]
    steps = step_texts(system.notation, vector.operation, vector.input, output)
    assert [(under, [each.text for each in group]) for under, group in grouped(steps)][3:6] == [
        ("#3 A edits foo=c", ["upload A foo=c after #0"]),
        ("#4 A polls B", ["look A foo of B = #2", "fetch #0 #2", "classify conflict", "hold b"]),
        ("#5 A resolves foo=d against B", ["upload resolving A foo=d after #2 #3"]),
    ]
    assert steps[-1].line == "#6 B polls A: overwrite d  (CD-OVERWRITE-APPLY)"


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
