"""The report of the check. Its text is in `tests/transcripts/exhaust.txt`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rejoin_conformance.campaigns.spark.spread import OnSpark
from rejoin_conformance.systems.history_merge.exhaust.check import EXHAUSTIVE
from support.spreads import HERE, silent

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SUFFICIENT = {
    "totally-ordered",
    "added-once",
    "never-removed",
    "no-concurrent-equal",
    "no-concurrent-opposites",
    "one-operation",
    "two-operations",
    "removed-once-no-concurrent-additions",
    "two-heads",
}


def test_the_partitioning_makes_no_difference(spark: SparkSession) -> None:
    here = EXHAUSTIVE.run({"nodes": 4}, HERE)
    for tasks in (None, 7):
        assert EXHAUSTIVE.run({"nodes": 4}, OnSpark(spark, silent, tasks)) == here


def test_the_report_names_the_sufficient_premises_and_the_smallest_counterexamples() -> None:
    report: Any = EXHAUSTIVE.run({"nodes": 5}, HERE)
    smallest = {each["name"]: each["smallest"] for each in report["premises"]}
    assert {name for name, nodes in smallest.items() if nodes is None} == SUFFICIENT
    assert smallest["no-concurrent-additions"] == 5
    assert {*smallest.values()} == {None, 4, 5}
    found = report["counterexamples"]
    assert [len(each["nodes"]) for each in found] == [5, 5, 6]
    assert found[2]["answers"] == ["no-concurrent-additions"]
    assert found[0]["splits"] == [
        {"a": ["2", "4"], "b": ["3"], "together": [], "over_new_node": ["x"]},
        {"a": ["3", "4"], "b": ["2"], "together": [], "over_new_node": ["x"]},
    ]
