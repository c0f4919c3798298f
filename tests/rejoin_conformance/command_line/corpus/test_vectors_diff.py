"""`rejoin vectors diff` lists the changes by what they mean for an implementation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rejoin_conformance.command_line.main import run
from support.corpora import corpus_in, vector

OLD = [vector("kept"), vector("moved"), vector("tagged"), vector("worded"), vector("gone")]
NEW = [
    vector("kept"),
    vector("moved", expected={"output": {"half": 8}}),
    vector("tagged", clauses=["TOY-HALF", "TOY-ODD"]),
    vector("worded", summary="Fourteen."),
    vector("fresh"),
]
TEXT = """\
old  0.1.0  5 vectors
new  0.1.5  5 vectors

can turn a conformant implementation into one that is not
  changed result: 1
    toy/halves/moved [every reading]
  added: 1
    toy/halves/fresh  (toy/halve)

cannot
  retired: 1
    toy/halves/gone: two faults
  changed tags: 1
    toy/halves/tagged: clauses
  changed summary: 1
    toy/halves/worded

the new corpus needs version 0.2.0 or higher, but it has 0.1.5
"""


@pytest.fixture
def sides(tmp_path: Path) -> list[str]:
    old = corpus_in(tmp_path / "old", OLD, "0.1.0")
    new = corpus_in(tmp_path / "new", NEW, "0.1.5", {"toy/halves/gone": "two faults"})
    return [str(old), str(new)]


def test_the_changes_are_listed_the_worst_first(
    sides: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["vectors", "diff", *sides]) == 1
    assert capsys.readouterr().out == TEXT


def test_the_changes_are_data(sides: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["vectors", "diff", *sides, "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    breaking = [change["id"] for change in said["changes"] if change["can_break"]]
    assert breaking == ["toy/halves/moved", "toy/halves/fresh"]
    assert said["changes"][0]["readings"] == ["*"]
    assert (said["step"], said["required_version"]) == ("major", "0.2.0")
    assert (said["can_break"], said["has_required_version"]) == (True, False)


def test_without_a_change_that_breaks_the_exit_code_is_zero(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = corpus_in(tmp_path / "old", [vector()], "0.1.0")
    same = corpus_in(tmp_path / "same", [vector()], "0.1.0")
    worded = corpus_in(tmp_path / "worded", [vector(summary="Other.")], "0.1.1")
    assert run(["vectors", "diff", str(old), str(same)]) == 0
    assert capsys.readouterr().out.endswith("\nno vector changed\n")
    assert run(["vectors", "diff", str(old), str(worded)]) == 0
    assert "the new corpus needs version 0.1.1 or higher; it has 0.1.1" in capsys.readouterr().out


def test_a_lost_id_is_a_broken_promise(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = corpus_in(tmp_path / "old", [vector()])
    new = corpus_in(tmp_path / "new", [])
    assert run(["vectors", "diff", str(old), str(new)]) == 1
    said = capsys.readouterr().out
    assert "broken promises\n  toy/halves/one disappeared, and retired.json" in said
    assert said.endswith("so it promises nothing about the new one\n")


def test_a_corpus_that_cannot_be_read_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["vectors", "diff", str(tmp_path), str(tmp_path)]) == 2
    fault = "not a corpus: there is no index.json; unpack an archive first"
    assert capsys.readouterr().err == f"rejoin: {tmp_path}: {fault}\n"
