"""A choice point is consulted if a function reads it, and matters if the answer depends on it."""

from __future__ import annotations

import pytest

from rejoin.conflict_detection import READINGS, version_maps
from rejoin.history_merge.reading import DOCUMENT, descending
from rejoin_conformance.readings.overriding import Tried
from rejoin_conformance.readings.watching import watching

REPAIRED = READINGS["repaired"]
OTHERS = {"map_missing_entry": "does-not-follow", "map_comparison": "every-entry-larger"}


def test_a_choice_point_that_nothing_reads_is_not_consulted() -> None:
    with watching(REPAIRED, OTHERS, "rejoin.conflict_detection") as (_, watch):
        pass
    assert watch.seen == {point: Tried() for point in OTHERS}


@pytest.mark.parametrize(
    ("later", "earlier", "entry_matters", "comparison_matters"),
    [
        ({"A": 2}, {"A": 1}, 0, 0),
        ({"A": 2, "B": 1}, {"A": 1, "B": 1}, 0, 1),
        ({"A": 1}, {"A": 2}, 0, 0),
        ({"A": 2}, {"A": 1, "B": 0}, 1, 1),
    ],
)
def test_it_matters_if_the_answer_is_another_under_its_other_value(
    later: dict[str, int], earlier: dict[str, int], entry_matters: int, comparison_matters: int
) -> None:
    plain = version_maps.strictly_follows(REPAIRED, later, earlier)
    with watching(REPAIRED, OTHERS, "rejoin.conflict_detection") as (reading, watch):
        assert version_maps.strictly_follows(reading, later, earlier) is plain
    assert watch.seen["map_missing_entry"].differed == entry_matters
    assert watch.seen["map_comparison"].differed == comparison_matters


def test_a_watched_reading_is_read_as_before() -> None:
    others = {"fold_order": descending}
    with watching(DOCUMENT, others, "rejoin.history_merge") as (reading, watch):
        assert reading.folded(frozenset("ab")) == ("a", "b")
        assert reading.folded(frozenset("a")) == ("a",)
        assert isinstance(reading, type(DOCUMENT))
        assert reading.name == "document"
    assert watch.seen == {"fold_order": Tried(calls=2, differed=1)}
    assert DOCUMENT.folded(frozenset("ab")) == ("a", "b")
