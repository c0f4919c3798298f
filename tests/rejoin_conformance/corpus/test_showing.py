"""A question is shown with its answer, in the notation or as JSON, and step by step."""

from __future__ import annotations

from typing import Any

import pytest

from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.contract.registry import all_systems, system_named
from rejoin_conformance.corpus.document_examples import vector_of
from rejoin_conformance.corpus.load import load_topic_file
from rejoin_conformance.corpus.showing import (
    Question,
    answer_of,
    definitions_in,
    drawings_for,
    names_in,
    question_of,
)
from rejoin_conformance.kit.locations import vectors_directory


def _question(vector_id: str) -> Question:
    vector = vector_of(vector_id)
    return question_of(system_named(vector.system), vector)


def test_a_recipe_stays_a_recipe() -> None:
    recipes = (
        vector
        for system in all_systems()
        for vector in load_topic_file(vectors_directory() / system.name / "sizes.json")
        if vector.recipe
    )
    vector = next(recipes)
    question = question_of(system_named(vector.system), vector)
    shown = answer_of(question, vector.readings[0], with_steps=False)
    assert '"$' in shown.text
    assert "expected" in shown.text


def test_a_message_has_the_name_that_the_author_of_the_vector_gives_it() -> None:
    question = _question("config-merge/worked-example/126b")
    (drawing,) = drawings_for(question, "document")
    assert [*drawing.names.values()] == ["120b", "124a", "125a", "125b"]
    assert answer_of(question, "document").texts[0].text == "ignore 120b as stale"


def test_only_the_names_in_a_text_are_defined() -> None:
    question = _question("config-merge/worked-example/everything")
    names = names_in(question)
    lines = definitions_in(names, ["resolve 119"])
    assert [line.partition(":")[0] for line in lines] == ["118", "119"]
    assert definitions_in(None, ["resolve 119"]) == ()


def test_an_exception_of_the_reference_is_not_an_answer() -> None:
    def fail(_value: object, _reading: str) -> Any:
        raise ZeroDivisionError

    broken = Operation("history-merge/y", "Fails.", {}, {}, fail)
    system = system_named("history-merge")
    question = Question(system=system, title="x", operation=broken, input={})
    with pytest.raises(ZeroDivisionError):
        answer_of(question, "document")
