"""An adapter is asked on Spark: the result does not depend on the partitioning."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from attrs import evolve

from rejoin_conformance.adapters.oracle import MODULE, digests_of_vectors, oracle_of
from rejoin_conformance.campaigns.campaign import run_campaign
from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Bounds, Plan
from rejoin_conformance.campaigns.spark.failures import JobFailedError
from rejoin_conformance.campaigns.spark.shipping import send_oracle
from rejoin_conformance.campaigns.spark.spread import OnSpark
from support.changed_oracle import need_oracle
from support.plans import small_plan
from support.spreads import HERE, silent

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SERVE = "from rejoin_conformance.command_line.main import main; main()"
MAXIMAL = "history-merge/maximal"
HELLO = {
    "type": "hello",
    "protocol": 1,
    "name": "wrong",
    "version": "1",
    "language": "Python",
    "operations": [MAXIMAL],
    "readings": {"history-merge": "document"},
}
WRONG_ORACLE = f"""
from rejoin_conformance.adapters.protocol import unnumbered
from rejoin_conformance.kit.json_types import canonical_json

def hello():
    return {json.dumps(HELLO)!r}, {json.dumps(digests_of_vectors("history-merge"))!r}

def ask(operation, reading, value):
    request = unnumbered(operation, reading, canonical_json(value))
    return request, b',"output":{{"wrong":true}}}}'

def agree(answer, reply):
    return answer == reply
"""


def plan_of(adapter: list[str]) -> Plan:
    return small_plan("history-merge", BLOCK_SIZE + 10, seed=3, adapter=shlex.join(adapter))


def test_any_partitioning_gives_the_same_summary(spark: SparkSession) -> None:
    plan = plan_of([sys.executable, "-c", SERVE, "serve"])
    alone = run_campaign(plan, HERE)
    assert alone.counts("document", "checked")["agrees-with-reference"] > BLOCK_SIZE
    assert not alone.found()
    assert run_campaign(plan, OnSpark(spark, silent, 3)).to_json() == alone.to_json()


def test_the_oracle_of_the_driver_answers_on_the_executors(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its answers to one operation are wrong, which the installed module's are not."""
    (tmp_path / MODULE).mkdir()
    (tmp_path / MODULE / "__init__.py").write_text(WRONG_ORACLE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, MODULE, None)  # so that undo() removes what is imported now
    del sys.modules[MODULE]
    oracle_of.cache_clear()
    sent = send_oracle(spark)
    monkeypatch.undo()
    oracle_of.cache_clear()
    assert sent is not None
    assert sent.operations == {MAXIMAL}
    plan = evolve(plan_of([sys.executable, "-c", SERVE, "serve"]), seed=4)  # in a new child
    found = run_campaign(plan, OnSpark(spark, silent, 3, oracle=sent)).found()
    assert [(each.law, each.kind) for each in found] == [("oracle-agrees", MAXIMAL)]


@pytest.mark.full_run("oracle")
def test_the_oracle_runs_the_histories_of_laws_on_the_executors(spark: SparkSession) -> None:
    need_oracle("history-merge")
    plan = small_plan("history-merge", BLOCK_SIZE + 10, seed=3, bounds=Bounds(laws_by="oracle"))
    summary = run_campaign(plan, OnSpark(spark, silent, 3, oracle=send_oracle(spark)))
    assert summary.total("answered", "oracle") == plan.histories
    assert summary.digest == run_campaign(evolve(plan, bounds=Bounds()), HERE).digest


def test_a_job_that_fails_for_good_is_one_line(spark: SparkSession) -> None:
    broken = small_plan("config-merge", 10, rule="1 / 0", readings=("rule.py",))
    with pytest.raises(JobFailedError, match=r"blocks 0 to 0: ") as failed:
        run_campaign(broken, OnSpark(spark, silent))
    assert "\n" not in str(failed.value)


@pytest.mark.long  # starts a JVM
def test_a_program_that_is_not_an_adapter_fails_the_job_with_its_reason(
    spark: SparkSession,
) -> None:
    with pytest.raises(JobFailedError, match="AdapterUnusableError: the adapter cannot be started"):
        run_campaign(plan_of(["/nowhere/adapter"]), OnSpark(spark, silent))
