"""The check of the proofs accepts nothing but complete proofs. These tests do not need Coq."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from proofs import check
from proofs.check import Folder, ProofError, assumed, folders, theorems, without_comments

FOLDERS = list(folders())
FILES = [folder.path / name for folder in FOLDERS for name in folder.files]


ASSUMPTIONS = (
    "Proof. Admitted.",
    "Proof. admit. Defined.",
    "Axiom choice : True.",
    "Axioms a b : nat.",
    "Parameter n : nat.",
    "Conjecture c : False.",
    "Unset Guard Checking.",
)


def test_no_proof_is_open_no_axiom_is_assumed_and_no_file_is_long() -> None:
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        assert assumed(text) is None, path
        assert len(text.splitlines()) <= 310, path
    for line in ASSUMPTIONS:
        assert assumed(f"Lemma a : True.\n{line}") is not None, line


def test_a_word_in_a_comment_is_not_an_assumption() -> None:
    text = "(* no Axiom (* or Parameter *) is Admitted *) Lemma a : True."
    assert assumed(text) is None
    assert without_comments(text) == " Lemma a : True."


def test_theorems_are_found_by_name() -> None:
    text = (
        "Theorem a : True.\nLemma b' : True.\nExample c : 1 = 1. Proof. auto. Qed.\n(* Lemma d *)"
    )
    assert theorems(text) == ("a", "b'", "c")


def test_the_project_file_lists_every_file(tmp_path: Path) -> None:
    folder = tmp_path / "toy" / "proof"
    folder.mkdir(parents=True)
    (folder / "_CoqProject").write_text("-Q . Toy\nA.v\n", encoding="utf-8")
    with pytest.raises(ProofError, match=r"lists other files than the folder has: A\.v"):
        list(folders(tmp_path))
    (folder / "A.v").touch()
    assert list(folders(tmp_path)) == [Folder(folder, "Toy", ("A.v",))]


def test_an_axiom_that_coq_reports_fails_the_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "A.v").write_text("Lemma a : True.", encoding="utf-8")
    build = tmp_path / "build"
    build.mkdir()
    answers = iter(["", "Axioms:\nfunctional_extensionality"])
    monkeypatch.setattr(check, "compiled", lambda *_: next(answers))
    with pytest.raises(ProofError, match="depends on an axiom"):
        check.check(Folder(tmp_path, "Toy", ("A.v",)), "coqc", build)


def test_without_coq_the_check_says_what_it_leaves_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert check.main([]) == check.NO_COQ
    assert "not checked: " in (message := capsys.readouterr().err)
    assert "apt-get install coq" in message


def test_the_theorems_can_be_listed_without_coq(capsys: pytest.CaptureFixture[str]) -> None:
    assert check.main(["--list"]) == 0
    assert "history-merge Lcau.v anc_lcaU\n" in capsys.readouterr().out


def test_the_page_on_proofs_names_theorems_that_exist() -> None:
    page = (check.SPEC.parent / "docs" / "proofs.md").read_text(encoding="utf-8")
    known = {
        f"{path.stem}.{name}"
        for path in FILES
        for name in theorems(path.read_text(encoding="utf-8"))
    }
    named = set(re.findall(r"`([A-Z]\w+\.[a-zA-Z_']{2,})`", page))
    assert named
    assert named <= known
