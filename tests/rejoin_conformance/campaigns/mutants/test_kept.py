"""Results of mutants are kept, and used again only for the same code and vectors."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from attrs import evolve

from rejoin_conformance.campaigns.kept.store import MUTANTS
from rejoin_conformance.campaigns.mutants import asking, run
from rejoin_conformance.campaigns.mutants.asking import corpus_of
from rejoin_conformance.campaigns.mutants.changed import changed_lines, mutants_of_changes
from rejoin_conformance.campaigns.mutants.equivalent import Argued
from rejoin_conformance.campaigns.mutants.mutant import mutants_in
from rejoin_conformance.campaigns.mutants.source import source_path
from support.kept_tables import connected
from support.small_mutants import SYSTEM, lowest, small_questions, small_run
from support.spreads import HERE, keeping


def test_kept_results_are_read_again_and_not_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = evolve(corpus_of(SYSTEM), asked=(*small_questions(),))
    monkeypatch.setattr(run, "corpus_of", lambda _: few)
    monkeypatch.setattr(run, "same_corpus", lambda *_: few)
    for again in (False, True):
        if again:
            monkeypatch.setattr(asking, "in_a_fork", None)
        with keeping(HERE, tmp_path, MUTANTS, {"system": SYSTEM}) as place:
            found = run.run_mutants(SYSTEM, lowest(), place)
        assert found.examined == small_run(lowest(), Argued()).examined
    with connected(tmp_path) as database:
        rows = database.sql("SELECT mutant, fate, killer, tried FROM fates").fetchall()
    assert rows == [
        (mutant.name, each.fate, each.killer or None, each.tried)
        for mutant, each, _ in found.each()
    ]


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
