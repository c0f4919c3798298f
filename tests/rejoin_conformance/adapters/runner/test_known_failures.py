"""A file of known failures is read strictly, for a typing error in it would hide a failure."""

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
    ("not toml", "Expected"),
    (f"failure = {'9' * 5000}", "an integer has too many digits"),
    (f"failure = {'[' * 5000}", "nested too deeply"),
    ("failure = 7", "$.failure: expected a list, found 7"),
    ("[[failures]]\n", '$: unknown field "failures"; the fields are failure'),
    ("failure = [7]", "$.failure[0]: expected an object, found 7"),
    (ENTRY.replace("reason", "because"), '$.failure[0]: unknown field "because"'),
    ('[[failure]]\nid = "toy/a/b"\n', "$.failure[0]: the field link is missing"),
    (ENTRY.replace('"why"', "7"), "$.failure[0].reason: expected a string, found 7"),
    (ENTRY.replace('"why"', "1979-05-27"), ".reason: expected a string, found a value of"),
    (ENTRY + ENTRY, "toy/a/b is listed twice"),
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


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (NAMED, None),
        (NAMED + 'reading = "document"\n', None),
        (NAMED + 'reading = "documnet"\n', "has no reading 'documnet'; choose one of document"),
        (ENTRY, "the corpus has no vector 'toy/a/b'"),
        (KIND.format("history-merge/merge crash"), None),
        (KIND.format("*/merge crash"), None),
        (KIND.format("history-merge/merg crash"), "no operation 'history-merge/merg'; did you"),
    ],
)
def test_an_entry_that_nothing_can_match_is_refused(
    entry: str, why: str | None, path: Path
) -> None:
    path.write_text(entry)
    if why is None:
        assert known_failures_in(path) == load_known_failures(path)
        return
    with pytest.raises(KnownFailuresError) as caught:
        known_failures_in(path)
    assert why in str(caught.value)


def test_a_broken_or_missing_file_is_refused(path: Path) -> None:
    with pytest.raises(KnownFailuresError, match="No such file"):
        load_known_failures(path)
    for text, why in BROKEN:
        path.write_text(text)
        with pytest.raises(KnownFailuresError) as caught:
            load_known_failures(path)
        assert why in str(caught.value)
