"""A paragraph is added to a topic, and the reference fills in a missing answer."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from rejoin_conformance.corpus import add_vector
from rejoin_conformance.corpus.add_vector import Addition, addition
from rejoin_conformance.corpus.clauses import Clause
from rejoin_conformance.corpus.load import CorpusError
from rejoin_conformance.corpus.text_vectors import unchecked, written_topics
from support.toy_notation import WRITTEN_TOY

FIRST = "# Halves.\n\nhalf-of-eight  TOY-HALF\n  Half of 8 is 4.\n  halve 8 = 4\n"


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    clauses = tuple(Clause(name, "MUST", "toy.md", "") for name in ("TOY-HALF", "TOY-ODD"))
    monkeypatch.setattr(add_vector, "clauses_of", lambda _system: clauses)
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "halves.txt").write_text(FIRST)
    return tmp_path


def _add(corpus: Path, text: str, topic: str = "halves") -> Addition:
    return addition(WRITTEN_TOY, topic, text, "here", corpus)


def test_an_answer_that_is_stated_stays_as_it_is_written(corpus: Path) -> None:
    text = "half-of-six  TOY-HALF\n  Half of\n  6 is 3.\n  halve   6   =   3\n"
    added = _add(corpus, f"\n{text}\n")
    assert added.ids == ("toy/halves/half-of-six",)
    assert (added.paragraph, added.checked) == (text, True)
    added.write()
    assert (corpus / "toy" / "halves.txt").read_text() == f"{FIRST}\n{text}"
    (topic,) = written_topics(WRITTEN_TOY, corpus)
    assert [draft.name for draft in topic.drafts] == ["half-of-eight", "half-of-six"]


def test_a_full_disk_leaves_the_text_as_it_was(corpus: Path) -> None:
    added = _add(corpus, "half-of-six  TOY-HALF\n  Half of 6 is 3.\n  halve 6 = 3")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(FIRST) + 10, before[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            added.write()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert (corpus / "toy" / "halves.txt").read_text() == FIRST


def test_an_answer_that_is_left_out_is_filled_in_and_marked(corpus: Path) -> None:
    added = _add(corpus, "half-of-six  TOY-HALF\n  Half of 6 is 3.\n  halve 6")
    assert not added.checked
    assert added.paragraph == (
        "half-of-six  TOY-HALF\n  Half of 6 is 3.\n  halve 6 = 3\n  not yet checked\n"
    )
    added.write()
    ((topic, paragraph),) = unchecked(WRITTEN_TOY, corpus)
    assert (topic.name, paragraph.draft.name) == ("halves", "half-of-six")


def test_what_one_reading_refuses_is_filled_in_if_the_fault_is_mended(corpus: Path) -> None:
    added = _add(corpus, "odd  TOY-ODD\n  It is odd.\n  halve 7\n  mended: halve 6")
    assert added.paragraph == (
        "odd  TOY-ODD\n  It is odd.\n  halve 7 = 3\n"
        "  refused in strict\n  mended: halve 6\n  not yet checked\n"
    )


def test_what_the_other_reading_answers_is_filled_in(corpus: Path) -> None:
    text = "odd  TOY-ODD\n  It is odd.\n  halve 7\n  refused in strict\n  mended: halve 6"
    assert "halve 7 = 3\n" in _add(corpus, text).paragraph
    assert _add(corpus, text.replace("halve 7", "halve 7 = 3")).checked


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "here: the text is empty"),
        ("half  TOY-HALF\n  A half.\n\n  halve it", "here:4: expected `halve NUMBER"),
        ("half  TOY-HALF\n  A half.\n  halve 8 = 4\n\nb  TOY-HALF\n", "here:5: expected a line"),
        ("half  TOY-HALF\n  A \x1b[31mhalf.\n  halve 8", "here:2: expected a line of printable"),
        ("half  TOY-NONE\n  A half.\n  halve 8", "here:1: expected a clause of spec/toy, found"),
        ("half-of-eight  TOY-HALF\n  A half.\n  halve 8", "two vectors are called half-of-eight"),
        ("half  TOY-HALF\n  A half.\n  halve 8 = 5", "half: the reference answers 4 in the"),
        ("half  TOY-ODD\n  A half.\n  halve 7", "the reading strict refuses this input"),
        (
            "half  TOY-ODD\n  A half.\n  halve 7\n  refused\n  mended: halve 6",
            "states that it refuses it",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_added_is_one_error(corpus: Path, text: str, fault: str) -> None:
    with pytest.raises(CorpusError, match=fault) as refused:
        _add(corpus, text)
    assert refused.value.code == (1 if "the reference answers" in fault or "states" in fault else 2)
    assert (corpus / "toy" / "halves.txt").read_text() == FIRST


def test_a_topic_has_a_file_before_it_has_vectors(corpus: Path) -> None:
    with pytest.raises(CorpusError, match=r"there is no such file; create it with a first line"):
        _add(corpus, "half  TOY-HALF\n  A half.\n  halve 8", "doubles")
