"""`rejoin doctor`: its exit codes and its data; a transcript shows its text."""

from __future__ import annotations

import json
import sys

import pytest

from rejoin_conformance.command_line.main import run
from support.toy_runs import TOY_ADAPTER

pytestmark = pytest.mark.usefixtures("only_toy")


def test_the_steps_and_the_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    for mode, code, wrong in (("sound", 0, 0), ("answers-one-and-exits", 4, 3)):
        command = f"{sys.executable} -IS {TOY_ADAPTER} {mode}"
        assert run(["doctor", "--adapter", command, "--json"]) == code
        value = json.loads(capsys.readouterr().out)
        assert value["speaks_the_protocol"] is (code == 0)
        assert [step["state"] for step in value["steps"]].count("wrong") == wrong
