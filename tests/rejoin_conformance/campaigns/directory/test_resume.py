"""A campaign that was interrupted goes on, and ends as if nothing had happened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from attrs import define

from rejoin_conformance.campaigns.block import examine_block
from rejoin_conformance.campaigns.directory.open_directory import directory_of
from rejoin_conformance.campaigns.directory.rows import FinishedBlock
from rejoin_conformance.campaigns.directory.spark_store import SparkStore
from rejoin_conformance.campaigns.directory.store import (
    Store,
    StoreError,
    UnreachableError,
)
from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Plan
from rejoin_conformance.campaigns.run_campaign import run_campaign
from rejoin_conformance.campaigns.spark.failures import JobFailedError
from rejoin_conformance.campaigns.spark.spread import OnSpark
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.kit.json_types import JsonObject

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PLAN = Plan(
    system="history-merge",
    profile="tiny",
    readings=("document",),
    seed=5,
    histories=6 * BLOCK_SIZE - 100,
)


def silent(_done: int, _total: int, _what: str) -> None:
    """Report no progress."""


@pytest.fixture(scope="module")
def blocks() -> list[FinishedBlock]:
    return [FinishedBlock(examine_block(PLAN, n), n, 1, "here") for n in range(PLAN.blocks)]


@pytest.fixture(scope="module")
def undisturbed(blocks: list[FinishedBlock]) -> Summary:
    summary = Summary(PLAN)
    for block in blocks:
        summary.add(block.result)
    return summary


@define
class CountingStore:
    """A store that counts its writes, and can fail."""

    store: Store
    gives_up: bool = False
    kept: int = 0

    def manifest(self) -> JsonObject | None:
        return self.store.manifest()

    def begin(self, manifest: JsonObject) -> None:
        self.store.begin(manifest)

    def waves(self) -> Iterator[Sequence[FinishedBlock]]:
        return self.store.waves()

    def keep(self, blocks: Sequence[FinishedBlock]) -> None:
        if self.gives_up:
            raise KeyboardInterrupt
        self.store.keep(blocks)
        self.kept += len(blocks)


def test_only_what_is_missing_is_done(
    spark: SparkSession, blocks: list[FinishedBlock], undisturbed: Summary, tmp_path: Path
) -> None:
    with directory_of(PLAN, str(tmp_path)) as store:
        store.keep([blocks[1]])
        store.keep([*blocks[3:5]])
        counting = CountingStore(store)
        summary = run_campaign(PLAN, OnSpark(spark, silent), counting)
        assert counting.kept == 3
        again = CountingStore(store)
        assert run_campaign(PLAN, OnSpark(spark, silent), again).digest == undisturbed.digest
        assert again.kept == 0
    system = system_named(PLAN.system)
    assert summary.digest == undisturbed.digest
    assert summary.to_json(system) == undisturbed.to_json(system)


def test_an_interruption_ends_the_jobs_and_leaves_what_was_kept(
    spark: SparkSession, undisturbed: Summary, tmp_path: Path
) -> None:
    with directory_of(PLAN, str(tmp_path)) as store:
        with pytest.raises(KeyboardInterrupt):
            run_campaign(PLAN, OnSpark(spark, silent), CountingStore(store, gives_up=True))
        assert spark.sparkContext.statusTracker().getActiveJobsIds() == []
        assert list(store.waves()) == []
        assert run_campaign(PLAN, OnSpark(spark, silent), store).digest == undisturbed.digest


def test_spark_keeps_a_campaign_at_any_address_it_understands(
    spark: SparkSession, blocks: list[FinishedBlock], undisturbed: Summary, tmp_path: Path
) -> None:
    store = SparkStore(spark, f"file://{tmp_path}/campaign")
    assert store.manifest() is None
    assert list(store.waves()) == []
    store.begin({"seed": 5})
    assert store.manifest() == {"seed": 5}
    store.keep([*blocks[1:3]])
    store.keep([blocks[2]])  # another driver, unaware of the first
    left_by_a_kill = tmp_path / "campaign" / "blocks" / "0000000003-0000000003" / "_temporary"
    left_by_a_kill.mkdir(parents=True)
    (left_by_a_kill / "part-0.parquet").write_bytes(b"PAR1")
    counting = CountingStore(store)
    summary = run_campaign(PLAN, OnSpark(spark, silent), counting)
    assert counting.kept == 4
    assert summary.digest == undisturbed.digest
    found = [block.result for wave in store.waves() for block in wave]
    assert found == [block.result for block in blocks]


def test_an_address_that_spark_cannot_use_is_one_clear_error(
    spark: SparkSession, blocks: list[FinishedBlock]
) -> None:
    unknown = SparkStore(spark, "nonsense://host/campaign")
    with pytest.raises(StoreError, match=r'cannot be read: .*No FileSystem for scheme "nonsense"'):
        unknown.manifest()
    with pytest.raises(StoreError, match="Incomplete HDFS URI") as wrong:
        SparkStore(spark, "hdfs:///campaign").manifest()
    assert not isinstance(wrong.value, UnreachableError)
    without_jars = SparkStore(spark, "s3a://bucket/campaign")
    with pytest.raises(UnreachableError, match=r"S3AFileSystem not found; correct the address"):
        without_jars.manifest()
    unwritable = SparkStore(spark, "file:///proc/campaign")
    with pytest.raises(StoreError, match=r"/proc/campaign cannot be written to: .*Mkdirs") as error:
        unwritable.begin({})
    assert "\n" not in str(error.value)
    with pytest.raises(StoreError, match=r"/proc/campaign cannot be written to: .*Mkdirs"):
        unwritable.keep([blocks[0]])


def test_blocks_of_another_campaign_among_the_kept_are_refused(
    spark: SparkSession, blocks: list[FinishedBlock], tmp_path: Path
) -> None:
    with directory_of(PLAN, str(tmp_path)) as store:
        store.keep([*blocks[:2]])
        store.keep([blocks[1]])
        with pytest.raises(StoreError, match="block 1 occurs twice"):
            run_campaign(PLAN, OnSpark(spark, silent), store)


def test_a_job_that_fails_for_good_is_one_line(spark: SparkSession) -> None:
    unknown = Plan(system="no-such", profile="tiny", readings=("x",), seed=1, histories=10)
    with pytest.raises(JobFailedError, match=r"blocks 0 to 0: .*KeyError") as failed:
        run_campaign(unknown, OnSpark(spark, silent))
    assert "\n" not in str(failed.value)
