"""`rejoin run`: exit codes, output, interruption and continuation."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from rejoin_conformance.adapters.results.file import read_results
from rejoin_conformance.command_line.main import run
from support.toy_runs import TOY_ADAPTER, left_behind, toy_environment

TOY_COMMAND = TOY_ADAPTER.with_name("toy_command.py")


pytestmark = pytest.mark.usefixtures("only_toy")


def _adapter(mode: str, folder: Path | None = None) -> str:
    return f"{sys.executable} -IS {TOY_ADAPTER} {mode}" + (f" {folder}" if folder else "")


def _run(mode: str, *arguments: str) -> int:
    return run(["run", "--adapter", _adapter(mode), *arguments])


def test_results_hold_every_verdict_and_do_not_depend_on_jobs(tmp_path: Path) -> None:
    digests = []
    for jobs in ("1", "3"):
        path = tmp_path / f"{jobs}.ndjson"
        assert _run("exits", "--output", str(path), "--jobs", jobs) == 1
        results = read_results(path)
        assert len(results.records) == 41
        assert results.footer is not None
        digests.append(results.footer.digest)
    assert digests[0] == digests[1]


def test_a_report_on_standard_output_is_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("sound", "--junit", "-") == 0
    assert ET.fromstring(capsys.readouterr().out).tag == "testsuites"


class TestInterruption:
    """A run in a process of its own, whose adapter hangs at the half of 14."""

    def _start(self, tmp_path: Path, mode: str, *arguments: str) -> subprocess.Popen[str]:
        trace = tmp_path / "trace"
        trace.mkdir(exist_ok=True)
        command = [
            *("sh", "-c", "trap '' INT; exec \"$@\"", "sh"),  # as a job in the background
            sys.executable,
            str(TOY_COMMAND),
            str(tmp_path / "toy"),
            "run",
            *("--adapter", _adapter(mode, trace)),
            *("--output", str(tmp_path / "results.ndjson")),
            *arguments,
        ]
        return subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=toy_environment(TOY_IN_FLIGHT="1"),
        )

    def _await_records(self, tmp_path: Path, process: subprocess.Popen[str]) -> None:
        """Until the hanging case is under way: all before it are in the file."""
        path = tmp_path / "results.ndjson"
        while process.poll() is None:
            if path.exists() and b"half-of-13" in path.read_bytes():
                return
            time.sleep(0.01)
        raise AssertionError(process.communicate())

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
    def test_it_ends_as_incomplete_and_leaves_no_process(
        self, number: signal.Signals, tmp_path: Path
    ) -> None:
        process = self._start(tmp_path, "hangs", "--timeout", "600")
        self._await_records(tmp_path, process)
        process.send_signal(number)
        _, errors = process.communicate()
        assert process.returncode == 3
        keeps = "results.ndjson keeps 15 verdicts of 41; to go on, run: rejoin run --adapter "
        assert errors.splitlines()[-1].startswith("rejoin: interrupted; ")
        assert keeps in errors
        assert left_behind(tmp_path / "trace") == []
        results = read_results(tmp_path / "results.ndjson")
        assert results.footer is None
        assert len(results.records) == 15

    def test_a_killed_run_goes_on_from_its_results(self, tmp_path: Path) -> None:
        process = self._start(tmp_path, "waits-for-a-sign", "--timeout", "600")
        self._await_records(tmp_path, process)
        process.kill()
        process.communicate()
        path = tmp_path / "results.ndjson"
        before = path.read_bytes()
        path.write_bytes(before + b'{"torn')
        (tmp_path / "trace.go").touch()
        process = self._start(tmp_path, "waits-for-a-sign", "--timeout", "600")
        _, errors = process.communicate()
        assert process.returncode == 0, errors
        assert "toy 1: 41 vectors, 15 of them already in the results file" in errors
        assert "; the command, the suite and " in errors
        assert " are the same; other files were not compared\n" in errors
        assert path.read_bytes().startswith(before)
        resumed = read_results(path)
        path.unlink()
        self._start(tmp_path, "waits-for-a-sign", "--timeout", "600").communicate()
        whole = read_results(path)
        assert whole.footer is not None
        assert resumed.footer is not None
        assert resumed.footer.digest == whole.footer.digest
        assert left_behind(tmp_path / "trace") == []


def test_a_restart_stays_if_its_vector_is_asked_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder := tmp_path / "trace").mkdir()
    path = tmp_path / "results.ndjson"
    command = ["run", "--adapter", _adapter("exits-once", folder)]
    command += ["--output", str(path), "--json"]
    assert run(command) == 1
    lines = path.read_bytes().splitlines(keepends=True)
    last = next(n for n, line in enumerate(lines) if b'"restarted":true' in line)
    path.write_bytes(b"".join(lines[: last + 2]))
    capsys.readouterr()
    assert run(command) == 1
    assert json.loads(capsys.readouterr().out)["restarts"] == 1
