"""An adapter that leaves out features is asked nothing that needs them."""

from __future__ import annotations

import json

import pytest
from attrs import evolve

from rejoin_conformance.adapters.protocol import Hello, HelloError, Reply, read_hello
from rejoin_conformance.adapters.results.records import record
from rejoin_conformance.adapters.results.summary import summarise
from rejoin_conformance.adapters.results.text import summary_blocks
from rejoin_conformance.adapters.runner.declared import UnknownFeatureError, declared_by
from rejoin_conformance.adapters.runner.judge import judge
from rejoin_conformance.adapters.runner.known_failures import KnownFailures
from rejoin_conformance.adapters.runner.pool import run_cases
from rejoin_conformance.adapters.runner.verdict import Outcome
from rejoin_conformance.kit.document_text import document_text
from support.toy_runs import toy_adapter
from support.toy_system import TOY, toy_cases


def hello(*features: str) -> Hello:
    return read_hello(
        json.dumps(
            {
                "type": "hello",
                "protocol": 1,
                "name": "toy",
                "operations": ["toy/halve"],
                "without": {"toy/halve": [*features]},
            }
        ).encode()
    )


def test_a_hello_names_the_features_that_are_left_out() -> None:
    assert hello("large").without == {"toy/halve": ("large",)}


def test_a_hello_leaves_out_features_of_declared_operations_only() -> None:
    line = (
        b'{"type":"hello","protocol":1,"name":"toy","operations":["toy/halve"],'
        b'"without":{"toy/hlave":["large"]}}'
    )
    with pytest.raises(HelloError, match="without names the operation 'toy/hlave', which oper"):
        read_hello(line)


def test_an_unknown_feature_is_refused_with_the_known_ones() -> None:
    with pytest.raises(
        UnknownFeatureError,
        match="leaves out the feature 'huge' of toy/halve; its features are large, value",
    ):
        toy_cases(hello("huge"))


def test_vectors_that_need_a_feature_are_not_asked() -> None:
    outcomes: list[Outcome] = []
    not_asked = [each for each in toy_cases(hello("large")) if each.missing]
    assert [each.vector.id for each in not_asked] == [
        f"toy/halves/half-of-{number}" for number in range(30, 40)
    ]
    run_cases(toy_adapter("does not start"), hello("large"), not_asked, outcomes.append)
    assert {(each.verdict, each.missing) for each in outcomes} == {("not-declared", "large")}


def test_the_summary_names_the_feature() -> None:
    case = next(each for each in toy_cases(hello("large")) if each.missing)
    line = record(Outcome(case=case, verdict="not-declared", missing="large"))
    assert line.missing == "large"
    said = document_text([*summary_blocks(summarise([line], KnownFailures()))])
    assert "not declared: toy/halve with large (1 vector)" in said


def test_a_report_that_is_left_out_is_not_compared() -> None:
    case = next(
        each for each in toy_cases(hello("value")) if each.vector.id == "toy/halves/half-of-14"
    )
    assert judge(case, Reply(1, "output", {"half": 8})).verdict == "pass"
    assert judge(case, Reply(1, "output", {})).verdict == "pass"
    assert judge(case, Reply(1, "rejected", {})).fault == "wrongly-rejected"
    wrong = judge(case, Reply(1, "output", {"half": 7, "more": 1}))
    assert wrong.fault == "wrong-output"
    assert wrong.explanation == "wrong output: at $.more\n  expected  (nothing)\n  observed  1"


def test_a_feature_is_taken_out_of_a_random_question() -> None:
    declared = declared_by(hello("large"), [TOY])
    assert declared.reduced("toy/halve", {"number": 37}) == {"number": 7}
    assert declared.reduced("toy/halve", {"number": 7}) == {"number": 7}
    assert declared.missing("toy/halve", {"number": 37}) == "large"


def test_an_option_leaves_out_more_and_asks_fewer_operations() -> None:
    both = evolve(hello(), operations=("toy/halve", "toy/double"))
    declared = declared_by(both, [TOY], frozenset({"toy/double"}), ("large",))
    assert declared.operations == {"toy/double"}
    assert declared.missing("toy/halve", {"number": 30}) == "large"
