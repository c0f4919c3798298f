"""Work that is spread over Spark gives the same list however it is dealt out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rejoin_conformance.campaigns.spark.spread import OnSpark
from rejoin_conformance.kit.json_types import Json

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def _work(piece: int) -> Json:
    return {"piece": piece, "square": piece * piece}


def test_results_come_in_the_order_of_the_pieces(spark: SparkSession) -> None:
    expected = [_work(piece) for piece in range(10)]
    for tasks in (1, 3, 10, 64, None):
        assert OnSpark(spark, lambda *_: None, tasks).pieces(_work, 10, "squares") == expected


def test_progress_begins_with_nothing_and_ends_with_all(spark: SparkSession) -> None:
    said: list[tuple[int, int, str]] = []
    OnSpark(spark, lambda *step: said.append(step), 2).pieces(_work, 4, "squares")
    assert said[0] == (0, 2, "squares")
    assert said[-1] == (2, 2, "squares")


def test_no_pieces_have_no_results(spark: SparkSession) -> None:
    assert OnSpark(spark, lambda *_: None).pieces(_work, 0, "nothing") == []
