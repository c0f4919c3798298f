"""The generator refuses a draft whose statement the reference contradicts."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from rejoin_conformance.contract.vector import Draft, Topic, Vector
from rejoin_conformance.corpus.check import vector_faults
from rejoin_conformance.corpus.generate import index_text, refuse_lost_ids, vectors_of
from rejoin_conformance.corpus.load import CorpusError
from rejoin_conformance.kit.json_types import JsonObject
from support.toy_system import TOY

GOOD = Draft(
    name="eight",
    operation="toy/halve",
    summary="Half of eight is four",
    clauses=("TOY-HALF",),
    input={"number": 8},
    output={"half": 4},
)
ODD = Draft(
    name="seven",
    operation="toy/halve",
    summary="An odd number is refused",
    clauses=("TOY-ODD",),
    input={"number": 7},
    rejected_by=("strict",),
    mended={"number": 6},
    readings_differ=True,
)


def _finish(draft: Draft) -> JsonObject:
    (vector,) = vectors_of(TOY, Topic("numbers", "", (draft,)))
    return vector.to_json()


def test_where_readings_agree_there_is_one_expectation() -> None:
    assert _finish(GOOD)["expected"] == {"output": {"half": 4}}


def test_where_readings_differ_each_has_its_own() -> None:
    assert _finish(ODD)["expected_by_reading"] == {
        "strict": {"rejected": {}},
        "lenient": {"output": {"half": 3}},
    }


@pytest.mark.parametrize(
    ("draft", "reason"),
    [
        (attrs.evolve(GOOD, output={"half": 5}), "the draft states"),
        (attrs.evolve(ODD, output_by_reading={"lenient": {"half": 4}}), "in the reading lenient"),
        (attrs.evolve(GOOD, operation="toy/treble"), "no operation toy/treble"),
        (attrs.evolve(GOOD, rejected_by=("strict",)), "strict accepts this input"),
        (attrs.evolve(GOOD, readings_differ=True), "the results of the readings agree"),
        (attrs.evolve(GOOD, mended={"number": 6}), "remove its mended form"),
        (attrs.evolve(ODD, rejected_by=()), "the reading strict refuses this input"),
        (attrs.evolve(ODD, mended=None), "add its mended form"),
        (attrs.evolve(ODD, mended={"number": 5}), "the mended input is rejected too"),
        (attrs.evolve(ODD, readings_differ=False), "the results of the readings differ"),
    ],
)
def test_a_false_statement_stops_the_generator(draft: Draft, reason: str) -> None:
    with pytest.raises(CorpusError, match=reason):
        _finish(draft)


def test_a_draft_may_be_for_one_reading_only() -> None:
    only = attrs.evolve(ODD, readings=("strict",), readings_differ=False)
    assert _finish(only)["expected_by_reading"] == {"strict": {"rejected": {}}}


def test_the_check_accepts_what_the_generator_makes() -> None:
    vectors = vectors_of(TOY, Topic("numbers", "", (GOOD, ODD)))
    assert [fault for vector in vectors for fault in vector_faults(TOY, vector)] == []


def test_the_check_sees_a_negative_vector_with_a_second_fault() -> None:
    (vector,) = vectors_of(TOY, Topic("numbers", "", (ODD,)))
    broken = attrs.evolve(vector, mended={"number": 9})
    assert list(vector_faults(TOY, broken)) == ["the mended input is rejected too: odd: 9 is odd"]


def test_the_index_refuses_two_vectors_of_one_id() -> None:
    (vector,) = vectors_of(TOY, Topic("numbers", "", (GOOD,)))
    with pytest.raises(CorpusError, match="two vectors are called toy/numbers/eight"):
        index_text((vector, vector))


def test_a_vector_does_not_disappear_unnoticed() -> None:
    refuse_lost_ids(["toy/a/b"], ["toy/a/b", "toy/a/c"])
    with pytest.raises(CorpusError, match=r"toy/a/b would disappear"):
        refuse_lost_ids(["toy/a/b"], ["toy/a/c"])


RECIPE = Draft(
    name="large",
    operation="toy/halve",
    summary="a large number",
    clauses=("TOY-HALF",),
    input={"number": {"$number": "1000"}},
    output={"half": {"$number": "500"}},
    recipe=True,
)


def test_the_corpus_keeps_a_recipe_and_everybody_else_sees_its_value() -> None:
    (vector,) = vectors_of(TOY, Topic("t", "", (RECIPE,)))
    written = vector.to_json()
    assert (written["recipe"], written["input"]) == (True, {"number": {"$number": "1000"}})
    assert written["expected"] == {"output": {"half": {"$number": "500"}}}
    assert (vector.input, vector.expected["strict"]) == (
        {"number": 1000},
        {"output": {"half": 500}},
    )
    assert Vector.from_json(written, TOY.readings) == vector
    full = {**written, "input": vector.input, "expected": {"output": {"half": 500}}}
    del full["recipe"]
    assert vector.written_out.to_json() == full
    assert [*vector_faults(TOY, vector)] == []


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"output": {"half": {"$number": "501"}}}, "the draft states"),
        ({"input": {"number": {"$other": "1000"}}}, "expected one of the fields"),
    ],
)
def test_a_wrong_recipe_is_refused(changed: dict[str, Any], fault: str) -> None:
    with pytest.raises(CorpusError, match=fault):
        vectors_of(TOY, Topic("t", "", (attrs.evolve(RECIPE, **changed),)))


def test_a_vector_that_is_no_recipe_is_not_marked_as_one() -> None:
    draft = attrs.evolve(RECIPE, input={"number": 1000}, output={"half": 500})
    (vector,) = vectors_of(TOY, Topic("t", "", (draft,)))
    assert [*vector_faults(TOY, vector)] == ["it is marked as a recipe, but contains no recipe"]
