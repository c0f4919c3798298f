"""The check on Spark: the report does not depend on the partitioning; its text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from rejoin_conformance.campaigns.spark.spread import OnSpark
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.history_merge.exhaust.check import EXHAUSTIVE, run
from rejoin_conformance.systems.history_merge.exhaust.report import render
from support.spreads import HERE, silent

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="module")
def report() -> JsonObject:
    """The report for up to 5 nodes."""
    return EXHAUSTIVE.run({"nodes": 5}, HERE)


def test_the_partitioning_makes_no_difference(spark: SparkSession) -> None:
    here = run({"nodes": 4}, HERE)
    for tasks in (None, 1, 7):
        assert run({"nodes": 4}, OnSpark(spark, silent, tasks)) == here


def test_the_report_has_every_size_up_to_the_bound(report: JsonObject) -> None:
    value: Any = report
    assert value["nodes"] == 5
    assert [size["nodes"] for size in value["sizes"]] == [1, 2, 3, 4, 5]
    assert [size["order_dependent"] for size in value["sizes"]] == [0, 0, 0, 12, 828]
    assert [size["dags"] for size in value["sizes"]] == [1, 2, 7, 40, 357]


def test_the_report_lists_the_premises_that_suffice(report: JsonObject) -> None:
    premises: Any = report["premises"]
    assert {each["name"] for each in premises if each["sufficient"]} == {
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
    smallest = {each["name"]: each["smallest"] for each in premises}
    assert smallest["added-once"] is None
    assert smallest["removed-once"] == 4
    assert smallest["no-concurrent-additions"] == 5


def test_the_report_has_the_smallest_counterexamples(report: JsonObject) -> None:
    found: Any = report["counterexamples"]
    assert [len(each["nodes"]) for each in found] == [5, 5, 6]
    assert found[2]["answers"] == ["no-concurrent-additions"]
    assert all(each["sets"] for each in found)


def test_the_text_shows_counts_premises_and_drawings(report: JsonObject) -> None:
    text = render(report)
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert "5 357 11,424 828 1,143 828 4,304" in lines
    assert "added-once 4,294 0 0 sufficient the element is added at most once" in lines
    assert (
        "removed-once 9,650 466 466 fails from 4 nodes on the element is removed at most once"
        in lines
    )
    assert "merging {2, 3, 4}: {} in the order 2 3 4 or 3 2 4; {x} in the other 4 orders" in lines
    assert "o-+ 3 <- 1 {x}" in lines


def test_the_text_reports_that_there_is_no_counterexample() -> None:
    text = render(EXHAUSTIVE.run({"nodes": 3}, HERE))
    assert text.endswith("No counterexample.")
