"""Each case has its own verdict, whatever the adapter writes and whatever its window is."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from rejoin_conformance.adapters.process import NoLineError
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from support.memory_adapter import TOY_HELLO, Answer, MemoryAdapter, answering, toy
from support.toy_runs import TRIGGER, run_toy


def _ends(_: Any) -> list[object]:
    raise NoLineError("crash", "it ended with exit code 3")


def _deep(depth: int) -> bytes:
    return b'{"id":1,"output":{"half":%s}}' % (b"[" * depth + b"]" * depth)


def _with(**fields: object) -> Answer:
    """Return a trouble: only the number of the right reply, and other fields."""
    return lambda reply: [{"id": reply["id"], **fields}]


BROKEN_ON_ONE: list[tuple[Answer, str, str]] = [
    (lambda r: [r], "pass", ""),
    (lambda _: [], "timeout", "no answer within 0.02 s"),
    (_ends, "crash", "no answer: it ended with exit code 3"),
    (lambda r: [r, r], "protocol-error", "wrote more than one reply"),
    (lambda r: [{**r, "id": r["id"] + 10**6}], "protocol-error", "1000001 instead of 1"),
    (lambda r: [{**r, "id": r["id"] + 1}], "protocol-error", "answered request 2 instead of 1"),
    (lambda r: [{**r, "id": "1"}], "protocol-error", "must have the integer id of its request"),
    (lambda _: [{"output": {}}], "protocol-error", "must have the integer id of its request"),
    (lambda _: [bytes(range(9))], "protocol-error", "the line is not JSON"),
    (lambda _: [b""], "protocol-error", "the line is not JSON"),
    (lambda r: [b"halving", r], "protocol-error", "the line is not JSON (Expecting value at char"),
    (lambda r: [r, b"halved"], "protocol-error", 'wrote more than one reply: "halved"'),
    (_with(), "protocol-error", "it has nothing"),
    (lambda r: [{**r, "rejected": {}}], "protocol-error", "it has output, rejected"),
    (_with(output="7"), "protocol-error", 'output must be an object, not "7"'),
    (_with(rejected={"reason": 7}), "protocol-error", "reason must be a string, not 7"),
    (lambda _: [b'{"id":1,"output":{"a":7.0}}'], "protocol-error", "only integers are allowed"),
    (lambda _: [b'{"id":1,"output":{"a":7,"a":7}}'], "protocol-error", "'a' occurs twice"),
    (lambda _: [_deep(200_000)], "protocol-error", "nested too deeply"),
    (lambda r: [_deep(300).replace(b"1", b"%d" % r["id"], 1)], "fail", "does not match the sche"),
    (_with(output={"half": "7" * 300_000}), "fail", "characters are too long to compare"),
    (_with(output={"half": True}), "fail", 'true is not of type "integer"'),
    (_with(output={"half": 8}), "fail", "at $.half\n  expected  7\n  observed  8"),
    (_with(rejected={"reason": "\x1b[2J\u202e"}), "fail", r"must be accepted: \x1b[2J\u202e"),
    (_with(error={"message": "unsupp"}), "fail", "declared toy/halve, then answered with an error"),
]


def test_the_broken_case_has_its_verdict_in_every_window_and_no_other_loses_its_own() -> None:
    for trouble, verdict, why in BROKEN_ON_ONE:
        for window in (1, 4, 50):
            outcomes = run_toy(toy(trouble, max_in_flight=window))
            broken = outcomes.pop(TRIGGER)
            assert (broken.verdict, why in broken.explanation) == (verdict, True), why
            verdicts = Counter(each.verdict for each in outcomes.values())
            assert verdicts == {"pass": 39, "not-declared": 1}, why
            assert not any(each.restarted for each in outcomes.values()), why


def _ends_after_an_answer() -> Answer:
    """Return what a process answers that ends after its first answer."""
    sound = toy().begin()
    answered: list[object] = []

    def answer(message: Any) -> list[object]:
        if message["type"] == "run":
            if answered:
                raise NoLineError("crash", "it ended with exit code 0")
            answered.append(message)
        return [*sound(message)]

    return answer


def test_a_case_that_was_saved_by_being_asked_alone_is_a_restart() -> None:
    outcomes = run_toy(MemoryAdapter(begin=_ends_after_an_answer))
    saved = [each for each in outcomes.values() if each.first_attempt]
    assert {each.verdict for each in outcomes.values()} == {"pass", "not-declared"}
    assert {each.first_attempt for each in saved} == {"it ended with exit code 0"}
    assert (len(saved), {each.restarted for each in saved}) == (20, {True})


def test_a_bad_end_after_the_last_answer_is_part_of_the_verdict() -> None:
    ends = {
        None: "timeout",
        "it ended with exit code 3": "crash",
        "it was ended by SIGABRT": "crash",
    }
    for how, verdict in ends.items():
        outcomes = run_toy(MemoryAdapter(begin=toy().begin, how_ended=how))
        assert [each.verdict for each in outcomes.values() if each.restarted] == [verdict], how


def test_an_adapter_may_say_bye() -> None:
    sound = toy().begin()
    polite = answering(lambda each: [each] if each["type"] == "bye" else sound(each))
    assert Counter(each.verdict for each in run_toy(polite).values())["pass"] == 40


def test_a_wrong_hello_makes_the_adapter_unusable() -> None:
    for adapter, why in (
        (toy(protocol=2), "protocol must be 1, not 2"),
        (answering(lambda _: [TOY_HELLO, TOY_HELLO]), "a second line follows the hello"),
    ):
        with pytest.raises(AdapterUnusableError, match=why):
            run_toy(adapter)
