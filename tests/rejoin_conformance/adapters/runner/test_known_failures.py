"""A file of known failures is read strictly, for a typing error in it would hide a failure."""

from __future__ import annotations

from pathlib import Path

import pytest

from rejoin_conformance.adapters.runner.known_failures import (
    KnownFailure,
    KnownFailures,
    KnownFailuresError,
    load_known_failures,
    refuse_unknown,
)

ENTRY = '[[failure]]\nid = "toy/a/b"\nreason = "why"\nlink = "https://example.org/1"\n'


def _write(folder: Path, text: str) -> Path:
    path = folder / "known-failures.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_entries_are_found_by_vector_and_reading(tmp_path: Path) -> None:
    known = load_known_failures(
        _write(tmp_path, ENTRY + ENTRY.replace("a/b", "a/c") + 'reading = "strict"\n')
    )
    everywhere = KnownFailure(id="toy/a/b", reason="why", link="https://example.org/1")
    assert known.of("toy/a/b", "strict") == everywhere
    assert known.of("toy/a/b", "lenient") == everywhere
    assert known.of("toy/a/c", "strict") is not None
    assert known.of("toy/a/c", "lenient") is None
    assert known.of("toy/a/d", "strict") is None


def test_an_empty_file_knows_no_failure(tmp_path: Path) -> None:
    assert load_known_failures(_write(tmp_path, "")) == KnownFailures()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("not toml", "Expected"),
        ("failure = 7", r"\$\.failure: expected a list, found 7"),
        ("[[failures]]\n", r'\$: unknown field "failures"; the fields are failure'),
        ("failure = [7]", r"\$\.failure\[0\]: expected an object, found 7"),
        (ENTRY.replace("reason", "because"), r'\$\.failure\[0\]: unknown field "because"'),
        ('[[failure]]\nid = "toy/a/b"\n', r"\$\.failure\[0\]: the field link is missing"),
        (ENTRY.replace('"why"', "7"), r"\$\.failure\[0\]\.reason: expected a string, found 7"),
        (ENTRY.replace('"why"', "1979-05-27"), r"\.reason: expected a string, found a value of"),
        (ENTRY + ENTRY, "toy/a/b is listed twice"),
    ],
)
def test_a_broken_file_is_refused(text: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(KnownFailuresError, match=why):
        load_known_failures(_write(tmp_path, text))


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KnownFailuresError, match="No such file"):
        load_known_failures(tmp_path / "none.toml")


def test_an_entry_for_no_vector_is_refused(tmp_path: Path) -> None:
    path = _write(tmp_path, ENTRY)
    known = load_known_failures(path)
    refuse_unknown(path, known, {"toy/a/b"})
    with pytest.raises(KnownFailuresError, match="the corpus has no vector 'toy/a/b'"):
        refuse_unknown(path, known, {"toy/a/c"})
