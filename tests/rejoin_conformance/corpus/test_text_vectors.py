"""Written vectors are paragraphs of text; errors name the file and the line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from attrs import evolve

from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.corpus.generate import vectors_of
from rejoin_conformance.corpus.load import CorpusError
from rejoin_conformance.corpus.paragraph import lines_of, parse_paragraphs
from rejoin_conformance.corpus.paragraph_text import render_paragraph
from rejoin_conformance.corpus.text_vectors import text_topics, written_topics
from support.toy_notation import WRITTEN_TOY
from support.toy_system import TOY, VECTORS

PLAIN = """\
half-of-eight  TOY-HALF
  Half of 8 is 4.
  halve 8 = 4
"""
REFUSED = """\
half-of-seven  TOY-ODD TOY-HALF  should
  The reading strict refuses an odd number,
  and the other one rounds down.
  halve 7 = 3
  refused in strict
  mended: halve 6
  scenario rounding, step the odd one
"""


def _draft(text: str, system: System = WRITTEN_TOY) -> Draft:
    (found,) = parse_paragraphs(system, lines_of(text.rstrip("\n")), (), {})
    return found.draft


def _topic(tmp_path: Path, text: str, system: System = WRITTEN_TOY) -> Topic:
    folder = tmp_path / "toy"
    folder.mkdir(exist_ok=True)
    (folder / "numbers.txt").write_text(text)
    (topic,) = written_topics(system, tmp_path)
    return topic


def test_a_rendered_vector_parses_back_to_it() -> None:
    for vector in VECTORS["toy"]:
        text = render_paragraph(WRITTEN_TOY, vector)
        assert text is not None
        (again,) = vectors_of(TOY, Topic(vector.topic, "", (_draft(text),)))
        assert again == evolve(vector, summary=f"{vector.summary}.")


ERRORS: tuple[tuple[str, int, str], ...] = (
    (" half  TOY-HALF\n", 1, "expected the name of a vector in lower case"),
    ("half\n  A half.\n", 1, "expected the IDs of the clauses after half, found the end"),
    ("half  toy-half\n", 1, "or `should` or `may`, found `toy-half`"),
    ("half  TOY-HALF TOY-HALF\n", 1, "expected each clause once"),
    ("half  TOY-HALF\nA half.\n", 2, "expected a line that is indented by 2 spaces"),
    ("half  TOY-HALF\n  A half\n  halve 8\n", 3, "expected a sentence that ends with a full"),
    ("half  TOY-HALF\n", 1, "expected a sentence that ends with a full stop"),
    ("half  TOY-HALF\n  A half.\n  halve it\n", 3, "NUMBER`, found `halve it`"),
    ("half  TOY-HALF\n  A half.\n", 2, "NUMBER`, found the end of the line"),
    ("half  TOY-HALF\n  A half.\n  halve 8\n  in lenient:\n", 4, "expected a number"),
    ("half  TOY-HALF\n  A half.\n  halve 8\n  only in lax\n", 4, "a reading of toy (strict"),
    ("half  TOY-HALF\n  A half.\n  halve 7 = 3\n  refused\n", 3, "expected no answer to"),
    ("h  TOY-HALF\n  A.\n  halve 7\n  refused\n  mended: double 6\n", 5, "to toy/halve"),
    ("h  TOY-HALF\n  A.\n  halve 7\n  mended: halve 6\n  mended: halve 6\n", 5, "once in a"),
    ("computed: Name\n", 1, "expected the name of a Python draft, found `Name`"),
    ("a-{treble}  TOY-HALF\n  A.\n  both 4\n", 1, "some of halve, double, found `treble`"),
    ("a-{halve}  TOY-HALF\n  A.\n  both x\n", 3, "expected `halve NUMBER"),
    ("a  TOY-HALF\n  A.\n  after b\n", 3, "expected the name of a paragraph above, found `b`"),
)


def _variants(lines: Sequence[str]) -> dict[str, list[tuple[int, str]]]:
    """`both 4` stands for `halve 4` and `double 4`."""
    asked = lines[0].removeprefix("both ")
    rest = [*enumerate(lines)][1:]
    return {word: [(0, f"{word} {asked}"), *rest] for word in ("halve", "double")}


def test_an_error_says_where_and_what_was_expected(tmp_path: Path) -> None:
    assert WRITTEN_TOY.notation is not None
    system = evolve(WRITTEN_TOY, notation=evolve(WRITTEN_TOY.notation, variants=_variants))
    for text, line, fault in ERRORS:
        with pytest.raises(CorpusError) as caught:
            _topic(tmp_path, f"{PLAIN}\n# The faulty one.\n\n{text}", system)
        path = tmp_path / "toy" / "numbers.txt"
        assert str(caught.value).startswith(f"{path}:{line + 6}: expected")
        assert fault in str(caught.value)


def test_a_name_stands_once_in_a_topic(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="two vectors are called half-of-eight"):
        _topic(tmp_path, f"{PLAIN}\n{PLAIN}")
    computed = Topic("numbers", "", (_draft(PLAIN),))
    system = evolve(WRITTEN_TOY, topics=lambda: (computed,))
    with pytest.raises(CorpusError, match=":1: a Python draft is called half-of-eight too"):
        _topic(tmp_path, PLAIN, system)
    with pytest.raises(CorpusError, match="there is no Python draft called d"):
        _topic(tmp_path, "computed: d\n")


def test_the_reference_must_agree_with_what_is_written() -> None:
    with pytest.raises(CorpusError, match="the reference answers"):
        vectors_of(TOY, Topic("numbers", "", (_draft(PLAIN.replace("= 4", "= 5")),)))


def test_an_answer_that_nobody_confirmed_is_marked(tmp_path: Path) -> None:
    _topic(tmp_path, f"{PLAIN}  not yet checked\n\n{REFUSED}")
    (topic,) = text_topics(WRITTEN_TOY, tmp_path)
    assert [(each.draft.name, each.checked) for each in topic.paragraphs] == [
        ("half-of-eight", False),
        ("half-of-seven", True),
    ]


def test_a_system_without_a_notation_has_no_text(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="toy has no text notation"):
        _topic(tmp_path, PLAIN, TOY)


def test_drafts_in_python_stand_where_the_text_says_or_at_the_end(tmp_path: Path) -> None:
    def draft(name: str) -> Draft:
        return evolve(_draft(PLAIN), name=name)

    computed = Topic("numbers", "Computed ones.", tuple(map(draft, ("a", "b", "c"))))
    system = evolve(WRITTEN_TOY, topics=lambda: (computed,))
    topic = _topic(tmp_path, f"computed: c\n  b\n\n{PLAIN}", system)
    assert [draft.name for draft in topic.drafts] == ["c", "b", "half-of-eight", "a"]
    assert topic.notes == "Computed ones."
