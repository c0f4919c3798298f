"""The examples of docs/notation.md are in the notations, and the reference agrees with them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.corpus.clauses import clauses_of
from rejoin_conformance.corpus.generate import vectors_of
from rejoin_conformance.corpus.paragraph import notation_of
from rejoin_conformance.corpus.text_vectors import parse_text_topic

PAGE = Path(__file__).parents[3] / "docs" / "notation.md"
BLOCK = re.compile(
    r"^```(?P<system>[a-z-]+)(?P<history> history)?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
BLOCKS = list(BLOCK.finditer(PAGE.read_text(encoding="utf-8")))


@pytest.mark.parametrize("block", [each for each in BLOCKS if not each["history"]])
def test_every_vector_on_the_page_is_one_with_which_the_reference_agrees(
    block: re.Match[str],
) -> None:
    system = system_named(block["system"])
    text = parse_text_topic(system, PAGE, block["text"])
    drafts = tuple(paragraph.draft for paragraph in text.paragraphs)
    known = {clause.id for clause in clauses_of(system.name)}
    assert drafts
    assert all({*draft.clauses} <= known for draft in drafts)
    assert all(draft.output is not None or draft.rejected_by for draft in drafts)
    assert len(vectors_of(system, Topic("page", "", drafts))) == len(drafts)


@pytest.mark.parametrize("block", [each for each in BLOCKS if each["history"]])
def test_every_history_on_the_page_is_read_as_it_is_written(block: re.Match[str]) -> None:
    notation = notation_of(system_named(block["system"]))
    text = block["text"].rstrip("\n")
    assert notation.render_history(notation.parse_history(text)) == text


def test_the_page_teaches_every_system() -> None:
    for history in (None, " history"):
        assert {each["system"] for each in BLOCKS if each["history"] == history} == {
            *system_names()
        }
