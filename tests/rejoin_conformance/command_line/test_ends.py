"""However a command ends, it ends with its exit code and at most one line on standard error.

Transcripts (`ends.txt`) show what needs no other process, device or link.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rejoin_conformance.campaigns.kept.store import StoreError, UnusableNowError
from rejoin_conformance.command_line.commands import cli
from rejoin_conformance.command_line.main import run
from rejoin_conformance.kit.limited_time import limited_time
from rejoin_conformance.kit.locations import vectors_directory
from support.kept_blocks import PLAN
from support.kept_campaigns import keep
from support.result_files import failed, passed, results, write_results

MAIN = "import sys; from rejoin_conformance.command_line.main import main; main()"


def _rejoin(*arguments: str, stdout: int, stderr: int = subprocess.PIPE) -> tuple[int, str]:
    """Run the command so that Python keeps what it cannot write, as it does by default."""
    line, env = [sys.executable, "-c", MAIN, *arguments], {**os.environ, "PYTHONUNBUFFERED": ""}
    with subprocess.Popen(line, stdout=stdout, stderr=stderr, text=True, env=env) as command:
        said = "" if command.stderr is None else command.stderr.read()
    return command.returncode, said


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_for_the_output_is_one_line() -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    said = "rejoin: cannot write the output: No space left on device\n"
    assert _rejoin("vectors", "show", "config-merge/decode/nested-100-deep", stdout=full) == (
        3,
        said,
    )
    assert _rejoin("--version", stdout=full) == (3, said)
    assert _rejoin("vectors", "show", "x", stdout=full, stderr=full)[0] == 2
    os.close(full)


@pytest.mark.parametrize(
    ("argument", "closed", "code"),
    [
        ("--version", ">&-", 0),
        ("--no-such-option", "2>&-", 2),
        ("--version", "<&- >&- 2>&-", 0),
    ],
)
def test_a_closed_stream_does_not_change_the_exit_code(
    argument: str, closed: str, code: int
) -> None:
    command = shlex.join([sys.executable, "-c", MAIN, argument])
    ended = subprocess.run(f"{command} {closed}", shell=True, capture_output=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (code, b"", b"")


def test_no_file_gets_the_number_of_a_closed_stream(tmp_path: Path) -> None:
    """Spark copies the descriptors 1 and 2, and flushes the streams, when it starts."""
    program = f"""
import os, sys
from rejoin_conformance.command_line.main import open_standard_streams
open_standard_streams()
from rejoin_conformance.campaigns.spark.failures import quiet_start
with quiet_start(), open({str(tmp_path / "file")!r}, "w") as file:
    print("lost")
    print("lost too", file=sys.stderr)
    os._exit(10 * file.fileno() + len(sys.stdin.read()))
"""
    command = shlex.join([sys.executable, "-c", program])
    ended = subprocess.run(f"{command} <&- >&- 2>&-", shell=True, check=False)
    assert ended.returncode >= 30
    assert (tmp_path / "file").read_text() == ""


def test_a_reader_that_has_gone_leaves_the_command_incomplete() -> None:
    """Exit code 1 would say that something does not conform."""
    reading, writing = os.pipe()
    os.close(reading)
    assert _rejoin("--version", stdout=writing) == (3, "")
    os.close(writing)


@pytest.mark.parametrize("delay", [0.05, 0.2, 0.4])
def test_an_interruption_while_the_commands_are_imported_is_one_line(delay: float) -> None:
    program = f"""
