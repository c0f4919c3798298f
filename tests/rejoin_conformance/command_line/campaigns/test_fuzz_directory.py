"""`rejoin fuzz --directory`: a fault of the place is one line, printed before Spark starts."""

from __future__ import annotations

import errno
import os
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import pytest

from rejoin_conformance.campaigns.kept.campaign import directory_of, header_of
from rejoin_conformance.campaigns.kept.folder import locked
from rejoin_conformance.campaigns.plan import MOST_HISTORIES, Plan
from rejoin_conformance.command_line.main import run

fuzz_command = import_module("rejoin_conformance.command_line.campaigns.fuzz")

PLAN = Plan(system="history-merge", profile="tiny", readings=("document",), seed=1, histories=100)
COMMAND = ["fuzz", "history-merge", "--profile", "tiny", "--histories", "100", "--directory"]


@pytest.fixture(autouse=True)
def no_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(_cluster: object) -> NoReturn:
        raise AssertionError("Spark was started")

    monkeypatch.setattr(fuzz_command, "spark_session", start)


def refused(capsys: pytest.CaptureFixture[str], code: int, *arguments: str) -> str:
    """Return the one line on standard error; standard output is empty."""
    assert run([*COMMAND, *arguments]) == code
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("rejoin: ")
    assert output.err.count("\n") == 1
    return output.err


def test_a_file_in_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "campaign"
    place.write_text("mine")
    assert f"{place} cannot be used as a campaign's folder: it is a file" in refused(
        capsys, 2, str(place)
    )


def test_a_folder_that_cannot_be_written_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(_path: Path, *_arguments: object, **_options: object) -> NoReturn:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Path, "open", denied)
    assert f"{tmp_path} cannot be used as a campaign's folder: Permission denied" in refused(
        capsys, 2, str(tmp_path)
    )


def test_a_full_disk(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_handle: int) -> NoReturn:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    said = refused(capsys, 3, str(tmp_path))
    assert f"{tmp_path} cannot be written to: No space left on device" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lock"]


def test_another_campaign(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with directory_of(PLAN, str(tmp_path)):
        pass
    said = refused(capsys, 2, str(tmp_path), "--seed", "7")
    assert f"{tmp_path} has other results (seed 1 there, 7 here)" in said


def test_a_campaign_under_way(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with locked(tmp_path) as store:
        store.begin(header_of(PLAN))
        said = refused(capsys, 3, str(tmp_path))
    assert said.startswith(f"rejoin: another process runs the campaign in {tmp_path}; wait")


def test_a_broken_manifest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with directory_of(PLAN, str(tmp_path)):
        pass
    manifest = tmp_path / "manifest.json"
    manifest.write_bytes(manifest.read_bytes()[:40])
    assert f"{manifest} is corrupt" in refused(capsys, 2, str(tmp_path))


@pytest.mark.parametrize("histories", [0, MOST_HISTORIES + 1])
def test_too_few_and_too_many_histories(
    histories: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused(capsys, 2, str(tmp_path), "--histories", str(histories))
    assert f"{histories} is not in the range" in said
    assert list(tmp_path.iterdir()) == []


def test_one_directory_keeps_one_campaign(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused(capsys, 2, str(tmp_path), "--", "config-merge")
    assert "--directory holds one campaign; name one SYSTEM" in said
