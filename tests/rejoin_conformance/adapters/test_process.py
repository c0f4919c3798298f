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


def test_what_goes_in_comes_out(start: Start) -> None:
    process = start("cat")
    process.send(b"one\ntwo\nthr")
    assert _lines(process, 2) == [b"one", b"two"]
    assert process.unfinished == '"thr"'
    process.send(b"ee\n")
    assert _lines(process, 1) == [b"three"]


def test_a_line_longer_than_any_pipe_goes_through(start: Start) -> None:
    process = start("cat")
    line = b"x" * 3_000_000
    process.send(line + b"\n")
    process.send(b"next\n")
    assert _lines(process, 2) == [line, b"next"]


def test_a_line_beyond_the_bound_is_refused(start: Start) -> None:
    process = start("cat", limits=Limits(longest_line=2048))
    process.send(b"x" * 2048 + b"\n")
    assert _lines(process, 1) == [b"x" * 2048]
    process.send(b"x" * 2049 + b"\n")
    with pytest.raises(NoLineError, match="a line longer than 2,048 bytes"):
        process.lines(30)


def test_nothing_comes_within_the_time(start: Start) -> None:
    for seconds in (0.01, -1):
        with pytest.raises(NoLineError, match="no answer within 10 seconds"):
            start("cat").lines(seconds)


def test_a_process_that_reads_nothing_does_not_block_the_suite(start: Start) -> None:
    process = start("sleep", "600")
    process.send(b"x" * 1_000_000)
    with pytest.raises(NoLineError, match="no answer"):
        process.lines(0.1)
    assert process.end(b"bye\n") == []


def test_what_a_process_wrote_before_its_end_is_handed_out_first(start: Start) -> None:
    process = start("sh", "-c", "echo one; echo trouble >&2; printf tw; exit 7")
    assert _lines(process, 1) == [b"one"]
    with pytest.raises(NoLineError, match=r"^it ended with exit code 7, in the middle of"):
        process.lines(30)
    assert process.stderr() == "trouble\n"


def test_writing_to_a_process_that_has_closed_its_input_is_harmless(start: Start) -> None:
    process = start("sh", "-c", "exec <&-; echo ready; sleep 600")
    assert _lines(process, 1) == [b"ready"]
    process.send(b"x" * 1_000_000)
    process.send(b"x\n")
    with pytest.raises(NoLineError, match="no answer"):
        process.lines(0.1)


def test_a_process_may_still_speak_after_bye(start: Start) -> None:
    process = start("sh", "-c", "read line; echo $line to you; cat; echo done")
    assert process.end(b"bye\n") == [b"bye to you", b"done"]


def test_of_what_floods_after_bye_a_little_is_kept(start: Start) -> None:
    process = start("sh", "-c", "read line; yes")
    assert process.end(b"bye\n") == [b"y"] * 16


def test_only_the_end_of_standard_error_is_kept(start: Start) -> None:
    process = start(
        "sh", "-c", "yes | head -c 500000 >&2; echo end >&2; echo", limits=Limits(stderr_kept=6)
    )
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


def test_ending_twice_is_harmless(start: Start) -> None:
    process = start("cat")
    process.end()
    process.kill()
    assert process.end() == []


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


def test_standard_error_can_be_read_from_a_mark_on(start: Start) -> None:
    process = start("sh", "-c", "echo one >&2; echo; read line; echo two >&2; echo")
    _lines(process, 1)
    mark = process.stderr_mark()
    process.send(b"go on\n")
    _lines(process, 1)
    assert (process.stderr(), process.stderr(mark)) == ("one\ntwo\n", "two\n")
