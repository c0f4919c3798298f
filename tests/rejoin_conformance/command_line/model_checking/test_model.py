from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
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
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The toy model in the place of a real one."""
    yield from _with_model(monkeypatch, TOY_MODEL)


def _with_model(monkeypatch: pytest.MonkeyPatch, model: Model[History] | None) -> Iterator[None]:
    real = system_named(SYSTEM)

    histories: Any = SimpleNamespace(profiles={"default": ""}, generate=_history)
    changed = evolve(real, model=model, histories=histories)
    for module in (command, model_runs):
        monkeypatch.setattr(module, "model_folder", lambda _name: FOLDER)
    monkeypatch.setattr(registry, "system_named", lambda _name: changed)
    monkeypatch.setattr("rejoin_conformance.command_line.console.system_named", lambda _: changed)
    yield


def _model(monkeypatch: pytest.MonkeyPatch, model: Model[History] | None) -> None:
    next(_with_model(monkeypatch, model))


@pytest.mark.usefixtures("toy")
def test_a_check_prints_a_line_a_configuration(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["model", "check", SYSTEM]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines] == [["ok", "passes"], ["ok", "both"]]
    assert lines[1].endswith("violates NeverBoth after 2 steps, as expected")


@pytest.mark.full_run("model checker")
@pytest.mark.usefixtures("toy")
def test_a_check_writes_its_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "checked.md"
    assert run(["model", "check", SYSTEM, "--config", "passes", "--markdown", str(table)]) == 0
    assert "| `passes` | All is well. | 2 people | no violation |" in table.read_text()
    capsys.readouterr()


@pytest.mark.full_run("model checker")
def test_an_unexpected_result_is_code_1_and_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = evolve(TOY_MODEL.configurations[1], violates=None)
    _model(monkeypatch, evolve(TOY_MODEL, configurations=(wrong,)))
    assert run(["model", "check", SYSTEM]) == 1
    out = capsys.readouterr().out
    assert "WRONG both" in out
    assert "seen = [A |-> {1}, B |-> {1}]" in out


def test_a_failure_of_tlc_is_code_3_and_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = evolve(TOY_MODEL.configurations[0], module="Nowhere")
    _model(monkeypatch, evolve(TOY_MODEL, configurations=(broken,)))
    assert run(["model", "check", SYSTEM]) == 3
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith("rejoin: passes: TLC failed:")
    assert "Nowhere" in error


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
        ["check", SYSTEM, "--markdown", "/nowhere/at/all.md"],
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


def test_a_behaviour_that_the_code_does_not_do_is_code_1_and_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    deaf = evolve(TOY_MODEL, replay=lambda each, _reading: TOY_MODEL.replay(each, "deaf"))
    _model(monkeypatch, deaf)
    assert run(["model", "behaviours", SYSTEM, "--every-to-depth", "2"]) == 1
    out = capsys.readouterr().out
    assert "6 behaviours of the model" in out
    assert "agrees on 4 of 6" in out
    assert '     1  post(who: "A")\n     2  hear(number: 1, who: "B")\n\n  step 2, hear' in out


@pytest.mark.full_run("model checker")
@pytest.mark.usefixtures("toy")
def test_histories_that_the_model_allows_are_code_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["model", "validate", SYSTEM, "--histories", "4", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["traces"], found["accepted"], found["refused"]) == (4, 4, {})


@pytest.mark.full_run("model checker")
def test_a_history_that_the_model_refuses_is_code_1_and_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _model(monkeypatch, evolve(TOY_MODEL, trace_of=lambda each, _: trace_of(each, "deaf")))
    assert run(["model", "validate", SYSTEM, "--histories", "8"]) == 1
    out = capsys.readouterr().out
    assert 'step 2, hear(number: 1, who: "B"):' in out
    assert "the code observed  [posted |-> 1, seen |-> {}]" in out


@pytest.mark.full_run("model checker")
def test_histories_that_the_model_cannot_express_are_left_out_and_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def silent(history: History, reading: str) -> Behaviour:
        if len(history) == 1:
            raise CannotTranslateError("one event")
        return trace_of(history, reading)

    _model(monkeypatch, evolve(TOY_MODEL, trace_of=silent))
    assert run(["model", "validate", SYSTEM, "--histories", "8"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "  the model allows 4 and refuses 0"
    assert lines[2] == "  left out: 4 histories that the model cannot express"
    assert lines[3] == "  4  with one event"


def test_if_the_model_can_express_no_history_the_command_is_incomplete(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def silent(_history: History, _reading: str) -> Behaviour:
        raise CannotTranslateError("a forged message")

    _model(monkeypatch, evolve(TOY_MODEL, trace_of=silent))
    assert run(["model", "validate", SYSTEM, "--histories", "2"]) == 3
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.endswith("can express none of the histories; history 0: a forged message")
