"""The doctor against sound and broken adapters: the step that is wrong, why, and how to fix it."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rejoin_conformance.adapters.conversation import Adapter
from rejoin_conformance.adapters.doctor.examine import examine
from rejoin_conformance.adapters.doctor.steps import Examined
from rejoin_conformance.adapters.process import NoLineError
from rejoin_conformance.kit.document_text import document_text
from support.memory_adapter import TOY_HELLO, Answer, answering, halved, toy
from support.toy_runs import PATIENT, SHORT, left_behind, toy_adapter
from support.toy_system import TOY

pytestmark = pytest.mark.usefixtures("only_toy")


def _steps(adapter: Adapter) -> list[Examined]:
    steps = list(examine(adapter, [TOY]))
    assert len(steps) == 10
    return steps


def _broken(trouble: Answer, **hello: object) -> list[Examined]:
    return _steps(toy(trouble, at=0, **hello))


def _wrong(steps: list[Examined]) -> list[int]:
    return [number for number, step in enumerate(steps, start=1) if step.state == "wrong"]


def test_a_sound_adapter_passes_every_step_and_its_lines_have_a_direction() -> None:
    steps = _steps(toy())
    assert {step.state for step in steps} == {"ok"}
    assert steps[4].lines == (
        '-> {"id":1,"input":{"number":0},"operation":"toy/halve","reading":"strict","type":"run"}',
        '<- {"id":1,"output":{"half":0}}',
    )
    assert [line[:3] for line in steps[6].lines] == ["-> "] * 4 + ["<- "] * 4
    assert steps[6].findings == ("4 requests at once have the same answers as one at a time.",)
    assert "which is allowed" in _steps(toy(max_in_flight=1))[6].findings[0]


def _ends(_: Any) -> list[object]:
    raise NoLineError("crash", "it ended with exit code 3")


def _floods(_: Any) -> list[object]:
    raise NoLineError("protocol-error", "wrote a line longer than 8,388,608 bytes")


GREETINGS: dict[str, tuple[Adapter, int, str, str]] = {
    "ends": (answering(_ends), 2, "exit code 3", "Start the program by hand"),
    "silent": (answering(lambda _: []), 2, "No line came in time", "Flush standard output"),
    "floods": (answering(_floods), 2, "wrote a line longer", "line feed ends each reply"),
    "banner": (answering(lambda _: [b"toy 1"]), 3, "not JSON", "Write only replies"),
    "protocol": (toy(protocol=2), 3, "protocol must be 1, not 2", '"type":"hello"'),
    "name": (toy(name=""), 3, "name: expected a value that is not empty", '"type":"hello"'),
    "twice": (answering(lambda _: 2 * [TOY_HELLO]), 3, "without a request", "each request once"),
    "reading": (toy(readings={"toy": "x"}), 4, "the reading 'x' of toy", "Name a reading"),
    "feature": (toy(without={"toy/halve": ["x"]}), 4, "the feature 'x'", "lists the features"),
    "operation": (toy(operations=["toy/halves"]), 4, "declares no operation", "toy/halve, toy/d"),
}


def test_a_wrong_greeting_ends_the_examination() -> None:
    for name, (adapter, number, said, fix) in GREETINGS.items():
        steps = _steps(adapter)
        assert _wrong(steps) == [number], name
        assert said in steps[number - 1].findings[0], name
        assert fix in "\n".join(steps[number - 1].advice), name
        assert {step.state for step in steps[number:]} == {"not tried"}, name
    assert "did you mean toy/halve?" in _steps(toy(operations=["toy/halves"]))[3].findings[1]


WRONG_ANSWERS: list[tuple[Answer, str, str]] = [
    (lambda _: [], "no line came in time", "print(line, flush=True)"),
    (_ends, "ended with exit code 3", "Catch every exception"),
    (_floods, "wrote a line longer than 8,388,608 bytes", "Keep each line below"),
    (lambda r: [{**r, "id": 9}], "answered request 9 instead of 1", "Copy the id"),
    (lambda r: [{**r, "id": "1"}], "have the integer id of its request", "Copy the id"),
    (lambda r: [r, r], "a line without a request", "Answer each request once."),
    (lambda r: [b"halving", r], "the line is not JSON", "Write only replies to standard output"),
    (lambda _: [b'{"id":1,"output":{"half":7.0}}'], "only integers are allowed", "7, not 7.0"),
    (lambda r: [{**r, "rejected": {}}], "it has output, rejected", "one of these forms"),
    (lambda r: [{"id": r["id"]}], "it has nothing", "A reply has one of these forms"),
    (lambda r: [{"id": r["id"], "error": {"message": "?"}}], "an error: ?", "Remove the operation"),
]


def test_a_wrong_answer_is_reported_with_a_fix() -> None:
    for trouble, said, fix in WRONG_ANSWERS:
        steps = _broken(trouble)
        assert _wrong(steps)[0] == 5, said
        assert said.lower() in steps[4].findings[0].lower()
        assert fix in "\n".join(steps[4].advice), said


def test_notes_are_allowed_by_the_protocol() -> None:
    wrong = _broken(lambda r: [{**r, "output": {"half": 8}}])
    accepts = _steps(toy(lambda r: [{"id": r["id"], "output": {"half": 0}}], at=1))
    twice = _steps(toy(operations=["toy/halve", "toy/halve"], readings={"top": "x"}))
    many = _steps(toy(operations=["toy/halve", *(f"x{n}" for n in range(400_000))]))
    for steps, number, said in (
        (wrong, 5, "toy/halve: valid reply, but wrong answer (vector toy/halves/half-of-0)"),
        (wrong, 5, "expected  0"),
        (accepts, 8, "accepted input that must be rejected"),
        (twice, 4, "The adapter declares 'toy/halve' twice."),
        (twice, 4, "declares a reading of 'top', which is not a system"),
        (many, 4, "The adapter declares 399,990 more names of this kind."),
    ):
        assert (_wrong(steps), steps[number - 1].state) == ([], "note")
        assert said in "\n".join(steps[number - 1].findings)


def test_features_that_are_left_out_are_named() -> None:
    steps = _steps(toy(without={"toy/halve": ["large"]}))
    left_out = "It leaves out large of toy/halve. Vectors that need one are not run."
    assert ({step.state for step in steps}, steps[3].findings) == ({"ok"}, (left_out,))


def _running(run: Callable[[str, int], dict[str, object]]) -> Adapter:
    """Return an adapter with a function from an operation and a number to an answer."""

    def answer(message: Any) -> list[object]:
        if message["type"] == "run":
            number = message["input"].get("number", 0)
            return [{"id": message["id"], **run(message["operation"], number)}]
        return [TOY_HELLO] if message["type"] == "hello" else []

    return answering(answer)


def test_answers_must_not_depend_on_other_requests_or_on_the_process() -> None:
    asked = itertools.count(step=2)
    steps = _steps(_running(lambda operation, number: halved(operation, number + next(asked))))
    assert _wrong(steps) == [7, 9]
    assert "differs from the answer to the same request alone" in steps[6].findings[0]
    assert "differs after an unknown operation" in steps[8].findings[0]
    other = answering(lambda _: [{**TOY_HELLO, "version": str(next(asked))}])
    assert "Its processes send different hellos." in _steps(other)[4].findings


def test_unknown_operations_are_errors() -> None:
    steps = _steps(_running(lambda _, number: halved("toy/halve", number)))
    assert _wrong(steps) == [9]
    assert "toy/no-such-operation with output" in steps[8].findings[0]


def test_a_program_is_examined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The faults that only a process has: its standard error, its end, an incomplete line."""
    monkeypatch.setenv("TOY_TRIGGER", "0")
    exits = _steps(toy_adapter("exits", limits=PATIENT))
    assert exits[4].findings[-1] == "Its standard error ends:\n  | panic: cannot halve 14"
    half = _steps(toy_adapter("half-a-line", limits=SHORT))[4]
    assert 'only an incomplete one: "{"id"' in half.findings[0]
    assert half.advice == ("End each reply with a line feed.",)
    monkeypatch.delenv("TOY_TRIGGER")
    traces = tmp_path / "processes"
    traces.mkdir()
    steps = _steps(toy_adapter("ignores-its-end-of-input", traces, SHORT))
    assert _wrong(steps) == [10]
    assert "After bye, it did not end" in steps[9].findings[0]
    assert left_behind(traces) == []


