"""`pytest --rejoin-adapter` makes each vector an item, with the verdicts of `rejoin run`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from support.toy_runs import TOY_ADAPTER, left_behind

Run = Callable[..., tuple[int, str]]
"""(mode of the toy adapter, further arguments of pytest) -> exit code, and all that it printed."""
PLUGINS = ("no:cacheprovider", "rejoin_conformance.adapters.pytest_plugin")


pytestmark = pytest.mark.usefixtures("only_toy")


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run pytest in an empty folder, with the toy as its only system."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    named = [word for name in PLUGINS for word in ("-p", name)]
    trace = pytester.mkdir("trace")

    def run(mode: str, *arguments: str) -> tuple[int, str]:
        adapter = f"{sys.executable} -IS {TOY_ADAPTER} {mode} {trace}"
        ended = pytester.runpytest_inprocess(*named, "--rejoin-adapter", adapter, *arguments)
        return int(ended.ret), f"{ended.stdout}{ended.stderr}"

    return run


def test_each_vector_is_an_item(pytester: pytest.Pytester, run: Run) -> None:
    code, out = run("sound", "-v")
    assert code == 0, out
    assert "toy/halves/half-of-14[strict] PASSED" in out
    assert "40 passed, 1 skipped" in out
    assert left_behind(pytester.path / "trace") == []


def test_a_failure_is_explained_without_a_traceback(run: Run) -> None:
    out = run("exits")[1]
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


def test_vectors_are_chosen(run: Run) -> None:
    for arguments, outcome in CHOICES:
        last = run("sound", *arguments)[1].splitlines()[-1]
        assert outcome in last, arguments


def test_an_answer_that_needed_another_process_fails_unless_it_is_allowed(run: Run) -> None:
    chosen = ("--rejoin-id", "*/half-of-?")
    code, out = run("answers-one-and-exits", *chosen)
    assert code == 1
    assert "restart: answered only alone: it ended with exit code 0" in out
    code, out = run("answers-one-and-exits", *chosen, "--rejoin-allow-restarts")
    assert code == 0, out


def test_a_known_failure_is_expected_and_its_pass_fails(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "known.toml"
    file.write_text('[[failure]]\nid = "toy/halves/half-of-14"\nreason = "hard"\nlink = "#7"\n')
    known = ("--rejoin-known-failures", str(file))
    code, out = run("wrong-output", *known)
    assert (code, "40 passed" in out) == (0, False)
    assert "39 passed, 1 skipped, 1 xfailed" in out
    code, out = run("sound", *known)
    assert code == 1
    assert "[XPASS(strict)] hard (#7)" in out


def test_a_session_that_exercised_nothing_is_not_green(run: Run) -> None:
    code, out = run("sound", "--rejoin-operation", "double")
    assert code == 1
    assert "rejoin: no vector was run" in out


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


def test_wrong_usage_is_a_usage_error(run: Run) -> None:
    for mode, arguments, why in WRONG:
        code, out = run(mode, *arguments)
        assert code == 4, arguments
        assert why in out
        assert "Traceback" not in out


@pytest.mark.parametrize(
    ("options", "code"), [([], pytest.ExitCode.NO_TESTS_COLLECTED), (["--rejoin-jobs", "2"], 4)]
)
def test_without_an_adapter_pytest_is_as_ever_and_takes_no_option(
    options: list[str], code: int, pytester: pytest.Pytester
) -> None:
    plugins = ["-p", "no:rejoin", "-p", "rejoin_conformance.adapters.pytest_plugin"]
    assert pytester.runpytest_inprocess(*plugins, *options).ret == code
