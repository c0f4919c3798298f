"""A guarded adapter ends with whoever runs it, however that one ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from attrs import evolve

from rejoin_conformance.adapters.conversation import Conversation
from support.processes import descendants
from support.toy_runs import left_behind, toy_adapter, toy_environment

RUNS_ONE = """
import sys, time
from attrs import evolve
from pathlib import Path
from rejoin_conformance.adapters.conversation import Conversation
from support.toy_runs import toy_adapter
adapter = evolve(toy_adapter(sys.argv[1], Path(sys.argv[2])), guarded=sys.argv[3] == "guarded")
conversation = Conversation(adapter)
print("talking", flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("mode", ["ignores-its-end-of-input", "keeps-a-child"])
def test_a_killed_suite_leaves_no_guarded_adapter(mode: str, tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", RUNS_ONE, mode, str(tmp_path), "guarded"],
        stdout=subprocess.PIPE,
        env=toy_environment(),
    ) as suite:
        assert suite.stdout is not None
        assert suite.stdout.readline() == b"talking\n"
        suite.kill()
    assert left_behind(tmp_path) == []


def test_without_a_guard_an_adapter_may_stay(tmp_path: Path) -> None:
    """Without the guard, the test above fails."""
    with subprocess.Popen(
        [sys.executable, "-c", RUNS_ONE, "ignores-its-end-of-input", str(tmp_path), "alone"],
        stdout=subprocess.PIPE,
        env=toy_environment(),
    ) as suite:
        assert suite.stdout is not None
        assert suite.stdout.readline() == b"talking\n"
        suite.kill()
    (left,) = left_behind(tmp_path)
    os.kill(left, signal.SIGKILL)


def test_a_guard_goes_with_its_conversation(tmp_path: Path) -> None:
    adapter = evolve(toy_adapter("sound", tmp_path), guarded=True)
    with Conversation(adapter) as conversation:
        assert len(_guards()) == 1
        conversation.end()
    assert _guards() == []
    assert left_behind(tmp_path) == []


def _guards() -> list[str]:
    """The guards of this process that are there."""
    return [each.command for each in descendants(os.getpid()) if " guard " in each.command]
