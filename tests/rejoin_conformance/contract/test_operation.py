"""An operation checks its input, answers, or rejects; it never leaks another exception."""

from __future__ import annotations

from attrs import evolve

from rejoin_conformance.contract.operation import Output, Rejected
from rejoin_conformance.kit.json_types import JsonObject
from support.toy_system import TOY

HALVE = TOY.operations[0]


def test_an_input_is_answered_or_refused_with_a_reason_and_a_code() -> None:
    assert HALVE.run({"number": 8}, "strict") == Output({"half": 4})
    refused = Rejected("odd: 7 is odd", "odd")
    assert HALVE.run({"number": 7}, "strict") == refused
    for value, why in (
        ({"number": 8, "extra": 1}, "'extra'"),
        ({}, '"number" is a required property'),
    ):
        misfit = HALVE.run({**value}, "strict")
        assert isinstance(misfit, Rejected)
        assert (misfit.code, why in misfit.reason) == ("input", True)


def test_the_results_have_the_forms_that_adapters_use() -> None:
    assert HALVE.system == "toy"
    assert Output({"half": 1}).to_json() == {"output": {"half": 1}}
    assert Rejected("why").to_json() == {"rejected": {"reason": "why"}}


def test_a_second_evaluation_is_run_as_the_first_one_is() -> None:
    assert HALVE.answer_second({"number": 8}, "strict") is None
    both = evolve(HALVE, second=HALVE.perform)
    values: tuple[JsonObject, ...] = ({"number": 8}, {"number": 7})
    for value in values:
        assert both.answer_second(value, "strict") == both.answer(value, "strict")
    wrong = evolve(HALVE, second=lambda _value, _reading: {"half": 0})
    assert wrong.answer_second({"number": 8}, "strict") == Output({"half": 0})