import signal, sys, threading, os
from rejoin_conformance.command_line.main import main
signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Timer({delay}, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
sys.argv = ["rejoin", "verify"]
main()
"""
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    # Once the commands are imported, click first ends the line on which a terminal shows ^C.
    assert (ended.returncode, ended.stderr.lstrip("\n")) == (3, "rejoin: interrupted\n")


@pytest.mark.parametrize(
    ("work", "much"),
    [
        ("fuzz config-merge --histories 1000000", r"[\d,]+ of 1,000,000 histories"),
        ("compare config-merge document libsession --histories 1000000", r"\d+ finished pieces?"),
        ("exhaust history-merge --nodes 8", r"\d+ finished pieces?"),
        pytest.param("mutants history-merge", r"\d+ finished pieces?", marks=pytest.mark.long),
    ],
)
def test_long_work_whose_terminal_is_closed_says_how_to_resume(
    work: str, much: str, tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    line = f"{work} --in-process --directory {kept}"
    keeps = rf"{kept}\S* keeps (?:{much}|what is finished)"  # if no count is known at that moment
    resume = rf"rejoin: interrupted; {keeps}; to go on, run: rejoin {line}"
    for begun in (False, True):
        with subprocess.Popen(
            [sys.executable, "-c", MAIN, *shlex.split(line)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        ) as command:
            assert command.stderr is not None
            before = command.stderr.readline() if begun else ""
            while command.poll() is None and not any(kept.glob("**/campaigns/*.parquet")):
                time.sleep(0.05)
            command.send_signal(signal.SIGHUP)
            said = command.communicate()[1]
        assert command.returncode == 3, said
        assert re.fullmatch(resume, said.splitlines()[-1])
        assert not begun or re.fullmatch(
            rf"resuming from {kept}\S*, which keeps {much}; the command and the code .*\n", before
        )


def test_an_interruption_while_the_process_forks_is_not_lost() -> None:
    """Python ignores an exception in what it calls when it forks."""
    hook = (
        "import os, signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "os.register_at_fork(before=lambda: signal.raise_signal(signal.SIGINT)); "
    )
    work = ("fuzz", "config-merge", "--in-process", "--histories", "100000")
    ended = subprocess.run(
        [sys.executable, "-c", hook + MAIN, *work], capture_output=True, text=True, check=False
    )
    said = "rejoin: interrupted; nothing was saved, because --directory was not given\n"
    assert (ended.returncode, ended.stderr) == (3, said)
    assert "0 of 100,000 histories (0.0 %)" in ended.stdout


def test_a_paragraph_that_is_nested_too_deeply_is_wrong_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deep = "{k: " * 20_000 + "{}" + "}" * 20_000
    path = tmp_path / "paragraph.txt"
    path.write_text(f"deep  CM-DIFF-DEPTH\n  Many.\n  apply {deep} to {{}}, source {{}}\n")
    assert run(["vectors", "add", "config-merge/levels", "--file", str(path)]) == 2
    assert "nested too deeply" in capsys.readouterr().err
    path.write_bytes(b"\xff")
    assert run(["vectors", "add", "config-merge/levels", "--file", str(path)]) == 2
    assert capsys.readouterr().err == f"rejoin: {path}: it is not UTF-8\n"


def test_an_error_shows_no_unprintable_character(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (vectors_directory() / "config-merge" / "levels.json").read_text()
    odd = re.sub(r'"clauses": \[\s*"', '"clauses": ["\\\\u202e\\\\u001b[2J', text, count=1)
    (tmp_path / "x.json").write_text(odd)
    assert run(["show", str(tmp_path / "x.json")]) == 2
    said = capsys.readouterr().err
    assert (said.count("\n"), said.rstrip("\n").isprintable()) == (1, True), said


def test_the_longest_time_of_a_request_is_a_time_that_a_clock_can_measure() -> None:
    with pytest.raises(TimeoutError), limited_time(10**9):
        raise TimeoutError


def test_a_terminal_that_cannot_show_a_character_gets_it_escaped(tmp_path: Path) -> None:
    file = write_results(tmp_path / "results.ndjson", results(failed("b"), name="p\u2603rt"))
    for options, said in (
        ((), b"p\\u2603rt 2.1: 1 fail"),
        (("--markdown", "-"), "\u274c".encode()),
    ):
        ended = subprocess.run(
            [sys.executable, "-c", MAIN, "report", str(file), *options],
            capture_output=True,
            env={**os.environ, "PYTHONIOENCODING": "latin-1"},
            check=False,
        )
        assert (ended.returncode, ended.stderr, said in ended.stdout) == (1, b"", True)


def test_a_report_does_not_overwrite_results_through_a_link_nor_a_block(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_results(tmp_path / "results.ndjson", results(passed("a"), failed("b")))
    before = file.read_bytes()
    (soft := tmp_path / "soft").symlink_to(file)
    (hard := tmp_path / "hard").hardlink_to(file)
    (block := tmp_path / "block").write_bytes(b"PAR1")
    for path, said in (
        (soft, "is an input or another output of this command"),
        (hard, "is an input or another output of this command"),
        (block, "has results of another command"),
    ):
        assert run(["report", str(file), "--badge", str(path)]) == 2
        assert said in capsys.readouterr().err
    assert (file.read_bytes(), block.read_bytes()) == (before, b"PAR1")


def test_exhaust_leaves_the_folder_of_a_campaign_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(tmp_path, PLAN)
    before = sorted(tmp_path.rglob("*"))
    command = ["exhaust", "history-merge", "--nodes", "2", "--in-process"]
    assert run([*command, "--directory", str(tmp_path)]) == 2
    assert "has results of another command" in capsys.readouterr().err
    assert sorted(tmp_path.rglob("*")) == before


def test_a_missing_python_of_workers_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a process of its own: a session that is there has its Python already."""
    monkeypatch.setenv("PYSPARK_PYTHON", "/no/such/python")
    command = ("fuzz", "history-merge", "--histories", "1", "--spark")
    code, said = _rejoin(*command, stdout=subprocess.DEVNULL)
    begun, *_, last = said.splitlines()
    assert (code, begun) == (3, "starting Spark")
    assert "/no/such/python" in last


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (UnusableNowError("hdfs://host/hm cannot be used"), 3, "hdfs://host/hm cannot be used"),
        (StoreError("hdfs://host/hm cannot be used"), 2, "hdfs://host/hm cannot be used"),
        (MemoryError(), 3, "there is not enough memory to finish this command"),
    ],
)
def test_only_what_can_work_later_leaves_the_command_incomplete(
    error: Exception,
    code: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(*_arguments: object, **_options: object) -> None:
        raise error

    monkeypatch.setattr(cli, "main", fail)
    assert run(["fuzz"]) == code
    assert capsys.readouterr().err == f"rejoin: {said}\n"
