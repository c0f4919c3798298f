"""The text of conflict detection is read as it is written, and anything else is one error."""

from __future__ import annotations

import pytest
from attrs import evolve

from rejoin_conformance.contract.notation import Example
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.phrases import NotationError
from rejoin_conformance.systems.conflict_detection.text import NOTATION

ACTION = "`polls all of`, "


def _parse(text: str) -> Example:
    return NOTATION.parse(text.split("\n"))


def test_an_answer_of_another_reading_names_steps_of_the_scenario() -> None:
    example = _parse("snapshots: A B; A edits foo=1\nA polls B   nothing")
    for lines, line, expected in (
        ("B polls A   same", 1, "a step of the scenario above"),
        ("A polls B", 1, "the finding of this poll"),
        ("A edits foo=2", 1, "a step of the scenario above"),
        ("A edits foo=1   A: nothing\nA says foo", 2, ACTION),
    ):
        with pytest.raises(NotationError) as caught:
            NOTATION.parse_output(lines.split("\n"), example)
        assert caught.value.line == line
        assert caught.value.expected.startswith(expected)


def test_an_output_that_no_text_describes_is_not_rendered() -> None:
    told = _parse("snapshots: A; A edits foo=1   A: foo=1")
    gone: JsonObject = {"classification": None, "files": {}}
    outputs: list[JsonObject] = [{"steps": []}, {"steps": [gone]}]
    for output in outputs:
        assert NOTATION.render(evolve(told, output=output)) is None
        assert NOTATION.render_output(told, output) is None
    mixed: JsonObject = {
        "design": "snapshots",
        "clients": ["A"],
        "steps": [{"client": "A", "edit": "1"}, {"client": "A", "edit": "1", "file": "foo"}],
    }
    assert NOTATION.render(evolve(told, input=mixed, output=None)) is None
