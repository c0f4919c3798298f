"""Histories written as text are read and rendered alike."""

from __future__ import annotations

import pytest
from hypothesis import given

from rejoin.history_merge import Node
from rejoin_conformance.systems.history_merge.notation import parse_history, render_history
from support.plain_history_merge import SetNode, histories


def test_a_line_is_an_id_parents_and_elements() -> None:
    assert parse_history("o : b a\nu < o : a\n\nm < u o :; x") == (
        Node("o", frozenset(), frozenset("ab")),
        Node("u", frozenset("o"), frozenset("a")),
        Node("m", frozenset("uo"), frozenset()),
        Node("x", frozenset(), frozenset()),
    )


@pytest.mark.parametrize("line", ["a b : c", "a : b : c", ": a", "a < b < c :", "< b :"])
def test_anything_else_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="not a node of a history"):
        parse_history(line)


def test_a_rendered_history_has_its_colons_below_each_other() -> None:
    text = "o     : a b\nm < o :\nn < o : c"
    assert render_history(parse_history(text)) == text


@given(histories())
def test_a_rendered_history_is_read_as_itself(nodes: tuple[SetNode, ...]) -> None:
    assert parse_history(render_history(nodes)) == nodes
