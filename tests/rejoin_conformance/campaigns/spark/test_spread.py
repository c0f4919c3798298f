"""Work that is spread over Spark gives the same list however it is dealt out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rejoin_conformance.campaigns.spark.spread import spread
from rejoin_conformance.kit.json_types import Json

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def _work(piece: int) -> Json:
    return {"piece": piece, "square": piece * piece}


def test_results_come_in_the_order_of_the_pieces(spark: SparkSession) -> None:
    expected = [_work(piece) for piece in range(10)]
    for tasks in (1, 3, 10, 64, None):
        assert spread(spark, _work, 10, lambda *_: None, "squares", tasks) == expected


def test_progress_begins_with_nothing_and_ends_with_all(spark: SparkSession) -> None:
    said: list[tuple[int, int, str]] = []
    spread(spark, _work, 4, lambda *step: said.append(step), "squares", 2)
    assert said[0] == (0, 2, "squares")
    assert said[-1] == (2, 2, "squares")


def test_no_pieces_have_no_results(spark: SparkSession) -> None:
    assert spread(spark, _work, 0, lambda *_: None, "nothing") == []
