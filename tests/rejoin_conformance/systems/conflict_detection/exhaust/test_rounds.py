"""The search on Spark has the same counts as in one process, for any partitioning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rejoin_conformance.campaigns.spark.spread import OnSpark
from rejoin_conformance.systems.conflict_detection.exhaust.report import EXHAUSTIVE, search_all
from rejoin_conformance.systems.conflict_detection.exhaust.searches import SEARCHES, Bounds
from support.spreads import HERE, silent

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def test_counts_and_traces_do_not_depend_on_the_partitions(spark: SparkSession) -> None:
    bounds = Bounds(2, 3)
    here = search_all(SEARCHES, bounds, HERE)
    assert list(here) == list(SEARCHES)
    assert search_all(SEARCHES, bounds, OnSpark(spark, silent, 7)) == here


def test_the_command_reports_the_rounds_as_they_are_done(spark: SparkSession) -> None:
    seen: list[tuple[int, int]] = []
    spread = OnSpark(spark, lambda done, total, _: seen.append((done, total)))
    report = EXHAUSTIVE.run({"clients": 2, "uploads": 2}, spread)
    assert seen == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert report["failed"] is False
    assert EXHAUSTIVE.render(report).startswith("Every interleaving of 2 clients and up to 2")
