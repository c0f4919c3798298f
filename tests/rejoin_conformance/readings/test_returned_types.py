"""An answer of a rule has the type that the reference's own annotation names, also in its items."""

from __future__ import annotations

from typing import Any

import pytest

from rejoin.config_merge.client import _message_to_push
from rejoin.config_merge.conflict_resolution import merge, replay_set
from rejoin.config_merge.ignored_updates import set_aside
from rejoin.config_merge.messages import by_rank
from rejoin.config_merge.worked_example import worked_example
from rejoin.conflict_detection.clients import certain_after
from rejoin.conflict_detection.definitions import Classification
from rejoin.conflict_detection.directories_and_polling import with_local_state
from rejoin.conflict_detection.version_maps import join, strictly_follows
from rejoin.history_merge.graph import Graph
from rejoin.history_merge.three_way_merge import set_three_way_merge
from rejoin_conformance.readings.targets import fits, returned_hint

MESSAGE = next(iter(worked_example().values()))
ENTRY = (MESSAGE.row, MESSAGE)


@pytest.mark.parametrize(
    ("function", "right", "wrong"),
    [
        (with_local_state, [Classification.CONFLICT], ["conflict", Graph, None, 1]),
        (merge, [MESSAGE], [{}, None, MESSAGE.row]),
        (_message_to_push, [MESSAGE, None], [MESSAGE.encoded]),
        (
            replay_set,
            [[], [ENTRY], (ENTRY,)],
            [[1, 2], [MESSAGE], [ENTRY[:1]], iter([ENTRY])],
        ),
        (set_aside, [((), ()), ((MESSAGE,), (None, "stale"))], [((MESSAGE,), ("old",)), ((),)]),
        (by_rank, [(1, b"")], [(object(),), (b"", 1), (1, b"", 2)]),
        (certain_after, [None, {"A"}, frozenset()], [frozenset({1}), "A"]),
        (join, [{}, {"A": 1}], [{"A": "1"}, {1: 1}, [("A", 1)]]),
        (strictly_follows, [True, 1], ["yes", None]),
        (set_three_way_merge, [{5, "x"}], [[5], iter({5})]),
    ],
)
def test_only_answers_of_the_annotated_type_fit(
    function: Any, right: list[Any], wrong: list[Any]
) -> None:
    hint = returned_hint(function)
    assert [fits(each, hint) for each in right] == [True] * len(right)
    assert [fits(each, hint) for each in wrong] == [False] * len(wrong)
