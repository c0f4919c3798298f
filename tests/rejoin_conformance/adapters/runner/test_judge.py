"""A reply passes if and only if the vector expects it; any other reply is explained."""

from __future__ import annotations

from typing import Final

import pytest
from attrs import evolve

from rejoin_conformance.adapters.protocol import Reply, numbered, output_after_id, read_reply
from rejoin_conformance.adapters.runner.cases import Case
from rejoin_conformance.adapters.runner.declared import OwnCodes
from rejoin_conformance.adapters.runner.judge import judge
from rejoin_conformance.contract.operation import Asked
from rejoin_conformance.kit.json_types import Json, JsonObject
from support.toy_notation import WRITTEN_TOY
from support.toy_system import TOY, VALUE, VECTORS


def _case(number: int, reading: str = "strict") -> Case:
    vector = next(each for each in VECTORS["toy"] if each.id == f"toy/halves/half-of-{number}")
    return Case(vector=vector, reading=reading, system=TOY, operation=TOY.operations[0])


EIGHT = Reply(1, "output", {"half": 8})
REPLIES = [
    (_case(14), Reply(1, "output", {"half": 7}), ""),
    (_case(14), EIGHT, "wrong-output"),
    (_case(14), Reply(1, "output", {"half": 7, "rest": 0}), "wrong-output"),
    (_case(2), Reply(1, "output", {"half": True}), "wrong-output"),
    (_case(14), Reply(1, "rejected", {}), "wrongly-rejected"),
    (_case(14), Reply(1, "error", {"message": "unsupported"}), "error"),
    (_case(15), Reply(1, "rejected", {"reason": "whatever"}), ""),
    (_case(15), Reply(1, "output", {"half": 7}), "wrongly-accepted"),
    (_case(15), Reply(1, "error", {}), "error"),
    (_case(15, "lenient"), Reply(1, "output", {"half": 7}), ""),
    (_case(15, "lenient"), Reply(1, "rejected", {}), "wrongly-rejected"),
]


def test_a_reply_has_its_fault() -> None:
    for case, reply, fault in REPLIES:
        outcome = judge(case, reply)
        assert (outcome.fault, outcome.verdict) == (fault, "fail" if fault else "pass")
        assert bool(outcome.explanation) == bool(fault)
        assert outcome.observed == (reply.to_json() if fault else None)


def test_the_expected_output_as_written_passes_without_being_parsed() -> None:
    line = b'{"id":3,"output":{"half":7}}'
    assert line == numbered(3, output_after_id('{"half":7}'))
    assert _case(14).is_passed_by(3, line)
    assert judge(_case(14), read_reply(line)).verdict == "pass"
    for other in (
        b'{"id": 3, "output": {"half": 7}}',
        b'{"output":{"half":7},"id":3}',
        b'{"id":4,"output":{"half":7}}',
        b'{"id":3,"output":{"half":8}}',
        b'{"id":3,"output":{"half":7}} ',
        b'{"id":3,"output":{"half":7}',
        b'{"id":3,"rejected":{}}',
        b"",
    ):
        assert not _case(14).is_passed_by(3, other)
    assert not _case(15).is_passed_by(3, numbered(3, output_after_id("")))
    assert not evolve(_case(14), without=(VALUE,)).is_passed_by(3, line)


def test_a_system_explains_its_own_outputs() -> None:
    seen: list[Asked] = []

    def explain(difference: Asked) -> str:
        seen.append(difference)
        return "seven, not eight"

    case = evolve(_case(14), system=evolve(TOY, explain=explain))
    assert judge(case, EIGHT).explanation == "wrong output: seven, not eight"
    assert [(each.input, each.observed) for each in seen] == [
        ({"number": 14}, {"output": {"half": 8}})
    ]
    odd: list[JsonObject] = [{"half": -1}, {"half": "8"}, {}]
    for output in odd:
        assert "does not match the schema" in judge(case, Reply(1, "output", output)).explanation
    assert len(seen) == 1, "an output that breaks the schema is not explained"


def test_a_system_that_cannot_explain_costs_no_verdict() -> None:
    def explain(_: Asked) -> str:
        raise KeyError("seqno")

    plain = "wrong output: at $.half\n  expected  7\n  observed  8"
    none = judge(evolve(_case(14), system=evolve(TOY, explain=lambda _: None)), EIGHT)
    fails = judge(evolve(_case(14), system=evolve(TOY, explain=explain)), EIGHT)
    assert none.explanation == plain
    assert fails.explanation == f"{plain}\n(the explainer of toy failed: KeyError('seqno'))"


