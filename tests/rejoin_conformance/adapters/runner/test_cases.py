"""A selection chooses vectors; a hello decides in which readings, and without which features."""

from __future__ import annotations

import json

import pytest
from attrs import evolve

from rejoin_conformance.adapters.protocol import Hello, HelloError, read_hello
from rejoin_conformance.adapters.results.records import record
from rejoin_conformance.adapters.run_options import Selection
from rejoin_conformance.adapters.runner.cases import Outcome, UndeclaredReadingError, readings_of
from rejoin_conformance.adapters.runner.declared import UnknownFeatureError, declared_by
from rejoin_conformance.adapters.runner.pool import run_cases
from support.memory_adapter import TOY_HELLO, toy
from support.toy_runs import HELLO
from support.toy_system import TOY, VECTORS, toy_cases

CHOICES = [
    (Selection(), 41),
    (Selection(systems=("toy",)), 41),
    (Selection(systems=("other",)), 0),
    (Selection(operations=("toy/double",)), 1),
    (Selection(operations=("double",)), 1),
    (Selection(operations=("d*", "halve")), 41),
    (Selection(clauses=("TOY-ODD",)), 20),
    (Selection(clauses=("TOY-ODD", "TOY-DOUBLE")), 21),
    (Selection(levels=("should",)), 1),
    (Selection(tiers=("sizes",)), 0),
    (Selection(ids=("toy/halves/half-of-1?",)), 10),
    (Selection(ids=("*/half-of-3", "*/half-of-4")), 2),
    (Selection(ids=("*/half-of-1?",), clauses=("TOY-HALF",)), 5),
]


def _hello(*readings: str) -> Hello:
    return evolve(HELLO, readings={"toy": readings})


def _without(*features: str, **fields: object) -> Hello:
    said = {**TOY_HELLO, "without": {"toy/halve": [*features]}, **fields}
    return read_hello(json.dumps(said).encode())


def test_a_selection_chooses() -> None:
    for selection, count in CHOICES:
        chosen = [vector for vector in VECTORS["toy"] if selection.chooses(vector)]
        assert len(chosen) == count, selection
        assert len(toy_cases(HELLO, selection)) == count


def test_the_readings_are_those_chosen_or_declared_or_the_default() -> None:
    assert readings_of(TOY, Selection(), HELLO) == ("strict",)
    assert readings_of(TOY, Selection(), _hello("lenient", "strict")) == ("lenient", "strict")
    assert len(toy_cases(_hello("lenient", "strict"))) == 82
    selection = Selection(readings=("lenient", "of-another-system"))
    assert readings_of(TOY, selection, _hello("strict")) == ("lenient",)
    refused = "the reading 'creative' of toy; the readings are strict"
    with pytest.raises(UndeclaredReadingError, match=refused):
        toy_cases(_hello("creative"))


def test_each_case_has_the_expectation_of_its_reading() -> None:
    cases = toy_cases(_hello("strict", "lenient"), Selection(ids=("*/half-of-15",)))
    assert {case.reading: case.expected for case in cases} == {
        "strict": {"rejected": {}},
        "lenient": {"output": {"half": 7}},
    }


def test_vectors_that_need_a_feature_are_not_asked() -> None:
    not_asked = [each for each in toy_cases(_without("large")) if each.missing]
    assert [each.vector.id for each in not_asked] == [
        f"toy/halves/half-of-{number}" for number in range(30, 40)
    ]
    outcomes: list[Outcome] = []
    run_cases(toy(), _without("large"), not_asked, outcomes.append)
    assert {(each.verdict, record(each).missing) for each in outcomes} == {
        ("not-declared", "large")
    }


def test_a_feature_is_taken_out_of_a_random_question() -> None:
    declared = declared_by(_without("large"), [TOY])
    assert declared.reduced("toy/halve", {"number": 37}) == {"number": 7}
    assert declared.reduced("toy/halve", {"number": 7}) == {"number": 7}
    assert declared.missing("toy/halve", {"number": 37}) == "large"
    both = _without(operations=["toy/halve", "toy/double"])
    fewer = declared_by(both, [TOY], frozenset({"toy/double"}), ("large",))
    assert fewer.operations == {"toy/double"}
    assert fewer.missing("toy/halve", {"number": 30}) == "large"


def test_unknown_features_and_operations_are_refused() -> None:
    with pytest.raises(UnknownFeatureError, match="'huge' of toy/halve; its features are large, v"):
        toy_cases(_without("huge"))
    with pytest.raises(HelloError, match="without names the operation 'toy/hlave', which oper"):
        _without(without={"toy/hlave": ["large"]})
