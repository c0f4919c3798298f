"""Answers about mutants outlast an interrupted run, as long as nothing has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from kept_answers import KeptAnswers, digest_of


@pytest.fixture
def kept(tmp_path: Path) -> KeptAnswers:
    answers = KeptAnswers(tmp_path / "answers.ndjson", "first")
    assert answers.load() == []
    answers.add({"mutant": 1})
    return answers


def test_the_next_run_finds_the_answers(kept: KeptAnswers) -> None:
    assert kept.load() == [{"mutant": 1}]


def test_a_line_that_was_interrupted_is_dropped(kept: KeptAnswers) -> None:
    with kept.path.open("a") as file:
        file.write('{"mutant":')
    assert kept.load() == [{"mutant": 1}]
    kept.add({"mutant": 2})
    assert kept.load() == [{"mutant": 1}, {"mutant": 2}]


def test_answers_under_another_digest_are_not_valid(kept: KeptAnswers) -> None:
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
