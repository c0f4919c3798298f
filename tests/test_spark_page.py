"""docs/spark.md: its queries give the results that it shows, and its notebook runs in order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import rejoin_conformance.spark as rejoin_spark
from rejoin_conformance.command_line.main import run
from support.kept_tables import connected, queries_in, shown

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PAGE = (Path(__file__).parents[1] / "docs" / "spark.md").read_text(encoding="utf-8")
COMMAND = next(line for line in PAGE.splitlines() if line.startswith("rejoin fuzz conflict-"))
QUERIES = [*queries_in(PAGE)]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder in which the command of the page has run."""
    folder = tmp_path_factory.mktemp("page")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert run([*COMMAND.split()[1:], "--tries", "1", "--json"]) == 0
        yield folder


def test_the_queries_give_the_results_of_the_page(place: Path) -> None:
    assert len(QUERIES) == 10
    with connected(place / "campaigns" / "cd") as database:
        for query, result in QUERIES:
            found = database.sql(query)
            assert shown(found.columns, found.fetchall()) == result, query


def test_spark_gives_the_same_results(spark: SparkSession, place: Path) -> None:
    for name, frame in rejoin_spark.kept(spark, str(place / "campaigns" / "cd")).items():
        frame.createOrReplaceTempView(name)
    for query, result in QUERIES:
        found = spark.sql(query)
        assert shown(found.columns, found.collect()) == result, query


def test_the_blocks_of_the_notebook_run_in_order(spark: SparkSession, place: Path) -> None:
    known: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.+?)```", PAGE, re.DOTALL)[:-1]:
        exec(block, known)
    assert known["spark"] is spark
    assert len(known["digests"]) == 2
    assert {row["verdict"] for row in known["verdicts"].collect()} == {"pass"}
    assert spark.range(2).count() == 2
