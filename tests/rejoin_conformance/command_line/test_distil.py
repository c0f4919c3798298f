"""`rejoin distil`: from many histories, or a campaign's directory, to a file of few."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rejoin_conformance.campaign.local_store import locked
from rejoin_conformance.campaign.manifest import manifest_of
from rejoin_conformance.campaign.plan import Plan
from rejoin_conformance.command_line.main import run
from rejoin_conformance.corpus.load import load_histories

_FEW = ("--histories", "12", "--tries", "40", "--in-process")


def test_the_file_holds_histories_with_what_each_is_kept_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "few.json"
    assert run(["distil", "history-merge", "--profile", "tiny", *_FEW, "--out", str(file)]) == 0
    told = capsys.readouterr().out
    system, kept = load_histories(file)
    assert system == "history-merge"
    keys = sum(len(each.reaches) for each in kept)
    assert f"12 histories reach {keys} things; {len(kept)} of them" in told
    assert all(f"{each.name}: " in told for each in kept)
    assert run(["replay", str(file)]) == 0
    assert f"{kept[0].name} [document]" in capsys.readouterr().out


def test_a_campaign_s_directory_says_which_histories_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = Plan(
        system="history-merge", profile="tiny", readings=("document",), seed=5, histories=12
    )
    with locked(tmp_path / "campaign") as store:
        store.begin(manifest_of(plan))
    of_directory, of_options = tmp_path / "a.json", tmp_path / "b.json"
    few = ("--tries", "40", "--in-process")
    directory = str(tmp_path / "campaign")
    assert run(["distil", directory, *few, "--out", str(of_directory)]) == 0
    options = ["--profile", "tiny", "--seed", "5", "--histories", "12", *few]
    assert run(["distil", "history-merge", *options, "--out", str(of_options)]) == 0
    assert of_directory.read_bytes() == of_options.read_bytes()


def test_json_lists_what_was_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "few.json"
    assert run(["distil", "history-merge", *_FEW, "--out", str(file), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["file"] == str(file)
    assert report["histories"] == json.loads(file.read_text())["histories"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["history-merge", "--profile", "none"], "has no profile 'none'"),
        (["history-merge", "--reading", "none"], "none"),
        (["nowhere"], "holds no campaign"),
        (["nowhere", "--seed", "3"], "says itself which histories"),
        (["history-merge", "--histories", "0"], "0"),
    ],
)
def test_wrong_usage_is_one_clear_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["distil", *arguments, "--in-process"]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written_is_one_clear_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "missing" / "few.json"
    assert run(["distil", "history-merge", *_FEW, "--out", str(file)]) == 2
    assert f"{file.parent}: there is no such folder" in capsys.readouterr().err
