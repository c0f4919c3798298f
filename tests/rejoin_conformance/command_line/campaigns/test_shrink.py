"""`rejoin shrink`: from a campaign's directory to a corpus of its findings."""

from __future__ import annotations

import io
import json
import shutil
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from rejoin_conformance.campaigns.kept.campaign import header_of
from rejoin_conformance.campaigns.kept.folder import locked
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.command_line.main import run
from support.kept_campaigns import finished, keep

shrink_command = import_module("rejoin_conformance.command_line.campaigns.shrink")

_PLAN = Plan(system="history-merge", profile="tiny", readings=("document",), seed=1, histories=750)


def _kept(folder: Path, plan: Plan = _PLAN) -> Path:
    """A directory that keeps all blocks of a campaign."""
    return keep(folder, plan, *finished(plan, range(plan.blocks)))


@pytest.fixture(scope="module")
def shrunk(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    """The report of a command with `--json`, and the folder that it wrote; no test changes it."""
    folder = tmp_path_factory.mktemp("shrunk")
    directory, out = _kept(folder / "campaign"), folder / "found"
    with redirect_stdout(io.StringIO()) as told:
        assert run(["shrink", str(directory), "--out", str(out), "--in-process", "--json"]) == 0
    return json.loads(told.getvalue()), out


def _begun(folder: Path, **other: Any) -> None:
    """Begin another campaign in a folder, and keep no block of it."""
    with locked(folder) as store:
        store.begin(header_of(evolve(_PLAN, **other)))


def test_findings_are_written_as_a_corpus_that_verifies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    directory, out = _kept(tmp_path / "campaign"), tmp_path / "found"
    assert run(["shrink", str(directory), "--out", str(out), "--in-process"]) == 0
    told = capsys.readouterr().out
    assert "order-independence-always" in told
    assert str(out / "history-merge" / "found.json") in told
    assert run(["vectors", "check", "history-merge", "--corpus", str(out)]) == 0
    assert run(["verify", "history-merge", "--corpus", str(out)]) == 0


def test_json_names_each_finding_with_its_lineage_and_vectors(
    shrunk: tuple[dict[str, Any], Path],
) -> None:
    report, _ = shrunk
    assert report["not_shown_again"] == []
    assert report["findings"]
    for finding in report["findings"]:
        assert finding["minimal"] is True
        assert finding["lineage"]["profile"] == "tiny"
        assert finding["lineage"]["history"] == finding["name"]
        assert finding["vectors"] == [f"history-merge/found/{finding['name']}"]


@pytest.mark.parametrize(
    ("prepare", "said"),
    [
        (lambda _: None, "has no campaign; start one"),
        (lambda folder: (folder / "manifest.json").write_text("{}"), "another version"),
        (lambda folder: (folder / "manifest.json").write_text("["), "is corrupt"),
        (lambda folder: _begun(folder, adapter="true"), "a campaign against an adapter"),
        (lambda folder: _begun(folder, rule="READING = 'document'"), "a campaign with a rule file"),
        (lambda folder: _begun(folder, profile="odd"), "has no profile 'odd'"),
        (lambda folder: _begun(folder, readings=("odd",)), "has no reading 'odd'"),
    ],
)
def test_a_directory_without_such_a_campaign_is_one_clear_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], prepare: object, said: str
) -> None:
    folder = tmp_path / "campaign"
    folder.mkdir()
    assert callable(prepare)
    prepare(folder)
    assert run(["shrink", str(folder), "--out", str(tmp_path / "out"), "--in-process"]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_written_is_one_clear_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    directory = _kept(tmp_path / "campaign")
    (tmp_path / "out").write_text("a file")
    assert run(["shrink", str(directory), "--out", str(tmp_path / "out"), "--in-process"]) == 2
    assert "out" in capsys.readouterr().err
    below = tmp_path / "out" / "below"
    assert run(["shrink", str(directory), "--out", str(below), "--in-process"]) == 2
    assert (
        capsys.readouterr().err == f"rejoin: {below}: cannot create this folder: Not a directory\n"
    )


def test_nothing_found_needs_no_spark(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shrink_command, "spark_session", None)
    _begun(tmp_path / "campaign")
    assert run(["shrink", str(tmp_path / "campaign"), "--out", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().out == "no failures in 0 histories\n"


def test_the_written_file_is_replayed_with_its_histories(
    shrunk: tuple[dict[str, Any], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    report, out = shrunk
    (first, *others) = report["findings"]
    file = out / "history-merge" / "found.json"
    assert run(["replay", str(file)]) == 0
    told = capsys.readouterr().out
    assert f"{first['name']} [document]" in told
    assert f"{first['lineage']['law']} BROKEN" in told
    assert f"--seed 1 --index {first['lineage']['index']} --profile tiny" in told
    assert run(["replay", str(file), "--json"]) == 0
    replayed = json.loads(capsys.readouterr().out)
    assert [each["name"] for each in replayed["histories"]] == [
        each["name"] for each in (first, *others)
    ]


def test_a_kept_history_that_is_none_is_one_clear_line(
    shrunk: tuple[dict[str, Any], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(shrunk[1], tmp_path / "found")
    file = tmp_path / "found" / "history-merge" / "found.json"
    content = json.loads(file.read_text())
    content["histories"][0]["history"]["events"][0] = {"hear": "A"}
    file.write_text(json.dumps(content))
    capsys.readouterr()
    assert run(["replay", str(file)]) == 2
    error = capsys.readouterr().err
    assert "is not a history of history-merge" in error
    assert error.count("\n") == 1
