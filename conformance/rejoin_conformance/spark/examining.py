"""The histories of a plan, examined by the tasks of a data frame."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from rejoin_conformance.campaigns.kept.campaign import header_of
from rejoin_conformance.campaigns.kept.store import new_attempt
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.spark.session import cores_of
from rejoin_conformance.campaigns.spark.slices import TASKS_A_CORE
from rejoin_conformance.campaigns.spark.spread import examined_batches
from rejoin_conformance.campaigns.tables import KEY, TABLES, ddl

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


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
    write it, or cache it.
    """
    tasks = min(partitions or TASKS_A_CORE * cores_of(spark), plan.blocks)
    campaign = str(header_of(plan, shipped)["campaign"])
    work = partial(examined_batches, plan, campaign, new_attempt(), shipped=shipped)
    wide = spark.range(0, plan.blocks, 1, tasks).mapInArrow(work, ddl())
    if table is None:
        return wide
    return wide.where(f"table = '{table}'").select(*KEY, *TABLES[table])
