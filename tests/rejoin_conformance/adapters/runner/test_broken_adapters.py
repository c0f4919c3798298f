"""A program for every way of being broken: each has its verdict, and costs nobody else theirs.

`test_worker.py` has the faults that need no program.
"""

from __future__ import annotations

import tracemalloc
from collections import Counter
from pathlib import Path

import pytest
from attrs import evolve

from rejoin_conformance.adapters.runner.cases import Outcome
from rejoin_conformance.adapters.runner.pool import run_cases
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from support.toy_runs import PATIENT, SHORT, TRIGGER, left_behind, run_toy, toy_adapter
from support.toy_system import toy_cases

BROKEN_ON_ONE = [
    ("hangs", "timeout", "no answer within 0.8 s"),
    ("half-a-line", "timeout", 'no answer within 0.8 s, only an incomplete line: "{"id"'),
    ("hangs-leaving-a-child", "timeout", "no answer within 0.8 s"),
    ("floods-stderr-without-end", "timeout", "no answer within 0.8 s"),
    ("exits", "crash", "no answer: it ended with exit code 3"),
    ("exits-mid-line", "crash", 'ended with exit code 0, in the middle of the line "{"id": 1,"'),
    ("dies-of-a-signal", "crash", "no answer: it was ended by SIGKILL"),
    ("exits-leaving-a-child", "crash", "no answer: it ended with exit code 3"),
    ("closes-its-output", "crash", "it closed its standard output but did not end"),
    ("a-line-of-100-mb", "protocol-error", "wrote a line longer than 1,048,576 bytes"),
    ("noise-without-end", "protocol-error", "wrote a line longer than 1,048,576 bytes"),
    ("floods-stderr", "pass", ""),
    ("keeps-a-child", "pass", ""),
    ("answers-one-and-exits", "pass", ""),
]
FLOODS = {"a-line-of-100-mb", "noise-without-end", "floods-stderr-without-end", "floods-stderr"}


@pytest.mark.parametrize(("mode", "verdict", "why"), BROKEN_ON_ONE, ids=lambda each: each[:30])
def test_the_broken_case_has_its_verdict_and_no_other_loses_its_own(
    mode: str, verdict: str, why: str, tmp_path: Path
) -> None:
    limits = SHORT if verdict == "timeout" else PATIENT
    if mode in FLOODS:
        tracemalloc.start()
    try:
        outcomes = run_toy(toy_adapter(mode, tmp_path, limits))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    broken = outcomes.pop(TRIGGER)
    assert (broken.verdict, why in broken.explanation) == (verdict, True), broken.explanation
    assert Counter(each.verdict for each in outcomes.values()) == {"pass": 39, "not-declared": 1}
    assert peak < 16 * 1024 * 1024, "a flood does not fill the memory"
    assert left_behind(tmp_path) == []


@pytest.mark.parametrize(
    ("mode", "verdict", "why"),
    [
        ("aborts-at-bye", "crash", "it was ended by SIGABRT"),
        ("exits-with-3-at-bye", "crash", "it ended with exit code 3"),
        ("ignores-its-end-of-input", "timeout", "it did not end within 0.3 seconds"),
        ("closes-its-output-at-bye", "timeout", "it did not end within 0.3 seconds"),
    ],
)
def test_a_bad_end_is_a_failure_and_a_restart(mode: str, verdict: str, why: str) -> None:
    outcomes = run_toy(toy_adapter(mode, limits=SHORT))
    (bad,) = (each for each in outcomes.values() if each.restarted)
    assert (bad.verdict, why in bad.explanation) == (verdict, True), bad.explanation


@pytest.mark.parametrize(
    ("mode", "line"),
    [("half-a-line-at-bye", "half a line"), ("a-long-line-at-bye", "a line that is too long")],
)
def test_a_line_after_bye_is_judged_even_if_it_has_no_end(mode: str, line: str) -> None:
    outcomes = run_toy(toy_adapter(mode, limits=PATIENT))
    (bad,) = (each for each in outcomes.values() if each.verdict == "protocol-error")
    assert bad.explanation == f'wrote more than one reply: "{line}"'


def test_an_answer_that_begins_before_its_request_is_a_failure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TOY_IN_FLIGHT", "1")
    outcomes = run_toy(toy_adapter("begins-the-next-answer"))
    broken = {key for key, each in outcomes.items() if each.verdict == "protocol-error"}
    assert broken == {TRIGGER}


def test_an_exit_after_the_only_answer_is_a_failure() -> None:
    adapter = toy_adapter("exits-after-its-answer")
    hello = adapter.greet()
    outcomes: list[Outcome] = []
    only = [case for case in toy_cases(hello) if case.key == TRIGGER]
    run_cases(adapter, hello, only, outcomes.append)
    assert (outcomes[-1].verdict, outcomes[-1].restarted) == ("crash", True)
    assert "it ended with exit code 0 before it read bye" in outcomes[-1].explanation


def test_several_processes_give_the_same_verdicts(tmp_path: Path) -> None:
    adapter = toy_adapter("exits", tmp_path)
    one, three = run_toy(adapter), run_toy(adapter, jobs=3)
    assert {key: each.verdict for key, each in three.items()} == {
        key: each.verdict for key, each in one.items()
    }
    assert one[TRIGGER].stderr == "panic: cannot halve 14"
    assert left_behind(tmp_path) == []


@pytest.mark.parametrize(
    ("mode", "why"),
    [
        ("exits-before-hello", "it ended with exit code 5\nits standard error ends:\ncannot find"),
        ("prints-a-banner", 'the line is not JSON (Expecting value at character 0): "toy adapter'),
        ("floods-before-hello", "the line is longer than 1,048,576 bytes"),
        ("another-hello-each-time", "a later process of the adapter sent a different hello"),
        ("says-no-hello", "no line within 0.4 seconds"),
    ],
)
def test_a_wrong_hello_makes_the_adapter_unusable(mode: str, why: str, tmp_path: Path) -> None:
    limits = evolve(SHORT, hello=0.4 if mode == "says-no-hello" else 30)
    with pytest.raises(AdapterUnusableError) as caught:
        run_toy(toy_adapter(mode, tmp_path, limits))
    assert why in str(caught.value)
    assert left_behind(tmp_path) == []


def test_standard_error_of_earlier_cases_is_not_shown_with_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOY_IN_FLIGHT", "1")
    outcomes = run_toy(toy_adapter("logs-each-request", tmp_path))
    assert outcomes[TRIGGER].stderr == "asked 14"
