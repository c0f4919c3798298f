"""The doctor against sound and broken adapters: the step that is wrong, why, and how to mend it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rejoin_conformance.adapters.conversation import Adapter
from rejoin_conformance.adapters.doctor.examine import examine
from rejoin_conformance.adapters.doctor.greeting import TITLES
from rejoin_conformance.adapters.doctor.steps import Examined, render_step
from rejoin_conformance.adapters.limits import Limits
from support.toy_command import forget_systems, install_toy
from support.toy_runs import PATIENT, SHORT, left_behind, toy_adapter
from support.toy_system import TOY


@pytest.fixture(autouse=True)
def _toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    install_toy(tmp_path / "toy", monkeypatch.setattr)
    yield
    monkeypatch.undo()
    forget_systems()


def _steps(mode: str, monkeypatch: pytest.MonkeyPatch, limits: Limits = PATIENT) -> list[Examined]:
    monkeypatch.setenv("TOY_TRIGGER", "0")
    return list(examine(toy_adapter(mode, limits=limits), [TOY]))


def _wrong(steps: list[Examined]) -> list[int]:
    return [number for number, step in enumerate(steps, start=1) if step.state == "wrong"]


def test_a_sound_adapter_passes_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = _steps("sound", monkeypatch)
    assert [step.title for step in steps] == list(TITLES)
    assert {step.state for step in steps} == {"ok"}
    assert steps[6].findings == ("4 requests at once have the same answers as one at a time.",)


def test_the_lines_are_shown_with_their_direction(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = _steps("sound", monkeypatch)
    assert steps[4].lines == (
        '-> {"id":1,"input":{"number":0},"operation":"toy/halve","reading":"strict","type":"run"}',
        '<- {"id": 1, "output": {"half": 0}}',
    )
    assert [line[:3] for line in steps[6].lines] == ["-> "] * 4 + ["<- "] * 4


def test_an_adapter_that_takes_one_at_a_time_is_sound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOY_IN_FLIGHT", "1")
    steps = _steps("sound", monkeypatch)
    assert steps[6].state == "ok"
    assert "which is allowed" in steps[6].findings[0]


def test_a_program_that_is_not_there_stops_at_the_first_step() -> None:
    steps = list(examine(Adapter(command=("./no-such-program",)), [TOY]))
    assert _wrong(steps) == [1]
    assert steps[0].findings == (
        "It cannot be started: ./no-such-program: No such file or directory.",
    )
    assert {step.state for step in steps[1:]} == {"not tried"}
    assert len(steps) == len(TITLES)


WRONG_GREETINGS = [
    ("exits-before-hello", 2, "ended with exit code 5", "Start the program by hand"),
    ("says-no-hello", 2, "No line came within 0.5 seconds", "Flush standard output"),
    ("floods-before-hello", 2, "a line longer than", "line feed ends each reply"),
    ("prints-a-banner", 3, "the line is not JSON", "Write only replies to standard output"),
    ("hello-of-another-protocol", 3, "protocol must be 1, not 2", '"type":"hello"'),
    ("hello-without-a-name", 3, "name: expected a value that is not empty", '"type":"hello"'),
    ("hello-with-operations-as-text", 3, "operations: expected a list", '"type":"hello"'),
    ("hello-as-a-list", 3, "a hello must be a JSON object", '"type":"hello"'),
    ("hello-with-an-unknown-reading", 4, "the reading 'creative' of toy", "Name a reading"),
    ("hello-with-an-unknown-feature", 4, "the feature 'huge' of toy/halve", "lists the features"),
]


@pytest.mark.parametrize(("mode", "number", "said", "mend"), WRONG_GREETINGS)
def test_a_wrong_greeting_ends_the_examination(
    mode: str, number: int, said: str, mend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = Limits(hello=0.5 if mode == "says-no-hello" else 30, longest_line=1024 * 1024)
    steps = _steps(mode, monkeypatch, quick)
    assert _wrong(steps) == [number]
    assert said in steps[number - 1].findings[0]
    assert mend in "\n".join(steps[number - 1].advice)
    assert {step.state for step in steps[number:]} == {"not tried"}
    assert len(steps) == len(TITLES)


WRONG_ANSWERS = [
    ("hangs", "no line came within 0.8 seconds", "print(line, flush=True)"),
    ("half-a-line", 'only an incomplete one: "{"id"', "End each reply with a line feed."),
    ("exits", "ended with exit code 3", "Catch every exception"),
    ("wrong-id", "answered request 1000001 instead of 1", "Copy the id"),
    ("id-as-text", "have the integer id of its request", "Copy the id"),
    ("answers-twice", "a line without a request", "Answer each request once."),
    ("prints-before-it-answers", "the line is not JSON", "Write only replies to standard output"),
    ("a-fraction", "only integers are allowed", "7, not 7.0"),
    ("two-results", "it has output, rejected", "A reply has one of these forms"),
    ("no-result", "it has nothing", "A reply has one of these forms"),
    ("a-line-of-100-mb", "a line longer than 1,048,576 bytes", "Keep each line below"),
    ("refuses-what-it-declared", "answers with an error: unsupported", "Remove the operation"),
]


@pytest.mark.parametrize(("mode", "said", "mend"), WRONG_ANSWERS)
def test_a_wrong_answer_is_reported_with_a_fix(
    mode: str, said: str, mend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = _steps(mode, monkeypatch, SHORT)
    assert _wrong(steps)[0] == 5
    assert steps[4].findings[0].startswith("toy/halve: ")
    assert said in steps[4].findings[0]
    assert mend in "\n".join(steps[4].advice)


def test_features_that_are_left_out_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = _steps("leaves-out-large-numbers", monkeypatch)
    assert {step.state for step in steps} == {"ok"}
    left_out = "It leaves out large of toy/halve. Vectors that need one are not run."
    assert steps[3].findings == (left_out,)


def test_the_end_of_standard_error_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = _steps("exits-before-hello", monkeypatch), _steps("exits", monkeypatch)
    assert before[1].findings[-1] == "Its standard error ends:\n  | cannot find a library"
    assert after[4].findings[-1] == "Its standard error ends:\n  | panic: cannot halve 14"


def test_an_output_that_is_not_yet_right_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = _steps("wrong-output", monkeypatch)
    assert _wrong(steps) == []
    assert steps[4].state == "note"
    assert "toy/halve: valid reply, but wrong answer" in steps[4].findings[0]
    assert "expected  0" in steps[4].findings[0]


def test_accepting_bad_input_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = _steps("accepts-everything", monkeypatch)
    assert _wrong(steps) == []
    assert steps[7].state == "note"
    assert "accepted input that must be rejected" in steps[7].findings[0]


def test_an_adapter_that_ends_after_one_answer_fails_where_more_are_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert _wrong(_steps("answers-one-and-exits", monkeypatch)) == [6, 7, 9]


def test_a_hello_that_changes_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = _steps("another-hello-each-time", monkeypatch)
    assert "its processes send different hellos" in steps[4].findings[0]


def test_an_adapter_that_does_not_end_is_reported_and_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "processes"
    folder.mkdir()
    adapter = toy_adapter("ignores-its-end-of-input", folder, SHORT)
    steps = list(examine(adapter, [TOY]))
    assert _wrong(steps) == [10]
    assert "does not end after bye" in steps[9].findings[0]
    assert left_behind(folder) == []


def test_each_of_its_processes_gets_a_bye(tmp_path: Path) -> None:
    traces = tmp_path / "traces"
    traces.mkdir()
    list(examine(toy_adapter("leaves-a-sign-at-bye", traces), [TOY]))
    started = {path.name for path in traces.iterdir() if path.suffix != ".bye"}
    byes = {path.stem for path in traces.glob("*.bye")}
    assert len(started - byes) == 1, "one process is asked to end by the end of its input alone"


def test_operations_that_the_suite_does_not_know_are_named(tmp_path: Path) -> None:
    program = tmp_path / "adapter.py"
    hello = '{"type":"hello","protocol":1,"name":"x","operations":["toy/halves"]}'
    program.write_text(
        f"import sys\nsys.stdin.readline()\nprint({hello!r}, flush=True)\nsys.stdin.readline()\n"
    )
    steps = list(examine(Adapter(command=(sys.executable, str(program))), [TOY]))
    assert _wrong(steps) == [4]
    assert "Did you mean toy/halve?" in steps[3].findings[0]
    assert "toy/halve, toy/double" in steps[3].advice[0]


def test_nothing_of_an_adapter_reaches_the_terminal_unescaped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    steps = _steps("control-characters", monkeypatch)
    text = "\n".join(render_step(1, step, every_line=True) for step in steps)
    assert "\x1b" not in text
    assert "\\u001b[2J" in text


def test_of_many_lines_the_telling_ones_are_shown() -> None:
    lines = tuple(f"-> {number}" for number in range(10))
    good = render_step(1, Examined(title="It answers", state="ok", lines=lines))
    assert "-> 0" in good
    assert "... and 4 more lines (--verbose)" in good
    bad = render_step(
        1, Examined(title="It answers", state="wrong", lines=lines, advice=("Do it.",))
    )
    assert "-> 0" not in bad
    assert "-> 9" in bad
    assert bad.endswith("FIX   Do it.")
    assert "more lines" not in render_step(
        1, Examined(title="It answers", state="ok", lines=lines), every_line=True
    )
