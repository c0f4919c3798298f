"""The members of a session are the merge of its heads."""

from __future__ import annotations

from hypothesis import given

from rejoin.history_merge import (
    SETS,
    graph_of,
    members,
)
from support.plain_history_merge import SetNode, ascending, by_id, histories, maxima, merge


@given(histories())
def test_the_members_are_the_plain_merge_of_the_heads(nodes: tuple[SetNode, ...]) -> None:
    history = by_id(nodes)
    expected = merge(history, maxima(history, history), ascending)
    assert members(graph_of(nodes), SETS) == expected