def test_with_a_notation_answers_and_faults_are_shown_in_it() -> None:
    right, wrong = (evolve(_case(number), system=WRITTEN_TOY) for number in (14, 15))
    assert judge(right, EIGHT).explanation == (
        "wrong output: at the answer\n  expected  7\n  observed  8"
    )
    assert judge(wrong, EIGHT).explanation == (
        "accepted input that must be rejected; its one fault is at the input\n"
        "  valid  halve 14\n  input  halve 15"
    )


@pytest.mark.parametrize(
    ("given", "mended", "remark"),
    [
        ([1], [1, 2], "at $.n[1], valid 2 items, input 1\n  valid  2\n  input  (nothing)"),
        ("1" * 200 + "2", "1" * 200, "at $.n, from character 200 on (valid 200, input 201)\n"),
    ],
)
def test_a_remark_on_the_fault_of_an_input_uses_the_names_of_its_sides(
    given: Json, mended: Json, remark: str
) -> None:
    vector = evolve(_case(15).vector, input={"n": given}, mended={"n": mended})
    assert remark in judge(evolve(_case(15), vector=vector), EIGHT).explanation


def test_a_report_that_is_left_out_is_not_compared() -> None:
    case = evolve(_case(14), without=(VALUE,))
    assert judge(case, EIGHT).verdict == "pass"
    assert judge(case, Reply(1, "output", {})).verdict == "pass"
    assert judge(case, Reply(1, "rejected", {})).fault == "wrongly-rejected"
    wrong = judge(case, Reply(1, "output", {"half": 7, "more": 1}))
    assert wrong.explanation == "wrong output: at $.more\n  expected  (nothing)\n  observed  1"


def test_only_the_beginning_of_a_long_or_deep_reply_is_kept() -> None:
    outcome = judge(_case(14), Reply(1, "output", {"half": "7" * 2_000_000}))
    assert "too long to compare" in outcome.explanation
    kept = (outcome.observed or {})["truncated"]
    assert isinstance(kept, dict)
    assert (kept["characters"], len(str(kept["start"]))) == (2_000_022, 16 * 1024)
    deep: JsonObject = {}
    for _ in range(100_000):
        deep = {"half": deep}
    outcome = judge(_case(14), Reply(1, "output", deep))
    assert outcome.explanation == "wrong output: nested too deeply to compare"
    assert outcome.observed == {"truncated": {"kind": "output", "why": "nested too deeply"}}


OWN: Final = OwnCodes({"toy": {"E_ODD": ("odd", "negative"), "E_BIG": ("big", "huge")}})
UNLISTED: Final = r"the code must be odd, not \x1b[2J, which the spec does not list"
CODES: list[tuple[JsonObject, OwnCodes | None, JsonObject, str]] = [
    ({"code": "odd"}, None, {"code": "big"}, ""),
    ({"code": "odd"}, None, {}, ""),
    ({}, OWN, {"code": "big"}, ""),
    ({"code": "odd"}, OWN, {"code": "odd"}, ""),
    ({"code": "odd"}, OWN, {"code": "E_ODD"}, ""),
    ({"code": "negative"}, OWN, {"code": "E_ODD"}, ""),
    ({"code": "odd"}, OWN, {"code": "E_BIG"}, "the code must be odd, not big or huge (E_BIG)"),
    ({"code": "odd"}, OWN, {}, "the code must be odd, but the rejection has none"),
    ({"code": "odd"}, OwnCodes(), {"code": "\x1b[2J"}, UNLISTED),
]


def test_a_code_is_compared_if_the_run_and_the_vector_ask_for_it() -> None:
    for expected, codes, said, why in CODES:
        vector = evolve(_case(15).vector, expected={"strict": {"rejected": expected}})
        case = evolve(_case(15), vector=vector, codes=codes)
        outcome = judge(case, Reply(1, "rejected", said))
        assert (outcome.fault, outcome.verdict) == (
            ("wrong-reason", "fail") if why else ("", "pass")
        )
        assert outcome.explanation == (f"rejected for a wrong reason: {why}" if why else "")
        assert judge(case, Reply(1, "output", {"half": 7})).fault == "wrongly-accepted"
        assert judge(case, Reply(1, "error", {})).fault == "error"
