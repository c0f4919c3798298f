"""`rejoin distil`: from many histories, or a campaign's directory, to a file of few."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from attrs import evolve

from rejoin_conformance.campaigns.distilling.coverage_keys import keys_of
from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Plan
from rejoin_conformance.command_line.main import run
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.corpus.load import load_histories
from support.kept_campaigns import finished, keep

_FEW = ("--histories", "12", "--tries", "40", "--in-process")


def test_the_file_holds_histories_with_what_each_is_kept_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "few.json"
    assert (
        run(
            [
                "distil",
                "--by",
                "coverage",
                "history-merge",
                "--profile",
                "tiny",
                *_FEW,
                "--out",
                str(file),
            ]
        )
        == 0
    )
    told = capsys.readouterr().out
    system, kept = load_histories(file)
    assert system == "history-merge"
    keys = sum(len(each.reaches) for each in kept)
    assert (
        f"12 histories cover {keys} keys\nthese {len(kept)} histories cover the same keys" in told
    )
    assert all(f"{each.name}: " in told for each in kept)
    assert run(["replay", str(file)]) == 0
    assert f"{kept[0].name} [document]" in capsys.readouterr().out


PLAN = Plan(
    system="history-merge", profile="tiny", readings=("document",), seed=5, histories=3 * BLOCK_SIZE
)


def _campaign(folder: Path, plan: Plan, blocks: int) -> str:
    """A directory in which the first blocks of a campaign are finished."""
    return str(keep(folder, plan, *finished(plan, range(blocks))))


def test_a_campaign_s_directory_says_which_histories_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    directory = _campaign(tmp_path / "campaign", PLAN, 3)
    of_directory, of_options = tmp_path / "a.json", tmp_path / "b.json"
    few = ("--tries", "40", "--in-process")
    assert run(["distil", "--by", "coverage", directory, *few, "--out", str(of_directory)]) == 0
    options = ["--profile", "tiny", "--seed", "5", "--histories", str(PLAN.histories), *few]
    assert (
        run(["distil", "--by", "coverage", "history-merge", *options, "--out", str(of_options)])
        == 0
    )
    assert of_directory.read_bytes() == of_options.read_bytes()


def test_what_a_file_reaches_already_needs_no_history(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = tmp_path / "before.json", tmp_path / "after.json"
    first = ["--histories", "2", "--profile", "tiny", "--tries", "40", "--in-process"]
    assert run(["distil", "--by", "coverage", "history-merge", *first, "--out", str(before)]) == 0
    directory = _campaign(tmp_path / "campaign", evolve(PLAN, seed=1), 1)
    again = ["--beyond", str(before), "--tries", "40", "--in-process", "--out", str(after)]
    capsys.readouterr()
    assert run(["distil", "--by", "coverage", directory, *again]) == 0
    _, old = load_histories(before)
    _, all_of_them = load_histories(after)
    new = all_of_them[len(old) :]
    assert all_of_them[: len(old)] == old
    assert f"that {before} does not\nthese {len(new)} histor" in capsys.readouterr().out
    system = system_named("history-merge")
    reached = [
        keys_of(system, system.histories.from_json(each.history), ("document",)) for each in old
    ]
    assert {key for each in new for key in each.reaches}.isdisjoint(frozenset().union(*reached))


def test_json_lists_what_was_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "few.json"
    assert (
        run(["distil", "--by", "coverage", "history-merge", *_FEW, "--out", str(file), "--json"])
        == 0
    )
    report = json.loads(capsys.readouterr().out)
    assert report["file"] == str(file)
    assert report["histories"] == json.loads(file.read_text())["histories"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["history-merge", "--profile", "none"], "has no profile 'none'"),
        (["history-merge", "--reading", "none"], "none"),
        (["nowhere"], "nowhere is neither a system nor a directory; the systems are config-merge"),
        (["."], "has no campaign"),
        (["history-merge", "--beyond", "nowhere.json"], "nowhere.json"),
        (["nowhere", "--seed", "3"], "which fixes the histories"),
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
    assert run(["distil", "--by", "coverage", *arguments, "--in-process"]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["campaigns/cd"], "To choose among other histories, add --by coverage"),
        (["history-merge", "--histories", "5"], "add --by coverage"),
        (["history-merge", "--by", "coverage", "--retire"], "--retire need --by mutants"),
        (["history-merge", "--kills", "nowhere.json"], "nowhere.json: not a JSON object of mutant"),
    ],
)
def test_mutants_choose_among_the_vectors_of_a_system(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert run(["distil", *arguments, "--in-process"]) == 2
    assert said in capsys.readouterr().err


def test_a_campaign_without_a_finished_block_is_one_clear_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    directory = _campaign(tmp_path / "campaign", PLAN, 0)
    assert run(["distil", "--by", "coverage", directory, "--in-process"]) == 2
    assert capsys.readouterr().err == (
        f"rejoin: {directory}: no block of the campaign is finished yet\n"
    )


def test_histories_of_another_system_are_one_clear_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "few.json"
    assert run(["distil", "--by", "coverage", "history-merge", *_FEW, "--out", str(file)]) == 0
    capsys.readouterr()
    assert (
        run(["distil", "--by", "coverage", "conflict-detection", *_FEW, "--beyond", str(file)]) == 2
    )
    assert capsys.readouterr().err == (
        f"rejoin: {file} holds histories of history-merge, not of conflict-detection\n"
    )


def test_a_file_that_cannot_be_written_is_one_clear_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "missing" / "few.json"
    assert run(["distil", "--by", "coverage", "history-merge", *_FEW, "--out", str(file)]) == 2
    assert f"{file.parent}: this folder does not exist; create it first" in capsys.readouterr().err
