"""Every example of a source document has a name, and its vectors are in the corpus."""

from __future__ import annotations

import pytest

from rejoin_conformance.contract.document_example import examples_of
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.corpus.document_examples import document_examples, vector_of
from rejoin_conformance.corpus.statements import document_of

EXAMPLES = document_examples()
BY_NAME = {each.name: each for each in EXAMPLES}


def test_the_names_are_unique() -> None:
    assert len(BY_NAME) == len(EXAMPLES)
    assert {
        "config-merge/worked-example",
        "conflict-detection/four-parties",
        "conflict-detection/three-clients",
        "history-merge/first-picture",
        "history-merge/second-picture",
    } <= {*BY_NAME}


def test_every_example_statement_of_a_document_lies_in_an_example() -> None:
    for system in all_systems():
        places = [(each.first_line, each.last_line) for each in examples_of(system.name)]
        for statement in document_of(system.name).statements:
            if statement.kind == "example":
                assert any(first <= statement.line <= last for first, last in places), statement


def test_an_example_is_played_by_vectors_of_the_corpus() -> None:
    for each in EXAMPLES:
        assert [vector.system for vector in each.vectors()] == [each.system.name] * len(
            each.example.vectors
        )
        assert each.example.vectors
        lines = document_of(each.system.name).lines
        assert 1 <= each.example.first_line <= each.example.last_line <= lines


@pytest.mark.parametrize("vector_id", ["", "nope", "history-merge/nope/x", "history-merge/steps/x"])
def test_an_unknown_vector_is_a_key_error(vector_id: str) -> None:
    with pytest.raises(KeyError):
        vector_of(vector_id)
