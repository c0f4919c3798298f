"""An adapter for every way of being broken: each has its verdict, and costs nobody else theirs."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from pathlib import Path

import pytest
from attrs import evolve

from rejoin_conformance.adapters.unusable import AdapterUnusableError
from support.toy_runs import PATIENT, SHORT, TRIGGER, left_behind, run_toy, toy_adapter

NOBODY_ASKED_ELSE = {"pass": 39, "not-declared": 1}
"""The verdicts of all cases but the one that the adapter is broken on."""

BROKEN_ON_ONE = [
    ("never-answers", "timeout", "no answer within 0.8 seconds"),
    ("hangs", "timeout", "no answer within 0.8 seconds"),
    ("answers-late", "timeout", "no answer within 0.8 seconds"),
    ("half-a-line", "timeout", 'no answer within 0.8 seconds, only an incomplete line: "{"id"'),
    ("hangs-leaving-a-child", "timeout", "no answer within 0.8 seconds"),
    ("floods-stderr-without-end", "timeout", "no answer within 0.8 seconds"),
    ("exits", "crash", "no answer: it ended with exit code 3"),
    ("exits-mid-line", "crash", 'ended with exit code 0, in the middle of the line "{"id": 1,"'),
    ("dies-of-a-signal", "crash", "no answer: it was ended by SIGKILL"),
    ("exits-leaving-a-child", "crash", "no answer: it ended with exit code 3"),
    ("closes-its-output", "crash", "it closed its standard output but did not end"),
    ("answers-twice", "protocol-error", "wrote more than one reply"),
    ("answers-twice-in-one-write", "protocol-error", "wrote more than one reply"),
    ("wrong-id", "protocol-error", "answered request 1000001 instead of 1"),
    ("id-of-the-next-request", "protocol-error", "answered request 2 instead of 1"),
    ("id-as-text", "protocol-error", "must have the integer id of its request"),
    ("no-id", "protocol-error", "must have the integer id of its request"),
    ("a-line-of-100-mb", "protocol-error", "wrote a line longer than 1,048,576 bytes"),
    ("noise-without-end", "protocol-error", "wrote a line longer than 1,048,576 bytes"),
    ("binary-noise", "protocol-error", r"the line is not JSON"),
    ("blank-line", "protocol-error", "the line is not JSON"),
    ("prints-before-it-answers", "protocol-error", "the line is not JSON (Expecting value at char"),
    ("prints-after-it-answered", "protocol-error", 'wrote more than one reply: "halved 14"'),
    ("no-result", "protocol-error", "it has nothing"),
    ("two-results", "protocol-error", "it has output, rejected"),
    ("output-as-text", "protocol-error", 'output must be an object, not "7"'),
    ("reason-as-number", "protocol-error", "reason must be a string, not 7"),
    ("a-fraction", "protocol-error", "only integers are allowed, not 7.0"),
    ("a-field-twice", "protocol-error", "the field 'half' occurs twice"),
    ("nested-without-end", "protocol-error", "nested too deeply"),
    ("nested-deeply", "fail", "does not match the schema of toy/halve"),
    ("a-long-output", "fail", "characters are too long to compare"),
    ("true-for-a-number", "fail", 'true is not of type "integer"'),
    ("wrong-output", "fail", "at $.half\n  expected  7\n  observed  8"),
    ("control-characters", "fail", r"rejected input that must be accepted: \x1b[2J\u202egone"),
    ("refuses-what-it-declared", "fail", "declared toy/halve, then answered with an error: unsup"),
    ("floods-stderr", "pass", ""),
    ("ignores-its-end-of-input", "pass", ""),
    ("keeps-a-child", "pass", ""),
    ("answers-one-and-exits", "pass", ""),
    ("says-bye", "pass", ""),
    ("sound", "pass", ""),
]


@pytest.mark.parametrize(
    ("mode", "verdict", "why"), BROKEN_ON_ONE, ids=lambda value: str(value)[:30]
)
def test_the_broken_case_has_its_verdict_and_no_other_loses_its_own(
    mode: str, verdict: str, why: str, tmp_path: Path
) -> None:
    limits = SHORT if verdict == "timeout" else PATIENT
    outcomes = run_toy(toy_adapter(mode, tmp_path, limits))
    broken = outcomes.pop(TRIGGER)
    assert (broken.verdict, why in broken.explanation) == (verdict, True), broken.explanation
    assert Counter(each.verdict for each in outcomes.values()) == NOBODY_ASKED_ELSE
    assert left_behind(tmp_path) == []


@pytest.mark.parametrize(
    "mode", ["exits", "answers-twice", "prints-after-it-answered", "wrong-id", "no-id"]
)
def test_the_verdicts_do_not_depend_on_the_window(
    mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_four = run_toy(toy_adapter(mode, tmp_path))
    monkeypatch.setenv("TOY_IN_FLIGHT", "1")
    with_one = run_toy(toy_adapter(mode, tmp_path))
    assert {key: (each.verdict, each.explanation) for key, each in with_one.items()} == {
        key: (each.verdict, each.explanation) for key, each in with_four.items()
    }


@pytest.mark.parametrize("mode", ["exits", "hangs", "answers-twice", "sound"])
def test_several_processes_give_the_same_verdicts(mode: str, tmp_path: Path) -> None:
    adapter = toy_adapter(mode, tmp_path, SHORT if mode == "hangs" else PATIENT)
    one, three = run_toy(adapter), run_toy(adapter, jobs=3)
    assert {key: each.verdict for key, each in three.items()} == {
        key: each.verdict for key, each in one.items()
    }
    assert left_behind(tmp_path) == []


def test_what_accepts_everything_fails_where_it_must_reject(tmp_path: Path) -> None:
    outcomes = run_toy(toy_adapter("accepts-everything", tmp_path))
    assert Counter((each.verdict, each.fault) for each in outcomes.values()) == {
        ("pass", ""): 20,
        ("fail", "wrongly-accepted"): 20,
        ("not-declared", ""): 1,
    }
    assert outcomes["toy/halves/half-of-15", "strict"].explanation == (
        "accepted input that must be rejected; its one fault is at $.number\n"
        "  valid  14\n"
        "  input  15"
    )


def test_what_rejects_everything_fails_where_it_must_accept(tmp_path: Path) -> None:
    outcomes = run_toy(toy_adapter("rejects-everything", tmp_path))
    assert Counter((each.verdict, each.fault) for each in outcomes.values()) == {
        ("pass", ""): 20,
        ("fail", "wrongly-rejected"): 20,
        ("not-declared", ""): 1,
    }


@pytest.mark.parametrize(
    ("mode", "why"),
    [
        ("hello-of-another-protocol", "protocol must be 1, not 2"),
        ("hello-without-a-name", 'name: expected a value that is not empty, found ""'),
        ("hello-with-operations-as-text", 'operations: expected a list, found "toy/halve"'),
        ("hello-with-no-window", "max_in_flight: expected an integer of at least 1, found 0"),
        ("hello-as-a-list", "a hello must be a JSON object"),
        ("hello-of-another-type", 'the first line must have "type":"hello"'),
        ("exits-before-hello", "it ended with exit code 5\nits standard error ends:\ncannot find"),
        ("prints-a-banner", 'the line is not JSON (Expecting value at character 0): "toy adapter'),
        ("floods-before-hello", "the line is longer than 1,048,576 bytes"),
        ("another-hello-each-time", "a later process of the adapter sent a different hello"),
    ],
)
def test_a_wrong_hello_makes_the_adapter_unusable(mode: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(AdapterUnusableError) as caught:
        run_toy(toy_adapter(mode, tmp_path))
    assert why in str(caught.value)
    assert left_behind(tmp_path) == []


def test_an_adapter_that_says_no_hello_is_unusable(tmp_path: Path) -> None:
    limits = evolve(SHORT, hello=0.4)
    with pytest.raises(AdapterUnusableError, match="no line within 0"):
        run_toy(toy_adapter("says-no-hello", tmp_path, limits))
    assert left_behind(tmp_path) == []


def test_a_program_that_is_not_there_is_unusable() -> None:
    adapter = evolve(toy_adapter("sound"), command=("./no-such-program",))
    with pytest.raises(AdapterUnusableError, match="No such file or directory"):
        adapter.greet()


def test_the_end_of_standard_error_is_kept_with_a_failure(tmp_path: Path) -> None:
    outcome = run_toy(toy_adapter("exits", tmp_path))[TRIGGER]
    assert outcome.stderr == "panic: cannot halve 14"


def test_standard_error_of_earlier_cases_is_not_shown_with_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOY_IN_FLIGHT", "1")
    outcomes = run_toy(toy_adapter("logs-each-request", tmp_path))
    assert {each.stderr for key, each in outcomes.items() if key == TRIGGER} == {"asked 14"}


def test_a_case_that_was_saved_by_being_asked_alone_says_so(tmp_path: Path) -> None:
    outcomes = run_toy(toy_adapter("answers-one-and-exits", tmp_path))
    saved = [each.first_attempt for each in outcomes.values() if each.first_attempt]
    assert len(saved) == 20
    assert set(saved) == {"it ended with exit code 0"}


@pytest.mark.parametrize(
    "mode", ["a-line-of-100-mb", "noise-without-end", "floods-stderr-without-end", "floods-stderr"]
)
def test_a_flood_does_not_fill_the_memory(mode: str, tmp_path: Path) -> None:
    tracemalloc.start()
    try:
        run_toy(toy_adapter(mode, tmp_path, SHORT))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 16 * 1024 * 1024
