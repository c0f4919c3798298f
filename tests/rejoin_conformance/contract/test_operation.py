"""An operation checks its input, answers, or rejects; it never leaks another exception."""

from __future__ import annotations

from attrs import evolve

from rejoin.errors import RejoinError
from rejoin_conformance.contract.operation import Operation, Output, Rejected
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.schemas import integer, record


def _halve(value: JsonObject, reading: str) -> JsonObject:
    number = value["number"]
    assert isinstance(number, int)
    if number % 2:
        raise RejoinError("odd", f"{number} is odd in the reading {reading}", 0)
    return {"half": number // 2}


HALVE = Operation(
    name="toy/halve",
    summary="Half of an even number.",
    input_schema=record({"number": integer(0)}),
    output_schema=record({"half": integer(0)}),
    perform=_halve,
)


def test_an_input_is_answered_or_refused_with_a_reason_and_a_code() -> None:
    assert HALVE.run({"number": 8}, "any") == Output({"half": 4})
    refused = Rejected("odd at byte 0: 7 is odd in the reading any", "odd")
    assert HALVE.run({"number": 7}, "any") == refused
    for value, why in (
        ({"number": 8, "extra": 1}, "'extra'"),
        ({}, '"number" is a required property'),
    ):
        misfit = HALVE.run({**value}, "any")
        assert isinstance(misfit, Rejected)
        assert (misfit.code, why in misfit.reason) == ("input", True)


def test_the_results_have_the_forms_that_adapters_use() -> None:
    assert HALVE.system == "toy"
    assert Output({"half": 1}).to_json() == {"output": {"half": 1}}
    assert Rejected("why").to_json() == {"rejected": {"reason": "why"}}


def test_a_second_evaluation_is_run_as_the_first_one_is() -> None:
    assert HALVE.run_second({"number": 8}, "any") is None
    both = evolve(HALVE, second=_halve)
    values: tuple[JsonObject, ...] = ({"number": 8}, {"number": 7}, {"number": -2}, {})
    for value in values:
        assert both.run_second(value, "any") == both.run(value, "any")
    wrong = evolve(HALVE, second=lambda _value, _reading: {"half": 0})
    assert wrong.run_second({"number": 8}, "any") == Output({"half": 0})
