"""Each command that reads a campaign's directory reports a fault of it in one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from attrs import evolve

from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Plan
from rejoin_conformance.command_line.main import run
from rejoin_conformance.kit.json_types import Json
from support.kept_blocks import result
from support.kept_campaigns import keep

PLAN = Plan(
    system="history-merge",
    profile="tiny",
    readings=("document",),
    seed=1,
    histories=2 * BLOCK_SIZE,
)
READERS = {
    "status": ["campaign", "status"],
    "report": ["campaign", "report", "--html", "-", "--profile-histories", "0"],
    "shrink": ["shrink", "--in-process"],
}

Spoil: TypeAlias = Callable[[Path], object]


def _begun(folder: Path, plan: Plan = PLAN) -> Path:
    """A directory that keeps the first block of a campaign, in which nothing broke."""
    return keep(folder, plan, result(0, 0, plan=plan, cases={"clause:HM-MERGE-STEP": 3}))


def _plan(**fields: Json) -> Spoil:
    """Change the plan in a manifest."""

    def spoil(folder: Path) -> None:
        path = folder / "manifest.json"
        header = json.loads(path.read_text())
        path.write_text(json.dumps({**header, "plan": {**header["plan"], **fields}}))

    return spoil


def _cut(pattern: str) -> Spoil:
    def spoil(folder: Path) -> None:
        (path,) = folder.glob(pattern)
        path.write_bytes(path.read_bytes()[:60])

    return spoil


def _twice(folder: Path) -> None:
    (path,) = (folder / "blocks").iterdir()
    (folder / "blocks" / "0000000001-0000000001.parquet").write_bytes(path.read_bytes())


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_cut("manifest.json"), "manifest.json is corrupt: "),
        (_plan(block_size=1), " another version of the suite wrote it"),
        (_plan(seed="x"), 'cannot be read: $.seed: expected an integer, found "x"'),
        (_cut("blocks/*.parquet"), ".parquet cannot be read ("),
        (_twice, " is corrupt: block 0 occurs twice"),
        (_plan(histories=1), "(row 0 is corrupt or belongs to other work); delete the file"),
    ],
)
def test_a_corrupt_directory_is_one_line(
    reader: str,
    spoil: Spoil,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = _begun(tmp_path / "campaign")
    spoil(folder)
    monkeypatch.chdir(tmp_path)
    assert run([*READERS[reader], str(folder)]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert said in output.err
    assert output.err.startswith("rejoin: ")
    assert output.err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["campaign"]


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (evolve(PLAN, adapter="./port"), "holds a campaign against an adapter"),
        (evolve(PLAN, rule="READING = 'document'"), "holds a campaign with a rule file"),
    ],
)
def test_a_campaign_of_another_kind_is_shown_and_not_shrunk(
    plan: Plan,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = str(_begun(tmp_path / "campaign", plan))
    monkeypatch.chdir(tmp_path)
    for reader in ("status", "report"):
        assert run([*READERS[reader], folder]) == 0
        assert "History merge" in capsys.readouterr().out
    for reader in ("shrink",):
        assert run([*READERS[reader], folder]) == 2
        error = capsys.readouterr().err
        assert said in error
        assert error.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["campaign"]
