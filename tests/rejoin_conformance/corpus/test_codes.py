"""The codes of rejections: the tables of the spec, the reference and the corpus agree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pytest
from attrs import evolve

from rejoin import config_merge, conflict_detection, history_merge
from rejoin_conformance.contract.operation import Output, Rejected, Result, code_in
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.check import vector_faults
from rejoin_conformance.corpus.clauses import clauses_of
from rejoin_conformance.corpus.codes import Codes, codes_of
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.corpus.verify import verify_vector

OF_REFERENCE: Final[Mapping[str, Mapping[str, str]]] = {
    "config-merge": config_merge.CODES,
    "conflict-detection": conflict_detection.CODES,
    "history-merge": history_merge.CODES,
}
NOT_ASKED: Final = {
    "data-value", "bad-signing-key", "bad-verify-key", "unknown-reading", "no-write-capability",
}  # fmt: skip
"""Codes of faults that the JSON of an operation cannot have."""


def _refusing(system: str) -> list[Vector]:
    return [
        vector
        for vector in load_system(system)
        if any("rejected" in expected for expected in vector.expected.values())
    ]


@pytest.mark.parametrize("system", OF_REFERENCE)
def test_the_spec_lists_the_codes_of_the_reference_with_clauses_that_exist(system: str) -> None:
    clauses = codes_of(system).clauses
    assert set(clauses) == set(OF_REFERENCE[system])
    assert frozenset().union(*clauses.values()) <= {each.id for each in clauses_of(system)}


@pytest.mark.parametrize("system", OF_REFERENCE)
def test_a_vector_expects_every_code_that_an_input_can_have(system: str) -> None:
    expected = {code_in(each) for vector in _refusing(system) for each in vector.expected.values()}
    assert expected - {""} == set(OF_REFERENCE[system]) - NOT_ASKED


def test_the_vectors_that_several_codes_describe_expect_none() -> None:
    ambiguous = {name for system in OF_REFERENCE for name in codes_of(system).ambiguous}
    refusing = {vector.id: vector for system in OF_REFERENCE for vector in _refusing(system)}
    assert len(ambiguous) == 4
    for name in ambiguous:
        assert [*map(code_in, refusing[name].expected.values())] == [""] * len(
            refusing[name].expected
        )


A, B = Rejected("why", "a"), Rejected("why", "b")


@pytest.mark.parametrize(
    ("name", "clauses", "results", "code"),
    [
        ("s/t/v", ["X-1", "X-2"], [A, A, Output({})], "a"),
        ("s/t/v", ["X-1"], [A, B], ""),
        ("s/t/v", ["X-3"], [A], ""),
        ("s/t/v", ["X-1"], [Rejected("why", "not-listed")], ""),
        ("s/t/v", ["X-1"], [Output({})], ""),
        ("s/t/several", ["X-1"], [A], ""),
    ],
)
def test_a_code_needs_one_fault_and_a_clause(
    name: str, clauses: list[str], results: list[Result], code: str
) -> None:
    table = {"a": frozenset({"X-1"}), "b": frozenset({"X-1", "X-2"})}
    assert Codes(table, frozenset({"s/t/several"})).expected(name, clauses, results) == code


def test_a_wrong_code_in_the_corpus_is_noticed() -> None:
    vector = next(each for each in _refusing("history-merge") if code_in(each.expected["document"]))
    right = code_in(vector.expected["document"])
    wrong = "empty-set" if right != "empty-set" else "conflict"
    system = system_named("history-merge")
    assert not [*vector_faults(system, vector), *verify_vector(vector)]
    changed = evolve(vector, expected={"document": {"rejected": {"code": wrong}}})
    assert [*vector_faults(system, changed)] == [
        f"the spec's errors.md gives the code {wrong} to none of its clauses"
    ]
    (mismatch,) = verify_vector(changed)
    assert mismatch.observed.endswith(f"; the code must be {wrong}")
    several = evolve(vector, mended=None, lineage=None)
    assert f"it expects the code {right}, but its input may have several faults" in [
        *vector_faults(system, several)
    ]
