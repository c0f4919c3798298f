"""Steps as text: one function prints the steps of every system, whatever an adapter answers."""

from __future__ import annotations

from typing import Any

from rejoin_conformance.contract.asked_text import StepText, step_texts
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.corpus.load import load_topic_file
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.locations import vectors_directory


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
    assert StepText("a", "X", "b").line == "b: a  (X)"
