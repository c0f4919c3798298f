"""The search on Spark has the same counts as in one process, for any partitioning."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from rejoin_conformance.campaigns.spark.spread import OnSpark
from rejoin_conformance.systems.conflict_detection.exhaust.check import EXHAUSTIVE
from rejoin_conformance.systems.conflict_detection.exhaust.rounds import search_all
from rejoin_conformance.systems.conflict_detection.exhaust.searches import SEARCHES, Bounds
from support.conflict_detection_search_alone import search_alone
from support.spreads import HERE, silent

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


alone = cache(search_alone)


@pytest.mark.parametrize("partitions", [1, 7])
def test_counts_and_traces_do_not_depend_on_the_partitions(
    spark: SparkSession, partitions: int
) -> None:
    bounds = Bounds(3, 2)
    tallies = search_all(SEARCHES, bounds, OnSpark(spark, silent, partitions))
    assert list(tallies) == list(SEARCHES)
    for search, tally in tallies.items():
        assert tally == alone(search, bounds)


def test_counts_and_traces_in_this_process_are_the_same() -> None:
    bounds = Bounds(3, 2)
    for search, tally in search_all(SEARCHES, bounds, HERE).items():
        assert tally == alone(search, bounds)


def test_the_command_reports_the_rounds_as_they_are_done(spark: SparkSession) -> None:
    seen: list[tuple[int, int]] = []
    spread = OnSpark(spark, lambda done, total, _: seen.append((done, total)))
    report = EXHAUSTIVE.run({"clients": 2, "uploads": 2}, spread)
    assert seen == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert report["failed"] is False
    assert EXHAUSTIVE.render(report).startswith("Every interleaving of 2 clients and up to 2")
