"""A campaign that was interrupted goes on, and ends as if nothing had happened."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rejoin_conformance.campaigns.adapter_block import examiner
from rejoin_conformance.campaigns.campaign import directory_of, header_of, run_campaign
from rejoin_conformance.campaigns.kept.at_url import AtUrl
from rejoin_conformance.campaigns.kept.store import StoreError, UnusableNowError
from rejoin_conformance.campaigns.plan import BLOCK_SIZE
from rejoin_conformance.campaigns.spark.spread import OnSpark
from rejoin_conformance.campaigns.tables import BLOCKS, Tables, block_row
from support.kept_campaigns import finished, keep, undisturbed
from support.plans import small_plan
from support.spreads import silent

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PLAN = small_plan("history-merge", 6 * BLOCK_SIZE - 100, seed=5)


def test_only_what_is_missing_is_done(spark: SparkSession, tmp_path: Path) -> None:
    keep(tmp_path, PLAN, *finished(PLAN, (1, 3, 4)))

    seen: list[tuple[int, int]] = []

    def interrupted(done: int, _total: int, _what: str) -> None:
        if done > 3 * BLOCK_SIZE:
            raise KeyboardInterrupt

    with directory_of(PLAN, str(tmp_path)) as store:
        with pytest.raises(KeyboardInterrupt):
            run_campaign(PLAN, OnSpark(spark, interrupted, kept=store))
        assert spark.sparkContext.statusTracker().getActiveJobsIds() == []
        began = time.time_ns() // 1000
        place = OnSpark(spark, lambda done, total, _what: seen.append((done, total)), 3, kept=store)
        summary = run_campaign(PLAN, place)
        assert summary.to_json() == undisturbed(PLAN).to_json()
        assert seen[-1] == (PLAN.histories, PLAN.histories)
        assert all(done <= total for done, total in seen)
        assert sum(each >= began for each in summary.began) < 3
        began = time.time_ns() // 1000
        again = run_campaign(PLAN, OnSpark(spark, silent, kept=store))
        assert again.digest == summary.digest
        assert max(again.began) < began


@pytest.mark.long  # reads and writes data frames many times
def test_executors_keep_a_campaign_at_any_address_that_spark_understands(
    spark: SparkSession, tmp_path: Path
) -> None:
    address = f"file://{tmp_path}/campaign"
    store, other = AtUrl(spark, address), AtUrl(spark, address)
    assert store.header() is None
    assert [*store.blocks()] == []
    store.begin(header_of(PLAN))
    assert store.header() == other.header()
    opens = partial(examiner, PLAN)
    for driver in (store, other):  # another driver, unaware of the first
        blocks = OnSpark(spark, silent, kept=driver).examined(opens, [range(1, 3)], max)
        assert sorted(block for some in blocks for block, _ in some) == [1, 2]
    left_by_a_kill = tmp_path / "campaign" / "blocks" / "_temporary"
    left_by_a_kill.mkdir(parents=True)
    (left_by_a_kill / "part-0.parquet").write_bytes(b"PAR1")
    summary = run_campaign(PLAN, OnSpark(spark, silent, kept=store))
    assert summary.to_json() == undisturbed(PLAN).to_json()
    assert sorted(block for block, _ in store.blocks()) == [*range(PLAN.blocks)]


@pytest.mark.full_run("Spark")
def test_slices_that_end_at_the_same_time_are_all_kept(spark: SparkSession, tmp_path: Path) -> None:
    store = AtUrl(spark, f"file://{tmp_path}/campaign")
    store.begin(header_of(PLAN))
    row = {"reading": "document", "kind": "checked", "name": "law", "count": 1}

    def opens() -> AbstractContextManager[Callable[[int], Tables]]:
        return nullcontext(lambda _block: {"counts": [row], BLOCKS: [block_row(histories=1)]})

    def keep_slice(block: int) -> None:
        place = OnSpark(spark, silent, 1, kept=store)
        list(place.examined(opens, [range(block, block + 1)], max))

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(keep_slice, range(8)))
    assert sorted(block for block, _ in store.blocks()) == [*range(8)]


@pytest.mark.long  # Spark takes seconds to refuse an address
def test_an_address_that_spark_cannot_use_is_one_clear_error(spark: SparkSession) -> None:
    unknown = AtUrl(spark, "nonsense://host/campaign")
    with pytest.raises(StoreError, match=r'cannot be read: .*No FileSystem for scheme "nonsense"'):
        unknown.header()
    with pytest.raises(StoreError, match="Incomplete HDFS URI") as wrong:
        AtUrl(spark, "hdfs:///campaign").header()
    assert not isinstance(wrong.value, UnusableNowError)
    with pytest.raises(UnusableNowError, match=r"S3AFileSystem not found; correct the address"):
        AtUrl(spark, "s3a://bucket/campaign").header()
    unwritable = AtUrl(spark, "file:///proc/campaign")
    with pytest.raises(StoreError, match=r"/proc/campaign cannot be written to: .*Mkdirs") as error:
        unwritable.begin(header_of(PLAN))
    assert "\n" not in str(error.value)
