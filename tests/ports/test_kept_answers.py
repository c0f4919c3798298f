"""Answers about mutants outlast an interrupted run, as long as nothing has changed."""

from __future__ import annotations

from pathlib import Path

from kept_answers import KeptAnswers, digest_of


def test_answers_outlast_an_interruption_under_the_same_digest(tmp_path: Path) -> None:
    kept = KeptAnswers(tmp_path / "answers.ndjson", "first")
    assert kept.load() == []
    kept.add({"mutant": 1})
    with kept.path.open("a") as file:
        file.write('{"mutant":')
    assert kept.load() == [{"mutant": 1}]
    kept.add({"mutant": 2})
    assert kept.load() == [{"mutant": 1}, {"mutant": 2}]
    assert KeptAnswers(kept.path, "second").load() == []


def test_a_digest_covers_names_and_contents(tmp_path: Path) -> None:
    file = tmp_path / "a.rs"
    file.write_text("fn a() {}")
    digests = [digest_of([tmp_path]), digest_of([tmp_path], "more")]
    file.rename(tmp_path / "b.rs")
    digests.append(digest_of([tmp_path]))
    (tmp_path / "b.rs").write_text("fn b() {}")
    digests.append(digest_of([tmp_path]))
    assert len(set(digests)) == len(digests)
