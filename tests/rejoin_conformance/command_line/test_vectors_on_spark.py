"""`rejoin verify` and `rejoin run` give the same result on Spark as in one process."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rejoin_conformance.command_line.main import run
from rejoin_conformance.kit.locations import vectors_directory

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SERVE = f"{sys.executable} -m rejoin_conformance.command_line.main serve"
FILE = "history-merge/partial-orders.json"


@pytest.mark.parametrize(
    "command",
    [
        ["verify"],
        pytest.param(["run", "--adapter", SERVE], marks=pytest.mark.full_run("Spark")),
    ],
)
def test_a_corpus_is_judged_on_spark_as_here(
    command: list[str],
    spark: SparkSession,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One vector expects a wrong result."""
    corpus: Any = json.loads((vectors_directory() / FILE).read_text("utf-8"))
    wrong = next(v for v in corpus["vectors"] if v["id"].endswith("/maximal-of-all"))
    wrong["expected"]["output"]["nodes"] = ["p"]
    (tmp_path / FILE).parent.mkdir()
    (tmp_path / FILE).write_text(json.dumps(corpus), "utf-8")
    judged = []
    for place in ([], ["--spark"]):
        what = ["history-merge", "--corpus", str(tmp_path), "--no-index", "--json", *place]
        assert run([*command, *what]) == 1
        judged.append(json.loads(capsys.readouterr().out))
    here, there = judged
    assert there == here
    assert [each["id"] for each in here.get("failures", here.get("mismatches"))] == [wrong["id"]]
    assert spark.range(2).count() == 2
