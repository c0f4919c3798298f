"""`rejoin doctor`: its output and its exit codes."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rejoin_conformance.command_line.main import run
from support.toy_command import forget_systems, install_toy
from support.toy_runs import TOY_ADAPTER


@pytest.fixture(autouse=True)
def _toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    install_toy(tmp_path / "toy", monkeypatch.setattr)
    yield
    monkeypatch.undo()
    forget_systems()


def _doctor(mode: str, *arguments: str) -> int:
    return run(["doctor", "--adapter", f"{sys.executable} -IS {TOY_ADAPTER} {mode}", *arguments])


def test_a_sound_adapter_exits_with_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert _doctor("sound") == 0
    out = capsys.readouterr().out
    assert out.startswith(" 1  OK         It starts\n 2  OK         It answers hello\n")
    assert '               -> {"protocol":1,"suite":"rejoin' in out
    assert "\nThe adapter speaks the protocol. Next:\n  rejoin run --adapter '" in out


def test_a_broken_adapter_exits_with_4(capsys: pytest.CaptureFixture[str]) -> None:
    assert _doctor("hello-without-a-name") == 4
    out = capsys.readouterr().out
    assert " 3  WRONG      Its hello is well formed\n" in out
    assert "               FIX   A hello looks like this, on one line:\n" in out
    assert out.endswith("\nThe adapter does not speak the protocol yet. Fix step 3.\n")


def test_the_steps_are_there_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert _doctor("answers-one-and-exits", "--json") == 4
    value = json.loads(capsys.readouterr().out)
    assert value["speaks_the_protocol"] is False
    assert [step["state"] for step in value["steps"]].count("wrong") == 3


def test_a_command_that_is_none_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--adapter", "'"]) == 2
    assert capsys.readouterr().err == "rejoin: --adapter: No closing quotation\n"
