"""Text that is not in the notation of a system is one error with its place.

The texts and their errors are in `notation_errors.txt` of each system's folder.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rejoin_conformance.contract.notation import Notation
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.corpus.paragraph import notation_of
from rejoin_conformance.kit.phrases import NotationError

EVERY_SYSTEM = pytest.mark.parametrize("name", system_names())


def _question(notation: Notation) -> Callable[[str], Any]:
    return lambda text: notation.parse(text.split("\n"))


def _errors(read: Callable[[str], Any], part: str) -> str:
    """Return the paragraphs of a part of the file with the errors that the texts give now."""
    found = []
    for paragraph in part.strip("\n").split("\n\n"):
        _, *lines = paragraph.split("\n")
        with pytest.raises(NotationError) as caught:
            read("\n".join(line[2:] for line in lines))
        found.append("\n".join([str(caught.value), *lines]))
    return "\n\n".join(found)


@EVERY_SYSTEM
def test_an_error_says_where_and_what_was_expected(name: str) -> None:
    notation = notation_of(system_named(name))
    path = Path(__file__).parent / name.replace("-", "_") / "notation_errors.txt"
    said = path.read_text(encoding="utf-8").partition("\n\n")[2]
    questions, histories = said.split("\n\nHistories:\n\n")
    assert _errors(_question(notation), questions) == questions
    assert _errors(notation.parse_history, histories) == histories.rstrip("\n")


@EVERY_SYSTEM
@pytest.mark.parametrize("text", ["", "\x1b[2J", "a \u202e"])
def test_an_empty_text_and_control_characters_are_an_error_of_one_line(
    name: str, text: str
) -> None:
    notation = notation_of(system_named(name))
    for read in (_question(notation), notation.parse_history):
        with pytest.raises(NotationError) as caught:
            read(text)
        assert str(caught.value).startswith("line 1: expected ")
        assert str(caught.value).isprintable()


def test_names_that_are_seqnos_are_checked() -> None:
    fork = "10:  10 {k: 1} diff {=k}\n"
    fork += "".join(f"11{x}: after 10 {{{x}: 1, k: 1}} diff {{={x}}}\n" for x in "ba")
    read = _question(notation_of(system_named("config-merge")))
    with pytest.raises(NotationError, match="letters in the order of the hashes: 11b 11a"):
        read(f"{fork}resolve 10")
