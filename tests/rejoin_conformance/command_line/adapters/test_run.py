"""`rejoin run`: exit codes, output, interruption and continuation."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from rejoin_conformance.adapters.results.file import read_results
from rejoin_conformance.command_line.main import run
from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.corpus.generate import topic_text, vectors_of, write_index
from support.toy_command import forget_systems, install_toy
from support.toy_runs import TOY_ADAPTER, left_behind, toy_environment
from support.toy_system import TOY

TOY_COMMAND = TOY_ADAPTER.with_name("toy_command.py")


@pytest.fixture
def _toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    install_toy(tmp_path / "toy", monkeypatch.setattr)
    yield
    monkeypatch.undo()
    forget_systems()


pytestmark = pytest.mark.usefixtures("_toy")


def _adapter(mode: str, folder: Path | None = None) -> str:
    return f"{sys.executable} -IS {TOY_ADAPTER} {mode}" + (f" {folder}" if folder else "")


def _run(mode: str, *arguments: str) -> int:
    return run(["run", "--adapter", _adapter(mode), *arguments])


def _json(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(capsys.readouterr().out)
    return value


def _known(folder: Path, *names: str) -> str:
    path = folder / "known.toml"
    path.write_text(
        "".join(
            f'[[failure]]\nid = "toy/halves/{name}"\nreason = "it is hard"\nlink = "#7"\n'
            for name in names
        )
    )
    return str(path)


RUNS: dict[tuple[str, ...], tuple[int, str]] = {
    ("sound",): (
        0,
        "40 pass, 1 not-declared: partial: 1 of 2 operations, 2 of 3 clauses (toy strict)\n",
    ),
    ("sound", "--summary"): (0, "\nnot declared: toy: 1 vector: double (1)\n"),
    ("wrong-output",): (
        1,
        (
            "FAIL toy/halves/half-of-14 [strict]\n  MUST TOY-HALF\n  14 is halved\n"
            "  wrong output: at $.half\n    expected  7\n    observed  8\n"
        ),
    ),
    ("wrong-output", "--json"): (1, '"clauses":{"TOY-DOUBLE":{"not-declared":1},"TOY-HALF"'),
    ("exits",): (1, "  standard error ends:\n    panic: cannot halve 14\n"),
    ("rejects-everything", "--reading", "lenient"): (
        1,
        "... and 20 more failures; --limit 40 prints all, --output FILE keeps them\n",
    ),
    ("answers-one-and-exits",): (
        1,
        (
            "20 answers needed another process, because the adapter broke before\n"
            "  the first is toy/halves/half-of-1 [strict]: it ended with exit code 0\n"
            "  To accept such answers, give --allow-restarts.\n"
        ),
    ),
    ("answers-one-and-exits", "--allow-restarts"): (0, "; 20 restarts: partial: 1 of 2"),
    ("rejects-everything", "--max-failures", "3"): (1, "rejoin: 3 vectors failed; "),
    ("answers-nothing", "--timeout", "0.05", "--max-timeouts", "2"): (
        4,
        (
            "rejoin: 2 requests in a row had no answer in time; 38 vectors not run; "
            "give a longer --timeout, or --max-timeouts 0 to run all of them"
        ),
    ),
    ("control-characters",): (1, "\\x1b"),
    ("sound", "--operation", "double"): (3, "declares none of the selected operations"),
    ("wrong-output", "--clause", "TOY-ODD", "--json"): (0, '"pass":20'),
    ("wrong-output", "--id", "*/half-of-14", "--json"): (1, '"exercised":1,'),
    ("accepts-everything", "--reading", "lenient", "--level", "must", "--json"): (0, '"pass":40'),
    ("hello-with-a-misspelt-operation", "--id", "*/half-of-1?"): (
        0,
        "rejoin: the adapter declares 'toy/halv', which is not an operation; did you mean",
    ),
    ("hello-of-another-protocol",): (4, "rejoin: the adapter"),
    ("exits-before-hello",): (4, "rejoin: the adapter"),
    ("hello-with-an-unknown-reading",): (4, "rejoin: the adapter"),
    ("hello-with-an-unknown-feature",): (4, "rejoin: the adapter"),
}
"""Mode of the adapter and options -> the exit code, and a part of what is printed."""


def test_a_campaign_that_asks_nothing_is_incomplete(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--operation", "double", "--in-process", "--histories", "3"]
    assert run(["fuzz", "toy", "--adapter", _adapter("sound"), *options]) == 3
    assert "the adapter declares none of the selected operations" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", RUNS, ids=" ".join)
def test_a_run_ends_with_its_code_and_says_why(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = RUNS[arguments]
    assert _run(*arguments) == code
    out, err = capsys.readouterr()
    assert said in out + err
    assert "\x1b" not in out


def test_a_cached_reading_fails_unless_one_reading_is_asked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for arguments, code, said in (
        (("follows-both-readings",), 0, "80 pass, 2 not-declared: partial"),
        (("caches-the-reading",), 1, "20 fail"),
        (("caches-the-reading", "--reading", "lenient"), 0, "40 pass, 1 not-declared: partial"),
    ):
        assert _run(*arguments) == code
        out = capsys.readouterr().out
        assert said in out
        assert f"(toy {'lenient' if '--reading' in arguments else 'lenient, strict'})" in out


def test_known_failures_are_expected_and_must_fail(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = ("--known-failures", _known(tmp_path, "half-of-14"))
    for mode, code, said in (
        ("wrong-output", 0, "fail toy/halves/half-of-14 [strict]: it is hard"),
        ("prints-after-it-answered", 0, ": no unexpected failure, 1 known to fail"),
        ("sound", 1, "UNEXPECTED PASS toy/halves/half-of-14 [strict]"),
    ):
        assert _run(mode, *known) == code
        assert said in capsys.readouterr().out
    assert _run("sound", *known, "--summary") == 1
    told = capsys.readouterr().out
    assert "not conformant, 1 known failure did not fail (toy strict)\n" in told
    assert "UNEXPECTED PASS toy/halves/half-of-14 [strict]" in told
    assert _run("sound", *known, "--id", "*/half-of-2") == 0
    assert _run("sound", "--known-failures", _known(tmp_path, "half-of-99")) == 2
    assert "the corpus has no vector 'toy/halves/half-of-99'" in capsys.readouterr().err


def test_a_run_that_ends_early_has_failed_by_the_failures_that_it_saw(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "results.ndjson"
    options = ("--timeout", "0.3", "--max-timeouts", "2", "--output", str(file))
    assert _run("answers-small-numbers", *options, "--json") == 1
    assert _json(capsys)["verdicts"]["timeout"] == 2
    assert read_results(file).footer is None


def test_a_folder_beside_a_corpus_leads_to_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "found.json").write_text("{}")
    assert _run("sound", "--corpus", str(tmp_path)) == 2
    assert "; to run one file of vectors, name the file\n" in capsys.readouterr().err
    (tmp_path / "vectors").mkdir()
    (tmp_path / "vectors" / "index.json").write_text("{}")
    assert _run("sound", "--corpus", str(tmp_path)) == 2
    assert f"; did you mean {tmp_path / 'vectors'}?\n" in capsys.readouterr().err


def test_a_known_failure_can_be_in_the_chosen_corpus_alone(tmp_path: Path) -> None:
    source = tmp_path / "toy" / "vectors" / "toy" / "halves.json"
    target = tmp_path / "newer" / "toy" / "halves.json"
    target.parent.mkdir(parents=True)
    target.write_text(source.read_text().replace("half-of-14", "half-of-fourteen"))
    known = _known(tmp_path, "half-of-fourteen")
    chosen = ("--corpus", str(tmp_path / "newer"), "--known-failures", known)
    assert _run("wrong-output", *chosen, "--no-index") == 0


@pytest.mark.parametrize("command", ["", "'", "./no-such-program"])
def test_a_command_that_cannot_be_started(command: str) -> None:
    assert run(["run", "--adapter", command]) == (4 if command.startswith(".") else 2)


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


@pytest.mark.parametrize(
    ("option", "name"),
    [
        ("--timeout", "the time limit"),
        ("--hello-timeout", "--hello-timeout"),
        ("--max-memory", "--max-memory"),
    ],
)
def test_a_run_of_another_configuration_is_refused(
    option: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "results.ndjson")
    assert _run("sound", "--output", path) == 0
    assert _run("sound", "--output", path, option, "20") == 2
    assert f"(not the same: {name})" in capsys.readouterr().err
    assert _run("sound", "--output", path, option, "20", "--fresh") == 0
    said = f"{path} had results of a whole run; they are replaced"
    assert said not in capsys.readouterr().err
    assert _run("sound", "--output", path, option, "20") == 0
    assert said in capsys.readouterr().err


def test_a_report_on_standard_output_is_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("sound", "--junit", "-") == 0
    assert ET.fromstring(capsys.readouterr().out).tag == "testsuites"


def test_two_results_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = str(tmp_path / "old.ndjson"), str(tmp_path / "new.ndjson")
    _run("sound", "--output", old)
    _run("wrong-output", "--output", new)
    capsys.readouterr()
    assert run(["diff", old, new]) == 1
    assert "newly failing: 1\n  toy/halves/half-of-14 [strict]" in capsys.readouterr().out
    assert run(["diff", new, old, "--json"]) == 0
    assert _json(capsys)["newly_passing"] == [
        {"id": "toy/halves/half-of-14", "reading": "strict", "old": "fail", "new": "pass"}
    ]
    assert run(["diff", old, str(tmp_path / "none.ndjson")]) == 2


class TestInterruption:
    """A run in a process of its own, whose adapter hangs at the half of 14."""

    def _start(self, tmp_path: Path, mode: str, *arguments: str) -> subprocess.Popen[str]:
        trace = tmp_path / "trace"
        trace.mkdir(exist_ok=True)
        command = [
            sys.executable,
            str(TOY_COMMAND),
            str(tmp_path / "toy"),
            "run",
            "--adapter",
            f"{_adapter(mode, trace)}",
            "--output",
            str(tmp_path / "results.ndjson"),
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
        assert "; compared: the command, the suite and " in errors
        assert "; other files of the adapter were not\n" in errors
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
    assert _json(capsys)["restarts"] == 1


def test_a_corpus_of_ones_own_and_laws_show_no_profile(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for option in (["--corpus", str(tmp_path)], ["--laws"]):
        assert _run("sound", "--conformance", "toy halving", *option) == 2
        assert "leave out --corpus" in (said := capsys.readouterr().err) or "--laws" in said


def test_another_corpus_may_be_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, halves = TOY.topics()
    some = Topic(halves.name, "", halves.drafts[:3])
    (tmp_path / "other" / "toy").mkdir(parents=True)
    file = tmp_path / "other" / "toy" / "halves.json"
    file.write_text(topic_text(TOY, some, vectors_of(TOY, some)))
    other = str(tmp_path / "other")
    assert _run("sound", "--corpus", other) == 2
    assert "there is no index.json" in capsys.readouterr().err
    assert (
        _run("sound", "--corpus", other, "--no-index") == _run("sound", "--corpus", str(file)) == 0
    )
    assert "3 pass: partial" in capsys.readouterr().out
    write_index(tmp_path / "other")
    assert _run("sound", "--corpus", other) == 0
    assert _run("sound", "--corpus", str(tmp_path / "nowhere")) == 2
    assert "nowhere: there is no such folder" in capsys.readouterr().err
