"""A campaign that was interrupted goes on, and ends as if nothing had happened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from attrs import define

from rejoin_conformance.campaigns.kept.campaign import directory_of
from rejoin_conformance.campaigns.kept.on_spark import AtUrl
from rejoin_conformance.campaigns.kept.store import (
    Row,
    Store,
    StoreError,
    UnreachableError,
    every_row,
)
from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Plan
from rejoin_conformance.campaigns.run_campaign import run_campaign
from rejoin_conformance.campaigns.spark.spread import OnSpark
from rejoin_conformance.kit.codec import plain
from rejoin_conformance.kit.json_types import JsonObject
from support.kept_campaigns import finished, undisturbed
from support.spreads import silent

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PLAN = Plan(
    system="history-merge",
    profile="tiny",
    readings=("document",),
    seed=5,
    histories=6 * BLOCK_SIZE - 100,
)


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return [plain(each) for each in finished(PLAN, range(PLAN.blocks))]


@define
class CountingStore:
    """A store that counts its writes, and can fail."""

    store: Store
    gives_up: bool = False
    kept: int = 0

    def header(self) -> JsonObject | None:
        return self.store.header()

    def begin(self, header: JsonObject) -> None:
        self.store.begin(header)

    def rows(self) -> Iterator[Sequence[Row]]:
        return self.store.rows()

    def add(self, rows: Sequence[Row]) -> None:
        if self.gives_up:
            raise KeyboardInterrupt
        self.store.add(rows)
        self.kept += len(rows)


def test_only_what_is_missing_is_done(spark: SparkSession, rows: list[Row], tmp_path: Path) -> None:
    with directory_of(PLAN, str(tmp_path)) as store:
        store.add([rows[1]])
        store.add(rows[3:5])
        with pytest.raises(KeyboardInterrupt):
            run_campaign(PLAN, OnSpark(spark, silent), CountingStore(store, gives_up=True))
        assert spark.sparkContext.statusTracker().getActiveJobsIds() == []
        counting, again = CountingStore(store), CountingStore(store)
        summary = run_campaign(PLAN, OnSpark(spark, silent), counting)
        assert counting.kept == 3
        assert run_campaign(PLAN, OnSpark(spark, silent), again).digest == summary.digest
        assert again.kept == 0
        assert summary.to_json() == undisturbed(PLAN).to_json()
        store.add([rows[1], rows[2]])
        with pytest.raises(StoreError, match="block 1 occurs twice"):
            run_campaign(PLAN, OnSpark(spark, silent), store)


@pytest.mark.long  # reads and writes data frames many times
def test_spark_keeps_a_campaign_at_any_address_it_understands(
    spark: SparkSession, rows: list[Row], tmp_path: Path
) -> None:
    store = AtUrl(spark, f"file://{tmp_path}/campaign")
    assert store.header() is None
    assert every_row(store) == []
    store.begin({"seed": 5})
    assert store.header() == {"seed": 5}
    store.add(rows[1:3])
    store.add([rows[2]])  # another driver, unaware of the first
    left_by_a_kill = tmp_path / "campaign" / "blocks" / "0000000003-0000000003" / "_temporary"
    left_by_a_kill.mkdir(parents=True)
    (left_by_a_kill / "part-0.parquet").write_bytes(b"PAR1")
    counting = CountingStore(store)
    summary = run_campaign(PLAN, OnSpark(spark, silent), counting)
    assert counting.kept == 4
    assert summary.digest == undisturbed(PLAN).digest
    assert [each["value"] for each in every_row(store)] == [each["value"] for each in rows]


@pytest.mark.long  # Spark takes seconds to refuse an address
def test_an_address_that_spark_cannot_use_is_one_clear_error(
    spark: SparkSession, rows: list[Row]
) -> None:
    unknown = AtUrl(spark, "nonsense://host/campaign")
    with pytest.raises(StoreError, match=r'cannot be read: .*No FileSystem for scheme "nonsense"'):
        unknown.header()
    with pytest.raises(StoreError, match="Incomplete HDFS URI") as wrong:
        AtUrl(spark, "hdfs:///campaign").header()
    assert not isinstance(wrong.value, UnreachableError)
    with pytest.raises(UnreachableError, match=r"S3AFileSystem not found; correct the address"):
        AtUrl(spark, "s3a://bucket/campaign").header()
    unwritable = AtUrl(spark, "file:///proc/campaign")
    with pytest.raises(StoreError, match=r"/proc/campaign cannot be written to: .*Mkdirs") as error:
        unwritable.begin({})
    assert "\n" not in str(error.value)
    with pytest.raises(StoreError, match=r"/proc/campaign cannot be written to: .*Mkdirs"):
        unwritable.add([rows[0]])
