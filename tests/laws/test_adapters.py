"""`rejoin run --laws` and `pytest --rejoin-laws` hold a program to the laws."""

from __future__ import annotations

import json
import shlex
import sys
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import settings

from rejoin_conformance.command_line.main import run
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.corpus.add_vector import addition
from rejoin_conformance.laws import results
from rejoin_conformance.laws.machine import CI, hold_to_the_laws

_ADAPTER: Final = """
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "hello":
        operations = ["history-merge/three-way-merge"]
        reply = {"type": "hello", "protocol": 1, "name": "one", "operations": operations,
                 "without": {operations[0]: ["counter", "register", "lines"]}}
    elif said["type"] == "run":
        o, a, b = (set(said["input"][name]) for name in ("origin", "left", "right"))
        reply = {"id": said["id"], "output": {"state": sorted(MERGED)}}
    else:
        break
    print(json.dumps(reply), flush=True)
"""
SOUND: Final = "(a & b) | ((a | b) - o)"
UNION: Final = "a | b | o"
CRASHES: Final = f"({SOUND}) if b - o - a else sys.exit(3)"
ENDS: Final = f"({SOUND}) if said['id'] < 9 else sys.exit(3)"
MERGE: Final = "three-way-merge "
SMALL: Final = 64
"""Characters of a call with at most three elements in each state."""


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each machine run ten times, and turn each vector round once."""
    few = partial(hold_to_the_laws, chosen=settings(CI, max_examples=10))
    monkeypatch.setattr(results, "hold_to_the_laws", few)


def adapter(folder: Path, merged: str) -> str:
    file = folder / "adapter.py"
    file.write_text(_ADAPTER.replace("MERGED", merged))
    return shlex.join([sys.executable, "-IS", str(file)])


def laws(command: str, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, Any]:
    code = run(["run", "--laws", "--json", "--adapter", command, *more])
    return code, json.loads(capsys.readouterr().out)


def assert_small(text: str) -> None:
    """Which of the small inputs is found depends on the modules that are loaded."""
    calls = {line for line in map(str.strip, text.split("\n")) if line.startswith(MERGE)}
    assert [len(call) < SMALL for call in calls] == [True], calls


def test_what_is_not_declared_is_left_out_and_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = laws(adapter(tmp_path, SOUND), capsys)
    assert (code, said["kept"], said["broken"]) == (0, True, [])
    assert {*said["laws"]["history-merge"]} == {"three-way-merge"}
    left_out = said["left_out"]["history-merge"]
    assert {"history-merge/merge", "history-merge/three-way-merge with counter"} <= {*left_out}
    assert min(left_out.values()) > 0
    assert said["laws"]["config-merge"] == {}


def test_a_failure_is_small_and_becomes_a_vector(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = laws(adapter(tmp_path, UNION), capsys, "history-merge")
    assert (code, said["kept"]) == (1, False)
    (broken,) = said["broken"]
    assert broken["law"] == "three-way-merge"
    assert_small(broken["paragraph"])
    assert "observed" in broken["answer"]
    (tmp_path / "history-merge").mkdir()
    (tmp_path / "history-merge" / "found.txt").write_text("# Found by the laws.\n")
    system, paragraph = system_named("history-merge"), broken["paragraph"]
    assert addition(system, "found", paragraph, "here", tmp_path).checked


@pytest.mark.parametrize("merged", [CRASHES, ENDS], ids=["always", "not if asked alone"])
def test_a_crash_breaks_the_law_that_it_leaves_unanswered(
    merged: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = laws(adapter(tmp_path, merged), capsys, "history-merge")
    assert code == 1
    assert "it ended with exit code 3" in said["broken"][0]["answer"]


def test_nothing_asked_is_not_green(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert laws(adapter(tmp_path, SOUND), capsys, "config-merge")[0] == 3


def test_options_of_vectors_are_wrong_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = adapter(tmp_path, SOUND)
    assert run(["run", "--laws", "--adapter", command, "--clause", "HM-3WAY-SET"]) == 2
    assert "--laws checks no vectors" in capsys.readouterr().err


def test_the_plugin_makes_the_laws_an_item(
    tmp_path: Path, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    named = [f"rejoin_conformance.{each}.pytest_plugin" for each in ("adapters", "laws")]
    plugins = [word for name in named for word in ("-p", name)]
    asked = ["--rejoin-laws", "--rejoin-adapter", adapter(tmp_path, UNION)]
    session = pytester.runpytest_inprocess(*plugins, *asked)
    said = f"{session.stdout}"
    assert session.ret == 1, said
    assert "Found by the law three-way-merge, which has these clauses.\n" in said
    assert_small(said)
    assert "not declared: history-merge: " in said, "what is left out is counted"
    assert "1 failed in" in said
