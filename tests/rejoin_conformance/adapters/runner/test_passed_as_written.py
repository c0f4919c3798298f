"""A reply that is the expected output byte for byte passes without being parsed."""

from __future__ import annotations

import pytest
from attrs import evolve

from rejoin_conformance.adapters.protocol import output_line, read_reply
from rejoin_conformance.adapters.runner.alone import passed_as_written
from rejoin_conformance.adapters.runner.broken import Asked
from rejoin_conformance.adapters.runner.cases import Case
from rejoin_conformance.adapters.runner.judge import judge
from rejoin_conformance.contract.feature import Feature
from support.toy_system import TOY, VECTORS


def _asked(number: int, reading: str = "strict") -> Asked:
    vector = next(each for each in VECTORS["toy"] if each.id == f"toy/halves/half-of-{number}")
    case = Case(vector=vector, reading=reading, system=TOY, operation=TOY.operations[0])
    return Asked(case, 0.0, 0)


def test_the_expected_output_in_canonical_form_passes_as_it_does_when_it_is_parsed() -> None:
    asked, line = _asked(14), b'{"id":3,"output":{"half":7}}'
    assert line == output_line(3, '{"half":7}')
    passed = passed_as_written(asked, 3, line)
    assert passed is not None
    parsed = judge(asked.case, read_reply(line))
    assert evolve(passed, microseconds=0) == parsed
    assert parsed.verdict == "pass"


@pytest.mark.parametrize(
    "line",
    [
        b'{"id": 3, "output": {"half": 7}}',
        b'{"output":{"half":7},"id":3}',
        b'{"id":4,"output":{"half":7}}',
        b'{"id":3,"output":{"half":8}}',
        b'{"id":3,"output":{"half":7}} ',
        b'{"id":3,"output":{"half":7}',
        b'{"id":3,"rejected":{}}',
        b"",
    ],
)
def test_every_other_line_is_parsed(line: bytes) -> None:
    assert passed_as_written(_asked(14), 3, line) is None


def test_a_reply_is_parsed_if_no_output_is_expected_or_a_part_of_it_is_left_out() -> None:
    assert passed_as_written(_asked(15), 3, output_line(3, "")) is None
    asked = _asked(14)
    left_out = evolve(asked.case, without=(Feature(name="rest", summary=""),))
    line = output_line(3, '{"half":7}')
    assert passed_as_written(Asked(left_out, 0.0, 0), 3, line) is None
