"""A guarded adapter ends with whoever runs it, however that one ends."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.processes import descendants, until
from support.toy_runs import TOY_ADAPTER, left_behind, toy_adapter, toy_environment

RUNS_ONE = """
import sys, time
from pathlib import Path
from support.toy_runs import toy_adapter
adapter = toy_adapter(sys.argv[1], Path(sys.argv[2]))
conversation = adapter.start()
conversation.greet()
print("talking", flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("mode", ["ignores-its-end-of-input", "keeps-a-child"])
def test_a_killed_suite_leaves_no_adapter(mode: str, tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", RUNS_ONE, mode, str(tmp_path)],
        stdout=subprocess.PIPE,
        env=toy_environment(),
    ) as suite:
        assert suite.stdout is not None
        assert suite.stdout.readline() == b"talking\n"
        suite.kill()
    assert left_behind(tmp_path) == []


@pytest.mark.parametrize("command", ["run", "doctor"])
def test_run_and_doctor_leave_no_adapter_when_they_are_killed(command: str, tmp_path: Path) -> None:
    traces = tmp_path / "traces"
    traces.mkdir()
    adapter = f"{sys.executable} -IS {TOY_ADAPTER} hangs-after-a-sign {traces}"
    toy = [sys.executable, str(TOY_ADAPTER.with_name("toy_command.py")), str(tmp_path / "toy")]
    with subprocess.Popen(
        [*toy, command, "--adapter", adapter, "--timeout", "600"],
        env=toy_environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as suite:
        until((traces / "asked").exists)
        suite.kill()
    (traces / "asked").unlink()
    assert left_behind(traces) == []


def test_a_guard_goes_with_its_conversation(tmp_path: Path) -> None:
    adapter, others = toy_adapter("sound", tmp_path), _guards()
    with adapter.start() as conversation:
        assert len(_guards()) == len(others) + 1
        conversation.end()
    assert {*_guards()} <= {*others}  # another test's guard can end meanwhile
    assert left_behind(tmp_path) == []


def _guards() -> list[str]:
    """The guards of this process that are there."""
    return [each.command for each in descendants(os.getpid()) if " guard " in each.command]
