"""The tables of a kept campaign as data frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rejoin_conformance.campaigns.kept.campaign import (
    directory_to_read,
    empty_summary,
    local_folder,
)
from rejoin_conformance.campaigns.tables import BLOCKS, TABLES, ddl

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_CAMPAIGNS: Final = "campaigns"


def kept(spark: SparkSession, directory: str) -> dict[str, DataFrame]:
    """Return table -> its rows, for each table of a campaign that is kept in a folder or at a URL.

    A block that is not finished has no rows. Of a block that was done more than once, only the
    latest attempt has rows. The checksums are not verified; `rejoin report` does that. Raises
    StoreError if there is no campaign, or this version cannot read it.
    """
    empty_summary(directory_to_read(directory, spark))
    folder = local_folder(directory)
    root = directory.rstrip("/") if folder is None else folder.absolute().as_uri()
    there = _tables_at(spark, root)

    def frame(name: str) -> DataFrame:
        if name not in there:  # to read it would log an error of a hundred lines
            return spark.createDataFrame([], ddl(name))
        return spark.read.schema(ddl(name)).parquet(f"{root}/{name}")

    frames = {_CAMPAIGNS: spark.read.parquet(f"{root}/{_CAMPAIGNS}")}
    latest = frame(BLOCKS).groupBy("block").agg({"attempt": "max"}).toDF("block", "attempt")
    for name in TABLES:
        rows = frame(name)
        frames[name] = rows.join(latest, ["block", "attempt"], "left_semi").select(rows.columns)
    return frames


def _tables_at(spark: SparkSession, root: str) -> set[str]:
    """Return the tables that have files."""
    options = {"recursiveFileLookup": "true", "pathGlobFilter": "*.parquet"}
    files = spark.read.format("binaryFile").options(**options).load(root)
    return {
        row[0] for row in files.selectExpr("element_at(split(path, '/'), -2)").distinct().collect()
    }
