"""`rejoin replay` with an adapter: the calls of a history, and the vectors of a file."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rejoin_conformance.command_line.main import run
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.kit.draw import Draw
from support.toy_command import forget_systems, install_toy
from support.toy_runs import TOY_ADAPTER

NUMBERS = 8


@pytest.fixture(autouse=True)
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the toy corpus."""
    install_toy(tmp_path / "toy", monkeypatch.setattr)
    yield tmp_path / "toy" / "vectors" / "toy"
    monkeypatch.undo()
    forget_systems()


def adapter(mode: str) -> str:
    return shlex.join([sys.executable, "-IS", str(TOY_ADAPTER), mode])


def history(index: int) -> list[int]:
    """Return the numbers that a history of the toy system asks to halve, each once."""
    draw = Draw(history_seed(1, "toy", "default", index))
    return [*dict.fromkeys(draw.below(40) for _ in range(NUMBERS))]


INDEX = next(index for index in range(99) if 14 in history(index))
"""A history with the number on which the toy adapter is broken."""


def test_a_sound_adapter_answers_a_history_as_expected(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", "toy", "--index", str(INDEX), "--adapter", adapter("sound")]) == 0
    said = capsys.readouterr().out
    count = len(history(INDEX))
    assert said.startswith("the numbers ")
    assert f"{count} of {count} answers as expected" in said
    assert f"not asked: {count} calls that the adapter does not declare" in said


def test_a_wrong_answer_is_reported_with_what_was_asked(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["replay", "toy", "--index", str(INDEX), "--adapter", adapter("wrong-output")]
    assert run(command) == 1
    said = capsys.readouterr().out
    assert (
        "FAIL toy/halve [strict]\n"
        '  input     {"number":14}\n'
        '  expected  {"output":{"half":7}}\n'
        '  observed  {"output":{"half":8}}\n'
        "  wrong output: at $.half\n"
        "    expected  7\n"
        "    observed  8\n"
    ) in said
    assert run([*command, "--json"]) == 1
    value = json.loads(capsys.readouterr().out)
    (wrong,) = [each for each in value["answers"] if each["verdict"] != "pass"]
    assert (wrong["input"], wrong["fault"]) == ({"number": 14}, "wrong-output")
    assert value["left_out"] == len(history(INDEX))


def test_the_reference_answers_a_file_of_the_corpus(
    toy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["replay", str(toy / "halves.json")]) == 0
    assert "80 of 80 answers as expected" in capsys.readouterr().out
    assert run(["replay", str(toy / "halves.json"), "--reading", "strict"]) == 0
    assert "40 of 40 answers as expected" in capsys.readouterr().out


def test_an_adapter_answers_a_file(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["replay", str(toy / "halves.json"), "--reading", "strict"]
    assert run([*command, "--adapter", adapter("sound")]) == 0
    capsys.readouterr()
    assert run([*command, "--adapter", adapter("exits")]) == 1
    said = capsys.readouterr().out
    assert "CRASH toy/halve [strict]" in said
    assert "39 of 40 answers as expected" in said


def test_an_adapter_is_asked_in_the_readings_that_it_declares(
    toy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["replay", str(toy / "halves.json"), "--adapter", adapter("sound")]
    assert run(command) == 0, "the file has results for the reading lenient too"
    assert "40 of 40 answers as expected" in capsys.readouterr().out
    assert run([*command, "--reading", "lenient"]) == 1
    assert "20 of 40 answers as expected" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code", "line"),
    [
        (["nothing"], 2, "'nothing' is neither a system nor a file; the systems are toy"),
        (["toy", "--adapter", "false"], 4, "the adapter sent no hello"),
        (["toy", "--adapter", "/nowhere/adapter"], 4, "/nowhere/adapter: No such file"),
        (["toy", "--adapter", "'"], 2, "--adapter: No closing quotation"),
        (["toy", "--profile", "odd"], 2, "toy has no profile 'odd'"),
        (["FOLDER/doubles.json", "--adapter", "SOUND"], 2, "does not declare toy/double"),
        (
            ["FOLDER/doubles.json", "--reading", "odd"],
            2,
            "no vector has a result for the reading odd",
        ),
    ],
)
def test_what_cannot_be_asked_is_one_line(
    arguments: list[str], code: int, line: str, toy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = {"FOLDER": str(toy), "SOUND": adapter("sound")}
    for name, meant in told.items():
        arguments = [each.replace(name, meant) for each in arguments]
    assert run(["replay", *arguments]) == code
    said = capsys.readouterr().err
    assert line in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("arguments", "code", "line"),
    [
        (["toy", "--adapter", "false"], 4, "the adapter sent no hello"),
        (["toy", "--adapter", ""], 2, "--adapter is empty"),
        (["toy", "--adapter", "UNKNOWN"], 4, "declares the reading 'creative' of toy"),
        (["toy", "--adapter", "OTHER"], 2, "x declares no operation of toy"),
        (["--adapter", "OTHER"], 4, "x declares no known operation"),
    ],
)
def test_an_adapter_that_cannot_be_fuzzed_is_reported_before_spark_starts(
    arguments: list[str], code: int, line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.py"
    hello = '{"type":"hello","protocol":1,"name":"x","operations":["y/z"]}'
    other.write_text(f"print({hello!r}, flush=True); input()", encoding="utf-8")
    told = {
        "UNKNOWN": adapter("hello-with-an-unknown-reading"),
        "OTHER": shlex.join([sys.executable, str(other)]),
    }
    assert run(["fuzz", *(told.get(each, each) for each in arguments)]) == code
    assert line in capsys.readouterr().err
