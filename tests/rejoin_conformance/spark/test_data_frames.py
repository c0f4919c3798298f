"""Campaigns, vectors and answers as data frames, in a session that is the caller's."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from attrs import evolve
from pyspark.errors import AnalysisException

import rejoin_conformance.spark as rejoin_spark
from rejoin_conformance.adapters.run_options import WrongUsageError
from rejoin_conformance.campaigns.block import examine_block
from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Plan
from rejoin_conformance.corpus.load import load_checked
from rejoin_conformance.spark.frames import vector_of, verdict_rows
from support.kept_campaigns import undisturbed
from support.spark_cluster import PORT
from support.toy_runs import TOY_ADAPTER

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

PLAN = Plan(
    system="history-merge",
    profile="tiny",
    readings=("document",),
    seed=1,
    histories=2 * BLOCK_SIZE + 50,
)
SWITCHED = "document+fold_order=descending"
SERVE = f"{sys.executable} -m rejoin_conformance.command_line.main serve"


def digests(blocks: DataFrame) -> list[str]:
    rows = blocks.where("digest is not null").orderBy("block").select("digest").collect()
    return [str(row[0]) for row in rows]


@pytest.fixture(scope="module")
def wanted() -> list[str]:
    blocks = range(PLAN.blocks)
    return [str(examine_block(PLAN, block)["blocks"][0]["digest"]) for block in blocks]


def test_a_plan_is_examined_as_a_frame(spark: SparkSession, wanted: list[str]) -> None:
    wide = rejoin_spark.examined(spark, PLAN, partitions=2).cache()
    assert digests(wide) == wanted
    summed = wide.where("kind = 'checked'").groupBy("reading", "name").sum("count").collect()
    counts = undisturbed(PLAN).counts("document", "checked")
    assert {row[1]: row[2] for row in summed} == counts
    assert wide.where("table = 'blocks'").count() == PLAN.blocks
    wide.unpersist()
    violations = rejoin_spark.examined(spark, evolve(PLAN, histories=10), "violations")
    assert violations.columns[:4] == ["campaign", "attempt", "block", "index"]


@pytest.mark.full_run("Spark")
def test_a_campaign_is_a_data_source(spark: SparkSession, wanted: list[str]) -> None:
    rejoin_spark.register(spark)
    source = spark.read.format("rejoin").options(
        system=PLAN.system, profile=PLAN.profile, histories=PLAN.histories
    )
    assert digests(source.option("table", "blocks").load()) == wanted


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"system": None}, "give the option system: one of conf"),
        ({"profil": "tiny"}, "there is no option 'profil'; .*did you mean profile"),
        ({"table": "block"}, "there is no table 'block'; choose one of counts.*mean blocks"),
        ({"profile": "tinny"}, "there is no profile 'tinny'; choose one of .*; did you mean tiny"),
        ({"histories": "many"}, "histories: 'many' is no integer from 1 to "),
        ({"operations": "merge"}, "the options operations and shipped need adapter"),
        ({"operations": "nothing-such", "adapter": SERVE}, "nothing-such: there is no such operat"),
        ({"adapter": "no-such-port"}, "no-such-port: there is no program of this name"),
        ({"adapter": f"{sys.executable} {TOY_ADAPTER} well-behaved"}, "declares none of the"),
    ],
)
def test_wrong_options_of_a_data_source_are_refused(
    spark: SparkSession, options: dict[str, str | None], message: str
) -> None:
    rejoin_spark.register(spark)
    given = {"system": PLAN.system, "histories": "5", **options}
    with pytest.raises(AnalysisException, match=message):
        spark.read.format("rejoin").options(**given).load().count()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"system": "hm"}, "there is no system 'hm'; choose one of conf"),
        ({"profile": "tinny"}, "there is no profile 'tinny'; choose one of .*; did you mean tiny"),
        ({"readings": ("docu",)}, "there is no reading 'docu'; choose one of document, "),
        ({"readings": ("own.py",)}, "own.py: a rule file is not possible here"),
        ({"readings": (SWITCHED,), "adapter": SERVE}, "there is no reading .document.fold_order"),
        ({"readings": "document"}, "readings: expected a tuple of texts, not the text 'document'"),
    ],
)
def test_a_wrong_plan_is_refused(
    spark: SparkSession, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(WrongUsageError, match=message):
        rejoin_spark.examined(spark, evolve(PLAN, **changes))
    with pytest.raises(WrongUsageError, match="there is no table 'bloks'; choose one of counts"):
        rejoin_spark.examined(spark, PLAN, "bloks")


def test_an_unknown_reading_of_vectors_is_refused(spark: SparkSession) -> None:
    with pytest.raises(WrongUsageError, match="there is no reading 'docu'; choose one of"):
        rejoin_spark.verified(spark.range(1), reading="docu")
    rejoin_spark.register(spark)
    answers = spark.read.format("rejoin-answers").options(reading="libsession", system=PLAN.system)
    with pytest.raises(AnalysisException, match="no reading 'libsession' of history-merge, but of"):
        answers.load().count()


def test_an_adapter_answers_in_no_other_reading_than_the_one_that_is_asked() -> None:
    vectors = load_checked(["history-merge"])["history-merge"][:1]
    assert [*verdict_rows(SERVE, "libsession", vectors)] == []


@pytest.mark.parametrize("text", ["{}", "[1]", "no JSON", '{"id":"hm/x/y"}'])
def test_a_row_that_is_not_a_vector_is_named(text: str) -> None:
    with pytest.raises(WrongUsageError, match=re.escape(f"the row {text} is not a vector: ")):
        vector_of(text)


@pytest.mark.full_run("Spark")
def test_vectors_and_answers_are_data_sources(spark: SparkSession) -> None:
    rejoin_spark.register(spark)
    vectors = load_checked(["config-merge"])["config-merge"]
    source = spark.read.format("rejoin-vectors").option("system", "config-merge").load()
    assert source.count() == len(vectors)
    few = source.where("operation = 'config-merge/diff'")
    verdicts = rejoin_spark.verified(few).groupBy("reading", "verdict").count().collect()
    assert {(row[0], row[1]) for row in verdicts} == {("document", "pass"), ("libsession", "pass")}
    answers = spark.read.format("rejoin-answers").option("system", "config-merge")
    assert answers.option("reading", "libsession").load().where("verdict = 'pass'").count() == sum(
        "libsession" in vector.readings for vector in vectors
    )


def test_a_campaign_asks_a_program_that_was_sent(spark: SparkSession, tmp_path: Path) -> None:
    rejoin_spark.register(spark)
    program = tmp_path / "a-port"
    program.write_text(PORT)
    program.chmod(0o755)
    source = spark.read.format("rejoin").options(
        system=PLAN.system, profile="tiny", histories=5, adapter="{shipped}", table="verdicts"
    )
    source = source.option("shipped", rejoin_spark.send_program(spark, program))
    asked = source.option("operations", "maximal").load().select("operation", "verdict").distinct()
    assert [tuple(row) for row in asked.collect()] == [("history-merge/maximal", "pass")]


@pytest.mark.parametrize(
    "adapter", [None, pytest.param(SERVE, marks=pytest.mark.full_run("Spark"))]
)
def test_vectors_of_any_frame_are_answered(spark: SparkSession, adapter: str | None) -> None:
    rejoin_spark.register(spark)
    source = spark.read.format("rejoin-vectors").option("system", "history-merge").load()
    few = source.where("operation = 'history-merge/maximal'").cache()
    verdicts = rejoin_spark.verified(few, adapter, "document")
    assert [tuple(row) for row in verdicts.groupBy("verdict").count().collect()] == [
        ("pass", few.count())
    ]
    wrong = few.selectExpr('replace(vector, \'"nodes":[]}}\', \'"nodes":["x"]}}\') as vector')
    failed = rejoin_spark.verified(wrong, adapter, "document").where("verdict = 'fail'")
    assert failed.count() > 0
    assert all(row["observed"] for row in failed.collect())


def test_a_session_that_was_there_is_not_stopped_and_nothing_of_the_process_changes(
    spark: SparkSession,
) -> None:
    before = dict(os.environ)
    with rejoin_spark.session() as mine:
        assert mine is spark
    assert spark.range(3).count() == 3
    assert dict(os.environ) == before
    with pytest.raises(Exception, match="has a Spark session on local"):
        rejoin_spark.session("local[7]").__enter__()