def test_each_process_that_was_greeted_gets_a_bye(tmp_path: Path) -> None:
    _steps(toy_adapter("leaves-a-sign-at-bye", tmp_path / "toy"))
    started = {path.name for path in (tmp_path / "toy").iterdir() if path.name.isdigit()}
    byes = {path.stem for path in (tmp_path / "toy").glob("*.bye")}
    assert len(started - byes) <= 3, "two get no hello, and one is ended by the end of its input"


def test_nothing_of_an_adapter_reaches_the_terminal_unescaped() -> None:
    steps = _broken(lambda r: [{"id": r["id"], "rejected": {"reason": "\x1b[2J"}}])
    text = document_text([step.block(1, every_line=True) for step in steps])
    assert ("\x1b" in text, "\\x1b[2J" in text) == (False, True)


def test_of_many_lines_the_telling_ones_are_shown() -> None:
    lines = tuple(f"-> {number}" for number in range(10))
    ok = Examined(title="It answers", state="ok", lines=lines)
    wrong = Examined(title="It answers", state="wrong", lines=lines, advice=("Do it.",))
    good, bad, whole = (
        document_text([each])
        for each in (ok.block(1), wrong.block(1), ok.block(1, every_line=True))
    )
    assert ("-> 0" in good, "... and 4 more lines (--verbose)" in good) == (True, True)
    assert ("-> 0" in bad, "-> 9" in bad, "more lines" in whole) == (False, True, False)
    assert bad.endswith("FIX   Do it.")
