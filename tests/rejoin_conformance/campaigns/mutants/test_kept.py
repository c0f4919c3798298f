"""Results of mutants are kept, and used again only for the same code and vectors."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from rejoin_conformance.campaigns.mutants import asking
from rejoin_conformance.campaigns.mutants.changed import changed_lines, mutants_of_changes
from rejoin_conformance.campaigns.mutants.mutant import mutants_in
from rejoin_conformance.campaigns.mutants.source import source_path
from rejoin_conformance.command_line.main import run as rejoin
from support.kept_tables import connected
from support.small_mutants import SYSTEM


def _mutants(folder: Path, capsys: pytest.CaptureFixture[str], *more: str) -> Any:
    """Return what the command prints of a sample of the mutants, or its error."""
    module = ["--module", "rejoin.history_merge.three_way_merge", "--every", "40"]
    given = ["mutants", SYSTEM, *module, "--in-process", "--directory", str(folder), "--json"]
    code, said = rejoin([*given, "--histories", "2", *more]), capsys.readouterr()
    return json.loads(said.out) if code < 2 else said.err


def test_kept_results_are_read_again_and_not_run_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = _mutants(tmp_path, capsys)
    with connected(tmp_path / SYSTEM) as database:
        kept = database.sql("SELECT mutant, killer, tried FROM fates").fetchall()
    assert sorted(kept) == sorted(
        (each["name"], next(iter(each["killers"]), None), each["tried"])
        for each in first["mutants"]
    )
    monkeypatch.setattr(asking, "in_a_fork", None)  # no mutant is asked again
    assert _mutants(tmp_path, capsys) == first
    assert "matrix false there, true here" in _mutants(tmp_path, capsys, "--matrix")


def test_a_changed_line_brings_all_mutants_of_its_function() -> None:
    path = source_path("rejoin.history_merge.lcau").resolve()
    every = mutants_in("rejoin.history_merge.lcau")
    line = next(each.line for each in every if each.function == "lca_u")
    chosen = mutants_of_changes(every, {path: {line}})
    assert chosen == tuple(each for each in every if each.function == "lca_u")
    assert mutants_of_changes(every, {path: {1}}) == ()


def test_without_git_nothing_is_known_to_have_changed(tmp_path: Path) -> None:
    assert changed_lines(tmp_path) is None


def test_the_changes_are_found_from_any_folder_of_the_checkout(tmp_path: Path) -> None:
    module, folder = tmp_path / "reference" / "rejoin" / "merge.py", tmp_path / "mutants"
    module.parent.mkdir(parents=True)
    folder.mkdir()
    _git(tmp_path, "init", "-q", "-b", "main")
    module.write_text("one = 1\ntwo = 2\n", encoding="utf-8")
    _git(tmp_path, "add", ".")
    _git(tmp_path, "commit", "-q", "-m", "first")
    module.write_text("one = 1\ntwo = 3\n", encoding="utf-8")
    assert changed_lines(tmp_path) == changed_lines(folder) == {module.resolve(): {2}}


def _git(folder: Path, *arguments: str) -> None:
    author = ("-c", "user.name=A", "-c", "user.email=a@localhost")
    subprocess.run(["git", "-C", str(folder), *author, *arguments], check=True)
