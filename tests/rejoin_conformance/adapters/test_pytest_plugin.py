"""`pytest --rejoin-adapter` makes each vector an item, with the verdicts of `rejoin run`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.forked_sessions import forked_sessions
from support.toy_runs import TOY_ADAPTER, left_behind

Run = Callable[..., subprocess.CompletedProcess[str]]
"""(folder, mode of the toy adapter, further arguments of pytest) -> the ended session."""
PLUGINS = (
    "no:rejoin",
    "no:cacheprovider",
    "support.toy_command",
    "rejoin_conformance.adapters.pytest_plugin",
)


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    """Run pytest in an empty folder, with the toy as its only system."""
    named = [word for name in PLUGINS for word in ("-p", name)]
    with forked_sessions() as session:

        def run(folder: Path, mode: str, *arguments: str) -> subprocess.CompletedProcess[str]:
            trace = folder / "trace"
            trace.mkdir(exist_ok=True)
            adapter = f"{sys.executable} -IS {TOY_ADAPTER} {mode} {trace}"
            return session(folder, [*named, "--rejoin-adapter", adapter, *arguments])

        yield run


def test_each_vector_is_an_item(tmp_path: Path, run: Run) -> None:
    session = run(tmp_path, "sound", "-v")
    assert session.returncode == 0, session.stdout
    assert "toy/halves/half-of-14[strict] PASSED" in session.stdout
    assert "40 passed, 1 skipped" in session.stdout
    assert left_behind(tmp_path / "trace") == []


def test_a_failure_is_explained_without_a_traceback(tmp_path: Path, run: Run) -> None:
    out = run(tmp_path, "exits").stdout
    assert "39 passed, 1 skipped" in out.replace("1 failed, ", "")
    assert "MUST TOY-HALF\n14 is halved\ncrash: no answer: it ended with exit code 3\n" in out
    assert "panic: cannot halve 14" in out
    assert "pytest_items.py" not in out


CHOICES = [
    (("--rejoin-clause", "TOY-ODD"), "20 passed"),
    (("--rejoin-id", "*/half-of-1?", "--rejoin-level", "must"), "10 passed"),
    (("--rejoin-reading", "lenient", "--rejoin-operation", "halve"), "20 failed, 20 passed"),
    (("-k", "half-of-14 or half-of-15"), "2 passed, 39 deselected"),
    (("-m", "rejoin", "--rejoin-system", "toy", "--rejoin-jobs", "2"), "40 passed, 1 skipped"),
]


def test_vectors_are_chosen(tmp_path: Path, run: Run) -> None:
    for arguments, outcome in CHOICES:
        last = run(tmp_path, "sound", *arguments).stdout.splitlines()[-1]
        assert outcome in last, arguments


def test_an_answer_that_needed_another_process_fails_unless_it_is_allowed(
    tmp_path: Path, run: Run
) -> None:
    chosen = ("--rejoin-id", "*/half-of-?")
    session = run(tmp_path, "answers-one-and-exits", *chosen)
    assert session.returncode == 1
    assert "restart: answered only alone: it ended with exit code 0" in session.stdout
    session = run(tmp_path, "answers-one-and-exits", *chosen, "--rejoin-allow-restarts")
    assert session.returncode == 0, session.stdout


def test_a_known_failure_is_expected_and_its_pass_fails(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "known.toml"
    file.write_text('[[failure]]\nid = "toy/halves/half-of-14"\nreason = "hard"\nlink = "#7"\n')
    known = ("--rejoin-known-failures", str(file))
    session = run(tmp_path, "wrong-output", *known)
    assert (session.returncode, "40 passed" in session.stdout) == (0, False)
    assert "39 passed, 1 skipped, 1 xfailed" in session.stdout
    session = run(tmp_path, "sound", *known)
    assert session.returncode == 1
    assert "[XPASS(strict)] hard (#7)" in session.stdout


def test_a_session_that_exercised_nothing_is_not_green(tmp_path: Path, run: Run) -> None:
    session = run(tmp_path, "sound", "--rejoin-operation", "double")
    assert session.returncode == 1
    assert "rejoin: no vector was run" in session.stdout


WRONG = [
    ("hello-of-another-protocol", (), "protocol must be 1, not 2"),
    ("hello-with-an-unknown-reading", (), "declares the reading 'creative'"),
    ("sound", ("--rejoin-id", "none*"), "no vector matches these filters"),
    ("sound", ("--rejoin-system", "none"), "there is no system 'none'"),
    ("sound", ("--rejoin-level", "none"), "invalid choice: 'none'"),
    ("sound", ("--rejoin-timeout", "0"), "invalid float value: '0'"),
    ("sound", ("--rejoin-jobs", "65"), "invalid int value: '65'"),
    ("sound", ("-p", "xdist.plugin", "-n", "2"), "--rejoin-adapter needs -n 0"),
]


def test_wrong_usage_is_a_usage_error(tmp_path: Path, run: Run) -> None:
    for mode, arguments, why in WRONG:
        session = run(tmp_path, mode, *arguments)
        assert session.returncode == 4, arguments
        assert why in session.stderr
        assert "Traceback" not in session.stderr


@pytest.mark.parametrize(
    ("options", "code"), [([], pytest.ExitCode.NO_TESTS_COLLECTED), (["--rejoin-jobs", "2"], 4)]
)
def test_without_an_adapter_pytest_is_as_ever_and_takes_no_option(
    options: list[str], code: int, tmp_path: Path
) -> None:
    plugins = ["-p", "no:rejoin", "-p", "rejoin_conformance.adapters.pytest_plugin"]
    command = [sys.executable, "-m", "pytest", *plugins, *options]
    session = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert session.returncode == code
