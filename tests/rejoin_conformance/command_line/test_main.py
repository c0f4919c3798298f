"""Wrong usage is one clear line on standard error, exit code 2, and never a traceback."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest

from rejoin_conformance.command_line.commands import SECTIONS, cli
from rejoin_conformance.command_line.main import run
from rejoin_conformance.contract.registry import system_names


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["bogus"], "No such command 'bogus'"),
        (["verify", "nothing"], "there is no system 'nothing'"),
        (["verify", "--frobnicate"], "No such option '--frobnicate'"),
        (["verify", "--corpus", "no/such/folder"], "there is no such folder"),
        (["verify", "config-merge", "--id", "no-such-vector"], "no vector matches"),
        (["vectors", "show", "config-merge/no/such"], "there is no vector"),
        (["vectors", "show", "nothing"], "there is no vector"),
        (["vectors", "check", "--corpus", "no/such/folder"], "there is no such folder"),
        (["vectors", "export", "--output", "no/such/folder/file"], "No such file or directory"),
        (["fuzz", "config-merge", "--histories", "0"], "0 is not in the range"),
        (["fuzz", "config-merge", "--profile", "odd"], "has no profile 'odd'"),
        (["fuzz", "config-merge", "--reading", "odd"], "has no reading 'odd'"),
        (["replay", "config-merge", "--index", "-1"], "-1 is not in the range"),
        (["replay", "config-merge", "--seed", "x"], "'x' is not a valid int"),
        (["trace", "--clause", "CM-NO-SUCH"], "there is no clause"),
        (["exhaust", "config-merge"], "there is no exhaustive check of 'config-merge'"),
        (["exhaust", "history-merge", "--nodes", "-1"], "-1 is not in the range 1<=x<=10"),
        (
            ["exhaust", "history-merge", "--remote", "host:15002"],
            "like sc://host:15002, not 'host:15002'",
        ),
        (
            ["exhaust", "history-merge", "--master", "local", "--remote", "sc://h"],
            "give --master or --remote, not both",
        ),
        (["exhaust", "history-merge", "--conf", "x"], "'x' does not have the form NAME=VALUE"),
    ],
)
def test_wrong_usage(arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    message = capsys.readouterr().err
    assert line in message
    assert message.startswith("rejoin: ")
    assert message.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("{", "at character 1"),
        ("[]", 'is not of type "object"'),
        ('{"schema":1}', "is a required property"),
        (
            '{"schema":1,"system":"odd","topic":"t","notes":"","vectors":[]}',
            "there is no system 'odd'",
        ),
    ],
)
def test_a_broken_vector_file_is_named(
    content: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "config-merge"
    folder.mkdir()
    (folder / "broken.json").write_text(content)
    assert run(["verify", "config-merge", "--corpus", str(tmp_path)]) == 2
    message = capsys.readouterr().err
    assert "broken.json" in message
    assert reason in message


def test_a_vector_that_the_reference_contradicts_fails_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "config-merge"
    folder.mkdir()
    vector = {
        "id": "config-merge/wrong/seven-is-eight",
        "operation": "config-merge/decode",
        "clauses": ["CM-BT-INT"],
        "level": "must",
        "summary": "A false expectation",
        "input": {"encoded": b"i7e".hex()},
        "expected": {"output": {"value": {"int": "8"}}},
    }
    content = {
        "schema": 1,
        "system": "config-merge",
        "topic": "wrong",
        "notes": "",
        "vectors": [vector],
    }
    (folder / "wrong.json").write_text(json.dumps(content))
    assert run(["verify", "config-merge", "--corpus", str(tmp_path)]) == 1
    assert "config-merge/wrong/seven-is-eight" in capsys.readouterr().out


def test_without_arguments_the_manual_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 2
    assert "Check an implementation:" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    [
        [],
        ["verify"],
        ["vectors"],
        ["vectors", "list"],
        ["vectors", "show"],
        ["vectors", "add"],
        ["vectors", "generate"],
        ["vectors", "check"],
        ["vectors", "export"],
        ["fuzz"],
        ["replay"],
        ["exhaust"],
        ["exhaust", "history-merge"],
        ["trace"],
        ["serve"],
    ],
)
def test_every_command_has_a_manual(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*command, "--help"]) == 0
    assert capsys.readouterr().out.startswith("Usage: rejoin")


@pytest.mark.parametrize(
    ("system", "vectors"),
    [
        ("config-merge", "*/update/*"),
        ("conflict-detection", "*/follows/*"),
        ("history-merge", "*/octopus/*"),
    ],
)
def test_vectors_of_every_system_are_verified(
    system: str, vectors: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One topic of each: `make corpus` verifies the whole corpus."""
    assert run(["verify", system, "--id", vectors, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["mismatches"] == []
    assert answer["vectors"] >= 9


def test_the_export_is_one_line_a_vector(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["vectors", "export", "config-merge"]) == 0
    lines = capsys.readouterr().out.splitlines()
    ids = [json.loads(line)["id"] for line in lines]
    assert len(ids) == len(set(ids)) >= 300


def test_a_vector_is_shown_as_it_stands_in_the_corpus(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["vectors", "list", "config-merge", "--operation", "config-merge/resolve"]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert run(["vectors", "show", first, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["id"] == first


@pytest.mark.parametrize("system", system_names())
def test_a_history_is_printed_as_text_and_as_data(
    system: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["replay", system, "--seed", "3", "--index", "5"]) == 0
    assert len(capsys.readouterr().out.splitlines()) > 10
    assert run(["replay", system, "--seed", "3", "--index", "5", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["system"], told["seed"], told["index"]) == (system, 3, 5)


def test_help_lists_every_command_in_one_section() -> None:
    listed = [command.name for _, commands in SECTIONS for command in commands]
    assert sorted(listed) == cli.list_commands(click.Context(cli))
    assert len(listed) == len(set(listed))
