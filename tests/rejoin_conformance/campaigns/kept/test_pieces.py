"""The values of pieces are kept in a folder; an interrupted run continues after them."""

from __future__ import annotations

from contextlib import AbstractContextManager
from operator import neg
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from attrs import define, field

from rejoin_conformance.campaigns.kept.folder import kept_work
from rejoin_conformance.campaigns.kept.store import (
    EXHAUST,
    StoreError,
    code_digest,
    new_header,
)
from rejoin_conformance.campaigns.spark.spread import OnSpark
from rejoin_conformance.kit.json_types import Json, JsonObject
from support.spreads import HERE, Place, keeping, silent

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def plan_of(size: int) -> JsonObject:
    return {"system": "work", "size": size}


def kept_in(directory: Path, spread: Place, size: int = 5) -> AbstractContextManager[Place]:
    return keeping(spread, directory / "work", EXHAUST, plan_of(size))


@define
class Work:
    """Work that is interrupted when it reaches a piece. done: the pieces that it has done."""

    last: int = -1
    done: list[int] = field(factory=list)

    def __call__(self, piece: int) -> Json:
        """Return the value of a piece."""
        if piece == self.last:
            raise KeyboardInterrupt
        self.done.append(piece)
        return {"square": piece * piece}


def test_an_interrupted_run_continues_with_the_missing_pieces(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), kept_in(tmp_path, HERE) as spread:
        spread.pieces(Work(2), 4, "squaring")
    rest, other = Work(), Work()
    with kept_in(tmp_path, HERE) as spread:
        assert spread.pieces(rest, 4, "squaring") == HERE.pieces(Work(), 4, "squaring")
        assert rest.done == [2, 3]
        spread.pieces(other, 2, "squaring once more")
        assert other.done == [0, 1]
        assert spread.pieces(Work(0), 0, "nothing") == []
    with kept_in(tmp_path, HERE) as spread:
        assert spread.pieces(Work(0), 2, "squaring once more") == [{"square": 0}, {"square": 1}]


@pytest.mark.parametrize("tasks", [None, 3])
def test_spark_gives_and_keeps_the_same_results(
    tmp_path: Path, spark: SparkSession, tasks: int | None
) -> None:
    said: list[tuple[int, int, str]] = []
    there = OnSpark(spark, lambda *step: said.append(step), tasks)
    # Spark's processes import the module of a function, and cannot import this one.
    with kept_in(tmp_path, there) as spread:
        found = spread.pieces(neg, 5, "negating")
    assert found == HERE.pieces(neg, 5, "negating")
    assert (said[0], said[-1]) == ((0, 5, "negating"), (5, 5, "negating"))
    with kept_in(tmp_path, HERE) as spread:
        assert spread.pieces(Work(0), 5, "negating") == [-piece for piece in range(5)]
    assert OnSpark(spark, silent).pieces(neg, 0, "nothing") == []


def test_results_of_other_bounds_or_code_are_refused_in_one_line(tmp_path: Path) -> None:
    with kept_in(tmp_path, HERE):
        pass
    with pytest.raises(StoreError, match=r"\(size 5 there, 6 here\)"):
        kept_in(tmp_path, HERE, 6).__enter__()
    with kept_work(tmp_path / "other", new_header(EXHAUST, plan_of(5), "0.0+other")):
        pass
    with pytest.raises(StoreError, match=r"\(code 0.0\+other there, .* here\); choose"):
        keeping(HERE, tmp_path / "other", EXHAUST, plan_of(5)).__enter__()


def test_other_sources_and_texts_have_another_digest(tmp_path: Path) -> None:
    source, found = tmp_path / "one.py", []
    for change in (
        lambda: source.write_text("1"),
        lambda: source.write_text("2"),
        lambda: source.rename(tmp_path / "two.py"),
        lambda: (tmp_path / "two.txt").write_text("3"),
    ):
        change()
        found.append(code_digest(tmp_path))
    assert len({*found}) == 4
    (tmp_path / "two.so").write_text("4")
    assert code_digest(tmp_path) == found[-1]
