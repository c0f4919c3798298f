"""The names of an implementation for codes, and which rejections have the expected code."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from rejoin_conformance.adapters.protocol import Reply
from rejoin_conformance.adapters.runner.cases import Case
from rejoin_conformance.adapters.runner.declared import OwnCodes, OwnCodesError, load_own_codes
from rejoin_conformance.adapters.runner.judge import judge
from rejoin_conformance.kit.json_types import JsonObject
from support.toy_system import TOY, VECTORS

VECTOR = next(each for each in VECTORS["toy"] if each.id == "toy/halves/half-of-15")
OWN = OwnCodes({"toy": {"E_ODD": ("odd", "negative"), "E_BIG": ("big", "huge")}})


def _case(code: JsonObject, codes: OwnCodes | None) -> Case:
    vector = evolve(VECTOR, expected={"strict": {"rejected": code}})
    return Case(
        vector=vector, reading="strict", system=TOY, operation=TOY.operations[0], codes=codes
    )


@pytest.mark.parametrize(
    ("expected", "codes", "said", "why"),
    [
        ({"code": "odd"}, None, {"code": "big"}, ""),
        ({"code": "odd"}, None, {}, ""),
        ({}, OWN, {"code": "big"}, ""),
        ({"code": "odd"}, OWN, {"code": "odd"}, ""),
        ({"code": "odd"}, OWN, {"code": "E_ODD"}, ""),
        ({"code": "negative"}, OWN, {"code": "E_ODD"}, ""),
        ({"code": "odd"}, OWN, {"code": "E_BIG"}, "the code must be odd, not big or huge (E_BIG)"),
        ({"code": "odd"}, OWN, {}, "the code must be odd, but the rejection has none"),
        (
            {"code": "odd"},
            OwnCodes(),
            {"code": "\x1b[2J"},
            r"the code must be odd, not \x1b[2J, which the spec does not list",
        ),
    ],
)
def test_a_code_is_compared_if_the_run_and_the_vector_ask_for_it(
    expected: JsonObject, codes: OwnCodes | None, said: JsonObject, why: str
) -> None:
    outcome = judge(_case(expected, codes), Reply(1, "rejected", said))
    assert outcome.fault == ("wrong-reason" if why else "")
    assert outcome.verdict == ("fail" if why else "pass")
    assert outcome.explanation == (f"rejected for a wrong reason: {why}" if why else "")


def test_other_answers_to_input_that_must_be_rejected_stay_what_they_were() -> None:
    case = _case({"code": "odd"}, OWN)
    assert judge(case, Reply(1, "output", {"half": 7})).fault == "wrongly-accepted"
    assert judge(case, Reply(1, "error", {})).fault == "error"


def test_a_name_stands_for_one_code_or_several(tmp_path: Path) -> None:
    path = tmp_path / "codes.toml"
    path.write_text(
        '[config-merge]\nE_INT = ["bad-integer", "integer-not-canonical"]\n"é" = "truncated"\n',
        encoding="utf-8",
    )
    assert load_own_codes(path).names == {
        "config-merge": {"E_INT": ("bad-integer", "integer-not-canonical"), "é": ("truncated",)}
    }


def test_a_file_that_is_no_text_is_refused_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "codes.toml"
    path.write_bytes(b"\xff")
    with pytest.raises(OwnCodesError, match=f"{path}: it is not UTF-8"):
        load_own_codes(path)
