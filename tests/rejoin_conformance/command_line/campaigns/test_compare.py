"""`rejoin compare` reports the effects of a changed rule; wrong usage is one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rejoin_conformance.command_line.main import run

RULE = """
from attrs import evolve
from rejoin.history_merge import DOCUMENT

READING = evolve(DOCUMENT, anti_chain_check="reduce")
"""
FEW = ["--histories", "5", "--profile", "tiny", "--in-process"]


@pytest.fixture
def rule(tmp_path: Path) -> str:
    path = tmp_path / "rule.py"
    path.write_text(RULE)
    return str(path)


def test_a_rule_file_is_compared_with_the_default_reading(
    rule: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["compare", "history-merge", "--b", rule, *FEW]) == 0
    text = capsys.readouterr().out
    assert "a = document, b = rule.py" in text
    assert "anti_chain_check  reject -> reduce" in text
    assert "first difference: decided" in text
    assert "its events under a:" in text


def test_stories_can_be_left_out(rule: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", "history-merge", "--b", rule, *FEW, "--no-stories"]) == 0
    assert "its events under a:" not in capsys.readouterr().out


def test_json_is_one_line_and_holds_the_rule(rule: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", "history-merge", "--b", rule, *FEW, "--no-stories", "--json"]) == 0
    text = capsys.readouterr().out
    assert text.count("\n") == 1
    report = json.loads(text)
    assert report["comparison"]["b"] == {"rule": RULE}
    assert report["points"][0]["point"] == "anti_chain_check"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["history-merge"], "Missing option '--b'"),
        (["history-merge", "--b", "odd"], "there is no reading 'odd'"),
        (["history-merge", "--b", "document"], "are the same reading"),
        (["history-merge", "--b", "document+odd=1"], "there is no choice point 'odd'"),
        (["history-merge", "--b", "no/such/rule.py"], "no/such/rule.py: No such file"),
        (["history-merge", "--b", "literal"], "there is no reading 'literal'"),
        (["history-merge", "--b", "document", "--a", "odd"], "there is no reading 'odd'"),
        (["odd", "--b", "document"], "there is no system 'odd'"),
        (
            ["config-merge", "--b", "libsession", "--profile", "odd", "--in-process"],
            "no profile 'odd'",
        ),
        (["config-merge", "--b", "libsession", "--histories", "0"], "0 is not in the range"),
    ],
)
def test_wrong_usage(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", *arguments]) == 2
    message = capsys.readouterr().err
    assert said in message
    assert message.count("\n") == 1


@pytest.mark.parametrize("source", ["def (", "x = 1", "1 / 0", "OVERRIDES = {'rejoin.odd': len}"])
def test_a_broken_rule_is_wrong_usage(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "broken.py"
    path.write_text(source)
    assert run(["compare", "config-merge", "--b", str(path)]) == 2
    message = capsys.readouterr().err
    assert message.startswith("rejoin: broken.py:")
    assert message.count("\n") == 1


def test_verify_says_which_vectors_move(rule: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", "history-merge", "--reading", rule, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    moved = {each["id"] for each in found["moved"]}
    assert "history-merge/sessions/redundant-parents" in moved
    assert not any("/three-way-merge/" in each for each in moved)
    assert found["clauses"]["HM-MERGE-CHECK"]["moved"] == sum(
        "HM-MERGE-CHECK" in each["clauses"] for each in found["moved"]
    )


def test_verify_explains_how_a_vector_moves(rule: str, capsys: pytest.CaptureFixture[str]) -> None:
    name = "history-merge/sessions/redundant-parents"
    assert run(["verify", "history-merge", "--id", name, "--reading", rule]) == 1
    text = capsys.readouterr().out
    assert f"CHANGED {name}  [HM-ACCEPT-ANTI-CHAIN" in text
    assert "        expected  refused\n        observed  accepted\n" in text
    assert "1 of 1 vectors change from document to rule.py" in text


def test_no_vector_moves_under_the_reading_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", "conflict-detection", "--reading", "literal", "--base", "literal"]) == 0
    assert "0 of " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--reading", "document"], "name one SYSTEM"),
        (["history-merge", "--base", "document"], "--base needs --reading"),
        (["history-merge", "--reading", "odd"], "there is no reading 'odd'"),
        (["history-merge", "--reading", "odd.py"], "odd.py: No such file"),
        (
            ["history-merge", "--reading", "document", "--base", "document+fold_order=descending"],
            "--base: the corpus has no results for document+fold_order=descending",
        ),
    ],
)
def test_wrong_usage_of_verify(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["verify", *arguments]) == 2
    message = capsys.readouterr().err
    assert said in message
    assert message.count("\n") == 1
