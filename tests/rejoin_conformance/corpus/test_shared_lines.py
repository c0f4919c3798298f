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
