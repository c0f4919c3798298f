"""Known failures are found by vector and reading; transcripts (`files.txt`) show invalid files."""

from __future__ import annotations

from pathlib import Path

import pytest

from rejoin_conformance.adapters.runner.known_failures import (
    KnownFailure,
    KnownFailures,
    KnownFailuresError,
    load_known_failures,
)
from rejoin_conformance.adapters.runner.run_plan import known_failures_in

ENTRY = '[[failure]]\nid = "toy/a/b"\nreason = "why"\nlink = "https://example.org/1"\n'
PRINTED = ENTRY.replace("a/b", "a/d [strict]")
NAMED = ENTRY.replace("toy/a/b", "history-merge/two-branches/nothing")
KIND = '[[difference]]\nkind = "{}"\nreason = "why"\nlink = "https://example.org/1"\n'
BROKEN = [
    (f"failure = {'9' * 5000}", "an integer has too many digits"),
    (f"failure = {'[' * 5000}", "nested too deeply"),
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "known-failures.toml"


def test_entries_are_found_by_vector_and_reading(path: Path) -> None:
    path.write_text(ENTRY + ENTRY.replace("a/b", "a/c") + 'reading = "strict"\n' + PRINTED)
    known = load_known_failures(path)
    everywhere = KnownFailure(id="toy/a/b", reason="why", link="https://example.org/1")
    assert known.of("toy/a/b", "strict") == everywhere
    assert known.of("toy/a/b", "lenient") == everywhere
    assert known.of("toy/a/c", "strict") is not None
    assert known.of("toy/a/c", "lenient") is None
    assert known.of("toy/a/d", "strict") is not None
    assert known.of("toy/a/d", "lenient") is None
    path.write_text("")
    assert load_known_failures(path) == KnownFailures()


def test_an_entry_that_a_vector_or_an_operation_matches_is_taken(path: Path) -> None:
    for entry in (
        NAMED,
        NAMED + 'reading = "document"\n',
        KIND.format("history-merge/merge crash"),
        KIND.format("*/merge crash"),
    ):
        path.write_text(entry)
        assert known_failures_in(path) == load_known_failures(path)


def test_a_hostile_file_is_refused(path: Path) -> None:
    for text, why in BROKEN:
        path.write_text(text)
        with pytest.raises(KnownFailuresError) as caught:
            load_known_failures(path)
        assert why in str(caught.value)
