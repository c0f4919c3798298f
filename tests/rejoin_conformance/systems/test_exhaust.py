"""The reports of the exhaustive checks. Their texts are in `tests/transcripts/exhaust.txt`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pytest

from rejoin_conformance.campaigns.spark.spread import OnSpark
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.system import ExhaustiveCheck
from support.spreads import HERE, silent

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SIZES = {"conflict-detection": {"clients": 2, "uploads": 3}, "history-merge": {"nodes": 4}}


def check_of(name: str) -> ExhaustiveCheck:
    check = system_named(name).exhaustive
    assert check is not None
    return check


@pytest.mark.full_run("Spark")
@pytest.mark.parametrize(("name", "size"), SIZES.items())
def test_the_partitioning_makes_no_difference(
    name: str, size: Mapping[str, int], spark: SparkSession
) -> None:
    here = check_of(name).run(size, HERE)
    for tasks in (None, 7):
        assert check_of(name).run(size, OnSpark(spark, silent, tasks)) == here


def test_rounds_are_reported_as_they_are_done(spark: SparkSession) -> None:
    seen: list[tuple[int, int]] = []
    spread = OnSpark(spark, lambda done, total, _: seen.append((done, total)))
    check_of("conflict-detection").run({"clients": 2, "uploads": 2}, spread)
    assert seen == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_a_counterexample_says_how_associativity_fails() -> None:
    report: Any = check_of("history-merge").run({"nodes": 4}, HERE)
    assert report["counterexamples"][0]["splits"] == [
        {"a": ["2", "4"], "b": ["3"], "together": [], "over_new_node": ["x"]},
        {"a": ["3", "4"], "b": ["2"], "together": [], "over_new_node": ["x"]},
    ]
