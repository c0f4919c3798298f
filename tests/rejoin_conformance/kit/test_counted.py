"""A number agrees with its noun."""

from __future__ import annotations

import pytest

from rejoin_conformance.kit.counted import counted


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0 vectors"), (1, "1 vector"), (2, "2 vectors"), (1000, "1,000 vectors")],
)
def test_a_regular_noun(number: int, text: str) -> None:
    assert counted(number, "vector") == text


@pytest.mark.parametrize(("number", "text"), [(1, "1 history"), (12000, "12,000 histories")])
def test_an_irregular_noun(number: int, text: str) -> None:
    assert counted(number, "history", "histories") == text
