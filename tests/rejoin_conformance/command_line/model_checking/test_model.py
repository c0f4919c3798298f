from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
from attrs import evolve

from rejoin_conformance.command_line import model as command
from rejoin_conformance.command_line import model_runs
from rejoin_conformance.command_line.main import run
from rejoin_conformance.contract import registry
from rejoin_conformance.contract.model import Behaviour, CannotTranslateError, Model
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.kit.installing import install_hint
from rejoin_conformance.model_checking import tlc
from support.toy_model import FOLDER, TOY_MODEL, History, trace_of

SYSTEM = "history-merge"


def _history(_profile: str, seed: int) -> History:
    return (("A", 0), ("B", 1), ("B", 0)) if seed % 2 else (("A", 0),)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy model in the place of a real one."""
    _model(monkeypatch, TOY_MODEL)


def _model(monkeypatch: pytest.MonkeyPatch, model: Model[History] | None) -> None:
    real = system_named(SYSTEM)
    histories: Any = SimpleNamespace(profiles={"default": ""}, generate=_history)
    changed = evolve(real, model=model, histories=histories)
    for module in (command, model_runs):
        monkeypatch.setattr(module, "model_folder", lambda _name: FOLDER)
    monkeypatch.setattr(registry, "system_named", lambda _name: changed)
    monkeypatch.setattr("rejoin_conformance.command_line.console.system_named", lambda _: changed)


@pytest.mark.usefixtures("toy")
def test_a_check_prints_a_line_a_configuration(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["model", "check", SYSTEM]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines] == [["ok", "passes"], ["ok", "both"]]
    assert lines[1].endswith("violates NeverBoth after 2 steps, as expected")


@pytest.mark.usefixtures("toy")
def test_without_a_jar_every_command_is_incomplete(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("REJOIN_TLA2TOOLS", raising=False)
    monkeypatch.setattr(tlc, "find_spec", lambda _name: None)
    for name in ("check", "behaviours", "validate"):
        assert run(["model", name, SYSTEM]) == 3
        assert install_hint("models") in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", SYSTEM, "--config", "nothing-like-it"],
        ["behaviours", SYSTEM, "--reading", "odd"],
        ["behaviours", SYSTEM, "--adapter", "'"],
        ["validate", SYSTEM, "--profile", "odd"],
    ],
)
@pytest.mark.usefixtures("toy")
def test_wrong_usage_is_code_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["model", *arguments]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_system_without_a_model_is_wrong_usage(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _model(monkeypatch, None)
    for name in ("check", "behaviours", "validate"):
        assert run(["model", name, SYSTEM]) == 2
        assert "has no formal model" in capsys.readouterr().err


@pytest.mark.full_run("model checker")
@pytest.mark.usefixtures("toy")
def test_behaviours_that_agree_are_code_0(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--number", "5", "--depth", "4", "--json"]
    assert run(["model", "behaviours", SYSTEM, *arguments]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["behaviours"], found["different"]) == (5, 0)
    assert sum(found["steps"].values()) == 20


@pytest.mark.full_run("model checker")
@pytest.mark.usefixtures("toy")
def test_histories_that_the_model_allows_are_code_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["model", "validate", SYSTEM, "--histories", "4", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["traces"], found["accepted"], found["refused"]) == (4, 4, {})


def _silent(history: History, reading: str) -> Behaviour:
    if len(history) == 1:
        raise CannotTranslateError("one event")
    return trace_of(history, reading)


_PASSES, _BOTH = TOY_MODEL.configurations
_DEAF_REPLAY = evolve(TOY_MODEL, replay=lambda each, _reading: TOY_MODEL.replay(each, "deaf"))
_DEAF_TRACES = evolve(TOY_MODEL, trace_of=lambda each, _reading: trace_of(each, "deaf"))
_SILENT = evolve(TOY_MODEL, trace_of=_silent)


@pytest.mark.parametrize(
    ("model", "arguments", "code", "said"),
    [
        pytest.param(
            evolve(TOY_MODEL, configurations=(evolve(_BOTH, violates=None),)),
            ["check"], 1, ["WRONG both", "seen = [A |-> {1}, B |-> {1}]"],
            id="unexpected", marks=pytest.mark.full_run("model checker"),
        ),
        pytest.param(
            evolve(TOY_MODEL, configurations=(evolve(_PASSES, module="Nowhere"),)),
            ["check"], 3, ["rejoin: passes: TLC failed:", "Nowhere"], id="failure of TLC",
        ),
        pytest.param(
            _DEAF_REPLAY, ["behaviours", "--every-to-depth", "2"], 1,
            ["6 behaviours of the model", "agrees on 4 of 6",
             '     1  post(who: "A")\n     2  hear(number: 1, who: "B")\n\n  step 2, hear'],
            id="the code does not do it",
        ),
        pytest.param(
            _DEAF_TRACES, ["validate", "--histories", "8"], 1,
            ['step 2, hear(number: 1, who: "B"):', "code observed  [posted |-> 1, seen |-> {}]"],
            id="the model refuses it", marks=pytest.mark.full_run("model checker"),
        ),
        pytest.param(
            _SILENT, ["validate", "--histories", "8"], 0,
            ["\n  the model allows 4 and refuses 0\n  left out: 4 histories that the model ",
             " cannot express\n  4  with one event\n"],
            id="left out", marks=pytest.mark.full_run("model checker"),
        ),
        pytest.param(
            _SILENT, ["validate", "--first", "4", "--histories", "3"], 3,
            ["can express none of the histories; history 4: one event\n"], id="nothing left",
        ),
    ],
)  # fmt: skip
def test_what_the_model_and_the_code_do_not_share_is_told_with_its_code(
    model: Model[History],
    arguments: list[str],
    code: int,
    said: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    _model(monkeypatch, model)
    name, *options = arguments
    assert run(["model", name, SYSTEM, *options]) == code
    printed = capsys.readouterr()
    told = printed.err.splitlines(keepends=True)[-1] if code == 3 else printed.out
    assert [each for each in said if each not in told] == []
