"""Results of mutants are kept, and used again only for the same code and vectors."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from rejoin_conformance.campaigns.kept.store import StoreError
from rejoin_conformance.campaigns.mutants.changed import changed_lines, mutants_of_changes
from rejoin_conformance.campaigns.mutants.corpus import corpus_of
from rejoin_conformance.campaigns.mutants.equivalent import Argued
from rejoin_conformance.campaigns.mutants.kept import kept_in
from rejoin_conformance.campaigns.mutants.mutant import mutants_in
from rejoin_conformance.campaigns.mutants.pace import Pace
from rejoin_conformance.campaigns.mutants.run import run_mutants
from rejoin_conformance.campaigns.mutants.source import source_path
from support.small_mutants import SYSTEM, lowest, small_run
from support.spreads import HERE


def test_kept_results_are_read_again_and_not_run_again(tmp_path: Path) -> None:
    first, half = small_run(lowest(), Argued()), len(lowest()) // 2
    for some in (slice(None, half), slice(half, None)):
        with kept_in(tmp_path, SYSTEM, corpus_of(SYSTEM), matrix=False) as kept:
            kept.add(first.mutants[some], first.examined[some])
    with kept_in(tmp_path, SYSTEM, corpus_of(SYSTEM), matrix=False) as again:
        assert run_mutants(SYSTEM, lowest(), HERE, kept=again).examined == first.examined
    path = max((tmp_path / SYSTEM / "fates").iterdir())
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(StoreError, match=r"fates.* cannot be read .*; delete") as refused:
        kept_in(tmp_path, SYSTEM, corpus_of(SYSTEM), matrix=False).__enter__()
    assert "\n" not in str(refused.value)


def test_results_without_the_matrix_have_no_matrix(tmp_path: Path) -> None:
    with kept_in(tmp_path, SYSTEM, corpus_of(SYSTEM), matrix=False):
        pass
    with pytest.raises(StoreError, match="matrix false there, true here"):
        kept_in(tmp_path, SYSTEM, corpus_of(SYSTEM), matrix=True).__enter__()


def test_the_rate_gives_the_time_left() -> None:
    pace = Pace(1200, "mutants", iter([5.0, 6.0, 15.0]).__next__)
    assert pace.text(0) == "mutants, 0 of 1,200 done"
    said = "mutants, 100 of 1,200 done, 10.0 a second, 1:50 minutes left"
    assert pace.text(100) == said


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
