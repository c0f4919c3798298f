"""Text that is not in the notation of config merge is one error with its place.

The texts and their errors are in `notation_errors.txt`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rejoin_conformance.contract.notation import Example
from rejoin_conformance.kit.phrases import NotationError
from rejoin_conformance.systems.config_merge.text import NOTATION, parse

ERRORS = Path(__file__).with_name("notation_errors.txt").read_text(encoding="utf-8")
FORK = """\
10:  10 {k: 1} diff {=k}
11a: after 10 {b: 1, k: 1} diff {=b}
11b: after 10 {a: 1, k: 1} diff {=a}
"""


def _parse(text: str) -> Example:
    return parse(text.split("\n"))


def _errors(read: Callable[[str], Any], part: str) -> str:
    """Return the paragraphs of a part of the file with the errors that the texts give now."""
    found = []
    for paragraph in part.strip("\n").split("\n\n"):
        _, *lines = paragraph.split("\n")
        with pytest.raises(NotationError) as caught:
            read("\n".join(line[2:] for line in lines))
        found.append("\n".join([str(caught.value), *lines]))
    return "\n\n".join(found)


def test_an_error_says_where_and_what_was_expected() -> None:
    questions, histories = ERRORS.partition("\n\n")[2].split("\n\nHistories:\n\n")
    assert _errors(_parse, questions) == questions
    assert _errors(NOTATION.parse_history, histories) == histories.rstrip("\n")


def test_an_empty_text_is_an_error() -> None:
    with pytest.raises(NotationError, match="a question: `diff`, `apply`"):
        _parse("")
    with pytest.raises(NotationError, match="`clients`, `window` and `seed`"):
        NOTATION.parse_history("")


def test_names_that_are_seqnos_are_checked() -> None:
    exchanged = FORK.replace("11a", "x").replace("11b", "11a").replace("x", "11b")
    with pytest.raises(NotationError, match="letters in the order of the hashes: 11b 11a"):
        _parse(f"{exchanged}resolve 10")
    with pytest.raises(NotationError, match="a name that begins with the seqno 11, found `12`"):
        _parse(f"{FORK}12: after 10 {{}}\nresolve 10")
