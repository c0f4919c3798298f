"""A paragraph may contain several vectors, and continue an earlier paragraph."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from attrs import evolve

from rejoin_conformance.contract.notation import Example
from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.corpus.load import CorpusError
from rejoin_conformance.corpus.text_vectors import written_topics
from rejoin_conformance.kit.json_types import JsonObject
from support.toy_notation import WRITTEN_TOY

NOTATION = WRITTEN_TOY.notation


def _variants(lines: Sequence[str]) -> dict[str, list[tuple[int, str]]]:
    """`both 4` stands for `halve 4` and `double 4`."""
    asked = lines[0].removeprefix("both ")
    rest = [*enumerate(lines)][1:]
    return {word: [(0, f"{word} {asked}"), *rest] for word in ("halve", "double")}


def _sum(lines: Sequence[str], _: Example) -> JsonObject:
    return {"half": sum(map(int, lines))}


assert NOTATION is not None
TOY = evolve(WRITTEN_TOY, notation=evolve(NOTATION, variants=_variants, parse_output=_sum))


def _drafts(tmp_path: Path, text: str) -> dict[str, Draft]:
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "numbers.txt").write_text(text)
    (topic,) = written_topics(TOY, tmp_path)
    return {draft.name: draft for draft in topic.drafts}


def test_a_name_with_words_in_braces_is_one_vector_for_each(tmp_path: Path) -> None:
    drafts = _drafts(
        tmp_path,
        "four-{double,halve}  TOY-HALF  may\n  It is told twice.\n  both 4\n  only in strict\n",
    )
    assert {name: draft.operation for name, draft in drafts.items()} == {
        "four-double": "toy/double",
        "four-halve": "toy/halve",
    }
    for draft in drafts.values():
        assert (draft.input, draft.level, draft.readings) == ({"number": 4}, "may", ("strict",))


def test_a_paragraph_goes_on_where_an_earlier_one_ended(tmp_path: Path) -> None:
    drafts = _drafts(
        tmp_path,
        "one  TOY-HALF\n  It begins.\n  halve 12\n  scenario toy, step 1\n\n"
        "two  TOY-HALF\n  It goes on.\n  after one\n  = 6\n  in lenient: 5\n  only in lenient\n\n"
        "three  TOY-HALF\n  It goes on once more.\n  after two\n  in lenient:\n    2\n",
    )
    assert [draft.input for draft in drafts.values()] == [{"number": 12}] * 3
    assert [draft.output for draft in drafts.values()] == [None, {"half": 5}, {"half": 6}]
    assert drafts["three"].output_by_reading == {"lenient": {"half": 7}}
    assert [draft.scenario for draft in drafts.values()][1:] == [None, None]
    assert [draft.readings for draft in drafts.values()] == [(), ("lenient",), ()]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            "a-{treble}  TOY-HALF\n  A.\n  both 4\n",
            "1: expected some of halve, double, found `treble`",
        ),
        ("a  TOY-HALF\n  A.\n  after b\n", "3: expected the name of a paragraph above, found `b`"),
        ("a-{halve}  TOY-HALF\n  A.\n  both x\n", "3: expected `halve NUMBER"),
    ],
)
def test_what_is_shared_with_nothing_is_one_error(tmp_path: Path, text: str, fault: str) -> None:
    with pytest.raises(CorpusError, match=r"numbers\.txt") as caught:
        _drafts(tmp_path, text)
    assert fault in str(caught.value)
