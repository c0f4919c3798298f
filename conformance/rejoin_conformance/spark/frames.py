"""The histories of a plan, examined by the tasks of a data frame; the tables of a kept campaign."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from attrs import evolve

from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.run_options import WrongUsageError
from rejoin_conformance.campaigns.adapter_block import examiner
from rejoin_conformance.campaigns.kept.at_url import AtUrl
from rejoin_conformance.campaigns.kept.campaign import (
    directory_to_read,
    empty_summary,
    header_of,
    local_folder,
)
from rejoin_conformance.campaigns.kept.store import CAMPAIGNS, new_attempt
from rejoin_conformance.campaigns.plan import Plan, chosen_operations
from rejoin_conformance.campaigns.spark.session import cores_of
from rejoin_conformance.campaigns.spark.spread import TASKS_A_CORE, examined_batches
from rejoin_conformance.campaigns.tables import BLOCKS, KEY, TABLES, ddl
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.kit.text import shown_line
from rejoin_conformance.spark.verifying import greeted

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

    Work: TypeAlias = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]


def examined(
    spark: SparkSession,
    plan: Plan,
    table: str | None = None,
    partitions: int | None = None,
    shipped: str | None = None,
) -> DataFrame:
    """Return the rows of a campaign: those of one table, or of all tables in one wide frame.

    table: one of `campaigns.tables.TABLES`. In the wide frame, the column `table` names the table
    of a row, and the columns of other tables are null. partitions: the number of tasks; the rows do
    not depend on it. shipped: the name of a program that `send_program` has sent, for `{shipped}`
    in the command line of the plan's adapter. Each action on the frame runs the campaign again:
    write it, or cache it. Raises WrongUsageError or AdapterUnusableError if it would ask nothing.
    """
    tasks = min(partitions or TASKS_A_CORE * cores_of(spark), plan.blocks)
    wide = spark.range(0, plan.blocks, 1, tasks).mapInArrow(work_of(plan, shipped), ddl())
    if table is None:
        return wide
    return wide.where(f"table = '{table}'").select(*KEY, *TABLES[table])


def work_of(plan: Plan, shipped: str | None) -> Work:
    """Return the work of a task: batches of one column, the blocks -> batches of the wide frame.

    Raises WrongUsageError or AdapterUnusableError if it would ask nothing.
    """
    system = system_named(plan.system)
    plan = evolve(plan, operations=chosen_operations([system], plan.operations))
    hello = greeted(plan.adapter, Limits(timeout=plan.timeout), shipped)
    asked = plan.operations or [each.name for each in system.operations]
    if hello is not None and not {*asked} & {*hello.operations}:
        name = shown_line(hello.name)
        raise WrongUsageError(f"{name} declares none of the selected operations of {system.name}")
    campaign, opens = str(header_of(plan, shipped)["campaign"]), partial(examiner, plan)
    return partial(examined_batches, opens, campaign, new_attempt(), shipped=shipped)


def kept(spark: SparkSession, directory: str) -> dict[str, DataFrame]:
    """Return table -> its rows, for each table of a campaign that is kept in a folder or at a URL.

    A block that is not finished has no rows. Of a block that was done more than once, only the
    latest attempt has rows. The checksums are not verified; `rejoin report` does that. Raises
    StoreError if there is no campaign, or this version cannot read it.
    """
    empty_summary(directory_to_read(directory, spark))
    folder = local_folder(directory)
    root = directory.rstrip("/") if folder is None else folder.absolute().as_uri()
    there = AtUrl(spark, root).frames()
    every = {name: there.get(name, spark.createDataFrame([], ddl(name))) for name in TABLES}
    latest = every[BLOCKS].groupBy("block").agg({"attempt": "max"}).toDF("block", "attempt")
    frames = {CAMPAIGNS: spark.read.parquet(f"{root}/{CAMPAIGNS}")}
    for name, rows in every.items():
        frames[name] = rows.join(latest, ["block", "attempt"], "left_semi").select(rows.columns)
    return frames
