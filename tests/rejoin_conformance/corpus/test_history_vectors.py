"""Drafts that nobody wrote: the reference says everything that is expected of them."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from rejoin_conformance.contract.history import Call
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.contract.vector import Draft, Lineage, Topic
from rejoin_conformance.corpus.check import vector_faults
from rejoin_conformance.corpus.generate import vectors_of
from rejoin_conformance.corpus.history_vectors import (
    can_be_asked,
    clauses_by_operation,
    decided,
    draft_of,
)
from rejoin_conformance.corpus.load import CorpusError
from rejoin_conformance.kit.codec import plain
from support.toy_system import TOY

_LINEAGE = Lineage(profile="default", seed=2**63, index=7, code="0", history="default-7")


def _draft(number: int) -> Draft:
    call = Call("toy/halve", {"number": number})
    return draft_of("one", call, "as it comes", ["TOY-ODD", "TOY-HALF"], _LINEAGE)


def test_a_refusal_needs_no_statement_and_no_mended_input() -> None:
    (vector,) = vectors_of(TOY, Topic("found", "", (_draft(7),)))
    assert vector.expected == {"strict": {"rejected": {}}, "lenient": {"output": {"half": 3}}}
    assert vector.readings_differ
    assert list(vector_faults(TOY, vector)) == []


def test_results_that_agree_are_spelled_once() -> None:
    (vector,) = vectors_of(TOY, Topic("found", "", (_draft(8),)))
    assert vector.to_json()["expected"] == {"output": {"half": 4}}
    assert vector.clauses == ("TOY-HALF", "TOY-ODD")


def test_a_draft_that_somebody_wrote_has_to_state_its_refusal() -> None:
    with pytest.raises(CorpusError, match="the reading strict refuses this input"):
        vectors_of(TOY, Topic("written", "", (evolve(_draft(7), lineage=None),)))


def test_the_lineage_keeps_a_seed_of_any_size() -> None:
    assert plain(_LINEAGE)["seed"] == "9223372036854775808"


def test_an_operation_can_decide_what_written_vectors_of_it_decide() -> None:
    found = Topic("found", "", (evolve(_draft(8), clauses=("TOY-OTHER",)),))
    by_operation = clauses_by_operation((*TOY.topics(), found))
    assert by_operation == {
        "toy/halve": {"TOY-ODD", "TOY-HALF"},
        "toy/double": {"TOY-DOUBLE"},
    }


def test_decided_clauses_are_among_the_keys_of_coverage() -> None:
    assert decided(["clause:TOY-ODD", "shape:width:3", "event:clause"]) == {"TOY-ODD"}


def test_only_what_fits_its_schema_can_be_asked() -> None:
    assert can_be_asked(TOY, Call("toy/halve", {"number": 7}))
    assert not can_be_asked(TOY, Call("toy/halve", {"number": -7}))
    assert not can_be_asked(TOY, Call("toy/third", {"number": 9}))


def test_what_the_reference_fails_at_cannot_be_asked() -> None:
    def fails(value: Any, reading: str) -> Any:
        raise ZeroDivisionError

    halve: Operation = evolve(TOY.operations[0], perform=fails)
    assert not can_be_asked(evolve(TOY, operations=(halve,)), Call("toy/halve", {"number": 8}))
