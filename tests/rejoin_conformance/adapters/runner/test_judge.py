"""A reply passes if and only if the vector expects it; any other reply is explained."""

from __future__ import annotations

import pytest
from attrs import evolve

from rejoin_conformance.adapters.protocol import Reply
from rejoin_conformance.adapters.runner.cases import Case
from rejoin_conformance.adapters.runner.judge import judge
from rejoin_conformance.contract.asked import Asked
from rejoin_conformance.kit.json_types import JsonObject
from support.toy_notation import WRITTEN_TOY
from support.toy_system import TOY, VECTORS


def _case(number: int, reading: str = "strict") -> Case:
    vector = next(each for each in VECTORS["toy"] if each.id == f"toy/halves/half-of-{number}")
    return Case(vector=vector, reading=reading, system=TOY, operation=TOY.operations[0])


@pytest.mark.parametrize(
    ("case", "reply", "fault"),
    [
        (_case(14), Reply(1, "output", {"half": 7}), ""),
        (_case(14), Reply(1, "output", {"half": 8}), "wrong-output"),
        (_case(14), Reply(1, "output", {"half": 7, "rest": 0}), "wrong-output"),
        (_case(2), Reply(1, "output", {"half": True}), "wrong-output"),
        (_case(14), Reply(1, "rejected", {}), "wrongly-rejected"),
        (_case(14), Reply(1, "error", {"message": "unsupported"}), "error"),
        (_case(15), Reply(1, "rejected", {"reason": "whatever"}), ""),
        (_case(15), Reply(1, "output", {"half": 7}), "wrongly-accepted"),
        (_case(15), Reply(1, "error", {}), "error"),
        (_case(15, "lenient"), Reply(1, "output", {"half": 7}), ""),
        (_case(15, "lenient"), Reply(1, "rejected", {}), "wrongly-rejected"),
    ],
)
def test_a_reply_has_its_fault(case: Case, reply: Reply, fault: str) -> None:
    outcome = judge(case, reply)
    assert (outcome.fault, outcome.verdict) == (fault, "fail" if fault else "pass")
    assert bool(outcome.explanation) == bool(fault)
    assert outcome.observed == (reply.to_json() if fault else None)


def test_a_system_explains_its_own_outputs() -> None:
    seen: list[Asked] = []

    def explain(difference: Asked) -> str:
        seen.append(difference)
        return "seven, not eight"

    case = evolve(_case(14), system=evolve(TOY, explain=explain))
    outcome = judge(case, Reply(1, "output", {"half": 8}))
    assert outcome.explanation == "wrong output: seven, not eight"
    assert seen == [
        Asked(
            operation="toy/halve",
            reading="strict",
            input={"number": 14},
            expected={"output": {"half": 7}},
            observed={"output": {"half": 8}},
        )
    ]


@pytest.mark.parametrize("output", [{"half": -1}, {"half": "8"}, {}])
def test_a_system_is_not_asked_to_explain_what_breaks_the_schema(output: JsonObject) -> None:
    def explain(_: Asked) -> str:
        raise AssertionError

    case = evolve(_case(14), system=evolve(TOY, explain=explain))
    assert "does not match the schema" in judge(case, Reply(1, "output", output)).explanation


def test_what_a_system_leaves_unexplained_is_explained_by_its_path() -> None:
    case = evolve(_case(14), system=evolve(TOY, explain=lambda _: None))
    outcome = judge(case, Reply(1, "output", {"half": 8}))
    assert outcome.explanation == "wrong output: at $.half\n  expected  7\n  observed  8"


def test_with_a_notation_both_answers_are_shown_in_it() -> None:
    case = evolve(_case(14), system=WRITTEN_TOY)
    outcome = judge(case, Reply(1, "output", {"half": 8}))
    assert outcome.explanation == "wrong output: at the answer\n  expected  7\n  observed  8"


def test_with_a_notation_the_fault_of_an_input_is_shown_in_it() -> None:
    case = evolve(_case(15), system=WRITTEN_TOY)
    outcome = judge(case, Reply(1, "output", {"half": 7}))
    assert outcome.explanation == (
        "accepted input that must be rejected; its one fault is at the question\n"
        "  valid  halve 14\n  input  halve 15"
    )


def test_a_remark_on_the_fault_of_an_input_uses_the_names_of_its_sides() -> None:
    number = "1" * 200
    vector = evolve(_case(15).vector, input={"n": [1]}, mended={"n": [1, 2]})
    outcome = judge(evolve(_case(15), vector=vector), Reply(1, "output", {"half": 7}))
    assert outcome.explanation == (
        "accepted input that must be rejected; its one fault is at $.n[1], 2 items valid, 1 input\n"
        "  valid  2\n  input  (nothing)"
    )
    vector = evolve(_case(15).vector, input={"n": f"{number}2"}, mended={"n": number})
    outcome = judge(evolve(_case(15), vector=vector), Reply(1, "output", {"half": 7}))
    assert "at $.n, from character 200 on (200 valid, 201 input)\n" in outcome.explanation


def test_an_explainer_that_fails_costs_no_verdict() -> None:
    def explain(_: Asked) -> str:
        raise KeyError("seqno")

    case = evolve(_case(14), system=evolve(TOY, explain=explain))
    outcome = judge(case, Reply(1, "output", {"half": 8}))
    assert (outcome.verdict, outcome.fault) == ("fail", "wrong-output")
    assert outcome.explanation.endswith("(the explainer of toy failed: KeyError('seqno'))")


def test_only_the_beginning_of_a_long_reply_is_kept() -> None:
    outcome = judge(_case(14), Reply(1, "output", {"half": "7" * 2_000_000}))
    assert "too long to compare" in outcome.explanation
    assert outcome.observed is not None
    kept = outcome.observed["truncated"]
    assert isinstance(kept, dict)
    assert kept["characters"] == 2_000_022
    assert len(str(kept["start"])) == 16 * 1024


def test_a_reply_that_is_nested_beyond_writing_is_a_wrong_output() -> None:
    deep: JsonObject = {}
    for _ in range(100_000):
        deep = {"half": deep}
    outcome = judge(_case(14), Reply(1, "output", deep))
    assert outcome.explanation == "wrong output: nested too deeply to compare"
    assert outcome.observed == {"truncated": {"kind": "output", "why": "nested too deeply"}}
