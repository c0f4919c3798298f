"""One process: lines go in and come out whole, and nothing is left of it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.process import AdapterProcess, NoLineError, StoppedError
from rejoin_conformance.adapters.unusable import AdapterUnusableError

Start = Callable[..., AdapterProcess]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts programs and ends them after the test."""
    started: list[AdapterProcess] = []

    def start(
        *command: str, limits: Limits | None = None, stop: threading.Event | None = None
    ) -> AdapterProcess:
        process = AdapterProcess(command, limits or Limits(farewell=0.3), stop)
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()


def _lines(process: AdapterProcess, count: int) -> list[bytes]:
    lines: list[bytes] = []
    while len(lines) < count:
        lines += process.lines(30)
    return lines


def test_lines_of_any_length_go_in_and_come_out(start: Start) -> None:
    process, long = start("cat"), b"x" * 3_000_000
    process.send(b"one\ntwo\nthr")
    assert _lines(process, 2) == [b"one", b"two"]
    assert process.unfinished == '"thr"'
    process.send(b"ee\n" + long + b"\n")
    process.send(b"next\n")
    assert _lines(process, 3) == [b"three", long, b"next"]


NO_LINE: list[tuple[tuple[str, ...], bytes, list[bytes], float, str]] = [
    (("cat",), b"", [], 0.01, "no answer within 10 s"),
    (("cat",), b"", [], -1, "no answer within 10 s"),
    (("sleep", "600"), b"x" * 1_000_000, [], 0.1, "no answer"),
    (("sh", "-c", "exec <&-; echo one; sleep 600"), b"x" * 1_000_000, [b"one"], 0.1, "no answer"),
    (
        ("sh", "-c", "echo one; printf tw; exit 7"),
        b"",
        [b"one"],
        30,
        'it ended with exit code 7, in the middle of the line "tw"',
    ),
    (("cat",), b"x" * 2048 + b"\n", [b"x" * 2048], 0.1, "no answer"),
    (("cat",), b"x" * 2049 + b"\n", [], 30, "wrote a line longer than 2,048 bytes"),
]
"""Program, what is sent, the lines that come, seconds to wait for another one, why none comes."""


def test_no_line_comes_for_a_reason_and_after_those_that_were_written(start: Start) -> None:
    for command, sent, lines, seconds, why in NO_LINE:
        process = start(*command, limits=Limits(farewell=0.3, longest_line=2048))
        process.send(sent)
        assert _lines(process, len(lines)) == lines
        with pytest.raises(NoLineError) as caught:
            process.lines(seconds)
        assert why in str(caught.value)
        if caught.value.verdict == "timeout":
            process.send(b"this is harmless")


ENDS: list[tuple[str, list[bytes]]] = [
    ("sleep 600", []),
    ("read line; echo $line to you; cat; echo done", [b"bye to you", b"done"]),
    ("read line; yes", [b"y"] * 16),
]


def test_what_is_written_after_bye_is_kept_up_to_a_limit(start: Start) -> None:
    for program, lines in ENDS:
        process = start("sh", "-c", program)
        assert process.end(b"bye\n") == lines, program
        process.kill()
        assert process.end() == [], "ending twice is harmless"


def test_the_end_of_standard_error_is_kept_from_any_mark_on(start: Start) -> None:
    process = start("sh", "-c", "echo one >&2; echo; read line; echo two >&2; echo")
    _lines(process, 1)
    mark = process.stderr_mark()
    process.send(b"go on\n")
    _lines(process, 1)
    assert (process.stderr(), process.stderr(mark)) == ("one\ntwo\n", "two\n")
    program = "yes | head -c 500000 >&2; echo end >&2; echo"
    process = start("sh", "-c", program, limits=Limits(stderr_kept=6))
    _lines(process, 1)
    with pytest.raises(NoLineError):
        process.lines(30)
    assert process.stderr() == "y\nend\n"


def test_a_stopped_run_waits_for_nobody(start: Start) -> None:
    stop = threading.Event()
    process = start("cat", stop=stop)
    stop.set()
    with pytest.raises(StoppedError):
        process.lines(600)


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("./no-such-program", "No such file or directory"),
        ("no-such-program", "no program of this name; the suite starts CMD without a shell"),
        (
            "my-adapter",
            "there is no program of this name; for the file in this folder, write ./my-adapter",
        ),
        ("./my-adapter", "the file is not executable; name its interpreter first, or run chmod"),
        ("./lost", "the interpreter in its first line does not exist"),
        ("./text", "the file is not a program; name its interpreter first"),
        ("/", "it is a folder, not a program"),
        ("nul\0byte", "embedded null byte"),
    ],
)
def test_what_cannot_be_started_says_why(
    command: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text, mode in (
        ("my-adapter", "#!/bin/sh\n", 0o644),
        ("lost", "#!/no/such/interpreter\n", 0o755),
        ("text", "print(1)\n", 0o755),
    ):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(mode)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AdapterUnusableError) as raised:
        AdapterProcess((command,), Limits())
    assert why in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux enforces the limit")
def test_the_memory_of_a_process_is_limited(start: Start) -> None:
    program = "input(); b'x' * 2 * 10**9"
    limits = Limits(memory=1)
    process = start(sys.executable, "-ISc", program, limits=limits)
    process.send(b"go on\n")
    with pytest.raises(NoLineError, match="exit code 1"):
        process.lines(30)
    assert "MemoryError" in process.stderr()
