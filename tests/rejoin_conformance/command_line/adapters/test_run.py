"""`rejoin run`: exit codes, output, interruption and continuation."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from rejoin_conformance.adapters.results.read import read_results
from rejoin_conformance.command_line.main import run
from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.corpus.generate import topic_text, vectors_of
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


def test_a_conformant_adapter_exits_with_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("sound") == 0
    out = capsys.readouterr().out
    assert "not declared: toy/double (1 vector)" in out
    assert out.endswith("40 pass, 1 not-declared: conformant\n")


def test_an_adapter_with_a_failure_exits_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("wrong-output") == 1
    out = capsys.readouterr().out
    assert out.startswith(
        "FAIL toy/halves/half-of-14 [strict]\n"
        "  MUST TOY-HALF\n"
        "  14 is halved\n"
        "  wrong output: at $.half\n"
        "    expected  7\n"
        "    observed  8\n"
    )
    assert "TOY-HALF    19     1\n" in out
    assert "other clauses whose vectors all pass: 1" in out
    assert "other clauses without a vector that was run: 1" in out
    assert out.endswith("39 pass, 1 fail, 1 not-declared: NOT conformant\n")


def test_the_end_of_standard_error_is_shown_with_a_crash(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert _run("exits") == 1
    assert "  standard error ends:\n    panic: cannot halve 14\n" in capsys.readouterr().out


def test_of_many_failures_some_are_shown_and_the_rest_is_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert _run("rejects-everything", "--reading", "lenient") == 1
    out = capsys.readouterr().out
    assert out.count("FAIL ") == 20
    assert "... and 20 more failures; --results FILE keeps all of them\n" in out


def test_an_adapter_that_dies_after_each_answer_is_not_conformant(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert _run("answers-one-and-exits") == 1
    out = capsys.readouterr().out
    assert (
        "20 answers needed another process, because the adapter broke before\n"
        "  the first is toy/halves/half-of-1 [strict]: it ended with exit code 0\n"
        "  To accept such answers, give --allow-restarts.\n"
    ) in out
    assert out.endswith("40 pass, 1 not-declared; 20 restarts: NOT conformant\n")


def test_restarts_can_be_allowed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "results.ndjson"
    assert _run("answers-one-and-exits", "--allow-restarts", "--results", str(file)) == 0
    assert capsys.readouterr().out.endswith("; 20 restarts: conformant\n")
    assert run(["report", str(file)]) == 0
    said = "toy 1: 40 pass, 1 not-declared; 20 restarts (allowed): conformant\n"
    assert capsys.readouterr().out == said


def test_a_request_that_breaks_the_adapter_again_explains_the_restarts_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = _known(tmp_path, "half-of-14")
    assert _run("prints-after-it-answered", "--known-failures", known) == 0
    assert "restart" not in capsys.readouterr().out


def test_a_run_ends_after_some_timeouts_in_a_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--timeout", "0.05", "--max-timeouts", "2")
    assert _run("answers-nothing", *options) == 4
    said = capsys.readouterr().err.splitlines()[-1]
    assert said == (
        "rejoin: 2 requests in a row had no answer in time; 38 vectors not run; "
        "give a longer --timeout, or --max-timeouts 0 to run all of them"
    )


def test_a_run_that_had_an_answer_before_the_timeouts_is_incomplete(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "results.ndjson"
    options = ("--timeout", "0.3", "--max-timeouts", "2", "--results", str(file))
    assert _run("answers-small-numbers", *options, "--json") == 3
    assert _json(capsys)["verdicts"]["timeout"] == 2
    assert read_results(file).footer is None


def test_a_run_ends_after_the_given_number_of_failures(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert _run("rejects-everything", "--max-failures", "3") == 1
    out, err = capsys.readouterr()
    assert out.count("FAIL ") == 3
    assert err.splitlines()[-1].startswith("rejoin: 3 vectors failed; ")


def test_control_characters_of_an_adapter_are_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("control-characters") == 1
    assert "\x1b" not in capsys.readouterr().out


def test_a_known_failure_is_expected(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("wrong-output", "--known-failures", _known(tmp_path, "half-of-14")) == 0
    assert "fail toy/halves/half-of-14 [strict]: it is hard" in capsys.readouterr().out


def test_an_unexpected_pass_fails_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run("sound", "--known-failures", _known(tmp_path, "half-of-14")) == 1
    assert "UNEXPECTED PASS toy/halves/half-of-14 [strict]" in capsys.readouterr().out


def test_a_known_failure_that_is_not_run_changes_nothing(tmp_path: Path) -> None:
    known = _known(tmp_path, "half-of-14")
    assert _run("sound", "--known-failures", known, "--id", "*/half-of-2") == 0


def test_a_run_that_exercised_nothing_is_incomplete(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("sound", "--operation", "double") == 3
    assert "declares none of the selected operations" in capsys.readouterr().err


def test_the_choice_of_vectors_is_heeded(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("wrong-output", "--clause", "TOY-ODD", "--json") == 0
    assert _json(capsys)["verdicts"]["pass"] == 20
    assert _run("wrong-output", "--id", "*/half-of-14", "--json") == 1
    assert _json(capsys)["exercised"] == 1
    assert _run("accepts-everything", "--reading", "lenient", "--level", "must", "--json") == 0
    assert _json(capsys)["verdicts"]["pass"] == 40


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
    assert _run("wrong-output", *chosen) == 0


def test_a_misspelt_operation_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    _run("hello-with-a-misspelt-operation", "--id", "*/half-of-1?")
    assert (
        "rejoin: the adapter declares 'toy/halv', which is not an operation; "
        "did you mean toy/halve?\n"
    ) in capsys.readouterr().err


def test_a_known_failure_of_no_vector_is_wrong_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run("sound", "--known-failures", _known(tmp_path, "half-of-99")) == 2
    assert "the corpus has no vector 'toy/halves/half-of-99'" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["", "'", "./no-such-program"])
def test_a_command_that_cannot_be_started(command: str) -> None:
    assert run(["run", "--adapter", command]) == (4 if command.startswith(".") else 2)


@pytest.mark.parametrize(
    "mode",
    [
        "hello-of-another-protocol",
        "exits-before-hello",
        "hello-with-an-unknown-reading",
        "hello-with-an-unknown-feature",
    ],
)
def test_an_unusable_adapter_exits_with_4(mode: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(mode) == 4
    assert capsys.readouterr().err.startswith("rejoin: the adapter")


def test_the_summary_for_machines(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("wrong-output", "--json") == 1
    value = _json(capsys)
    assert value["adapter"]["name"] == "toy"
    assert value["conformant"] is False
    assert value["exercised"] == 40
    assert value["verdicts"]["not-declared"] == 1
    assert value["clauses"] == {
        "TOY-DOUBLE": {"not-declared": 1},
        "TOY-HALF": {"pass": 19, "fail": 1},
        "TOY-ODD": {"pass": 20},
    }
    assert value["failures"] == [
        {
            "id": "toy/halves/half-of-14",
            "reading": "strict",
            "verdict": "fail",
            "explanation": "wrong output: at $.half\n  expected  7\n  observed  8",
        }
    ]


def test_results_hold_every_verdict_and_do_not_depend_on_jobs(tmp_path: Path) -> None:
    digests = []
    for jobs in ("1", "3"):
        path = tmp_path / f"{jobs}.ndjson"
        assert _run("exits", "--results", str(path), "--jobs", jobs) == 1
        results = read_results(path)
        assert len(results.records) == 41
        assert results.footer is not None
        digests.append(results.footer.digest)
    assert digests[0] == digests[1]


def test_a_run_of_another_configuration_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "results.ndjson")
    assert _run("sound", "--results", path) == 0
    assert _run("sound", "--results", path, "--timeout", "3") == 2
    assert "the time limit differ" in capsys.readouterr().err
    assert _run("sound", "--results", path, "--timeout", "3", "--fresh") == 0


def test_two_results_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = str(tmp_path / "old.ndjson"), str(tmp_path / "new.ndjson")
    _run("sound", "--results", old)
    _run("wrong-output", "--results", new)
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
            "--results",
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
        assert errors.splitlines()[-1].startswith("rejoin: interrupted; to resume from ")
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
        assert path.read_bytes().startswith(before)
        resumed = read_results(path)
        path.unlink()
        self._start(tmp_path, "waits-for-a-sign", "--timeout", "600").communicate()
        whole = read_results(path)
        assert whole.footer is not None
        assert resumed.footer is not None
        assert resumed.footer.digest == whole.footer.digest
        assert left_behind(tmp_path / "trace") == []


def test_another_corpus_may_be_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, halves = TOY.topics()
    some = Topic(halves.name, "", halves.drafts[:3])
    (tmp_path / "other" / "toy").mkdir(parents=True)
    file = tmp_path / "other" / "toy" / "halves.json"
    file.write_text(topic_text(TOY, some, vectors_of(TOY, some)))
    assert _run("sound", "--corpus", str(tmp_path / "other")) == 0
    assert "3 pass: conformant" in capsys.readouterr().out
    assert _run("sound", "--corpus", str(tmp_path / "nowhere")) == 2
    assert "nowhere: there is no such folder" in capsys.readouterr().err
