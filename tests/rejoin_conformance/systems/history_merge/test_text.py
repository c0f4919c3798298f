"""Questions, answers and random histories of history merge are read from text as they are shown."""

from __future__ import annotations

import pytest

from rejoin_conformance.contract.notation import Example
from rejoin_conformance.kit.phrases import NotationError
from rejoin_conformance.systems.history_merge.text import NOTATION

FORK = "r: {};  p < r: {x};  q < r: {y}"


def _parse(text: str) -> Example:
    return NOTATION.parse(text.split("\n"))


@pytest.mark.parametrize("step", ["0", "00", "-1", "x", "1" * 5000])
def test_a_step_of_a_repetition_is_a_number_from_1_on(step: str) -> None:
    with pytest.raises(NotationError, match="a number from 1 to 99999"):
        _parse(f"h<i> < r for each i 0..9 by {step}\nmembers")


def test_a_mended_question_leaves_out_what_it_shares() -> None:
    example = _parse(f"{FORK}\nmerge p z")
    assert NOTATION.parse_mended is not None
    assert NOTATION.render_mended is not None
    for text in ("merge p q", "r: {};  p < r: {x};  z < r: {y}", "r: {};  p: {}\nmerge p"):
        mended = NOTATION.parse_mended(text.split("\n"), example)
        assert mended.operation == example.operation
        assert NOTATION.render_mended(mended, example) == text
