"""The corpus is held against both evaluations of the reference, if there are two."""

from __future__ import annotations

from itertools import chain
from typing import Any

import pytest

from rejoin.history_merge.fast_partial_orders import fast_lca_u
from rejoin.history_merge.lcau import lca_u
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.corpus.verify import verify_vector
from support.faults import planted


@pytest.fixture(scope="module")
def vectors() -> list[Vector]:
    """The vectors of one operation that the reference evaluates in two ways."""
    operation = "history-merge/common-ancestors"
    return [each for each in load_system("history-merge") if each.operation == operation]


def _nothing(*_: Any) -> frozenset[str]:
    return frozenset()


def test_the_corpus_is_what_the_reference_answers(vectors: list[Vector]) -> None:
    assert [*chain.from_iterable(map(verify_vector, vectors))] == []


def test_a_wrong_second_evaluation_is_a_mismatch_that_says_so(vectors: list[Vector]) -> None:
    with planted("history-merge", {f"{fast_lca_u.__module__}.fast_lca_u": lambda _: _nothing}):
        mismatches = [*chain.from_iterable(map(verify_vector, vectors))]
    assert mismatches
    first = next(each for each in mismatches if "answered" in each.observed)
    nodes = first.vector.expected["document"]["output"]
    assert first.observed == (
        f"the second evaluation answered {{'nodes': []}}, the first one answered {nodes}"
    )


def test_a_wrong_first_evaluation_differs_from_the_vector_and_from_the_second(
    vectors: list[Vector],
) -> None:
    with planted("history-merge", {f"{lca_u.__module__}.lca_u": lambda _: _nothing}):
        mismatches = [*chain.from_iterable(map(verify_vector, vectors))]
    assert mismatches[0].observed.startswith(
        "answered {'nodes': []}; the second evaluation answered {'nodes': ['"
    )
    assert mismatches[0].observed.endswith(", the first one answered {'nodes': []}")
    assert len({each.vector.id for each in mismatches}) == len(mismatches)
