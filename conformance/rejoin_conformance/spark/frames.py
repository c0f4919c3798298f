"""Functions on data frames, whose tasks examine histories or answer vectors; kept campaigns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.protocol import Hello
from rejoin_conformance.adapters.run_options import Selection, WrongUsageError, one_of
from rejoin_conformance.adapters.runner.cases import (
    Case,
    Outcome,
    cases_of,
    refuse_unknown_readings,
)
from rejoin_conformance.adapters.runner.pool import run_cases
from rejoin_conformance.adapters.runner.run_plan import make_adapter
from rejoin_conformance.campaigns.adapter_block import examiner
from rejoin_conformance.campaigns.campaign import (
    directory_to_read,
    empty_summary,
    header_of,
    local_folder,
)
from rejoin_conformance.campaigns.kept.at_url import AtUrl
from rejoin_conformance.campaigns.kept.store import CAMPAIGNS, new_attempt
from rejoin_conformance.campaigns.plan import Plan, checked, known_system
from rejoin_conformance.campaigns.spark.session import cores_of
from rejoin_conformance.campaigns.spark.shipping import place_sent
from rejoin_conformance.campaigns.spark.spread import TASKS_A_CORE, examined_batches
from rejoin_conformance.campaigns.tables import BLOCKS, TABLES, WIDE, arrow_schema, columns_of, ddl
from rejoin_conformance.contract.registry import all_systems, system_named
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.verify import verify_vector
from rejoin_conformance.kit.json_types import JsonObject, canonical_json, strict_json
from rejoin_conformance.kit.text import shown_line

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

    Work: TypeAlias = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]

_SAID: Final = ("verdict", "fault", "missing", "explanation", "stderr", "first_attempt")
"""The fields of an outcome that its row has as they are; an empty one is null."""

VERDICTS: Final = {
    **dict.fromkeys(("id", "system", "operation", "reading", *_SAID, "observed"), "string"),
    **dict.fromkeys(("restarts", "micros"), "long"),
}
"""The columns of verdicts. observed: the result, as JSON or in words, if it is not as expected."""


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
    write it, or cache it. Raises WrongUsageError, also if it would ask an adapter nothing, or
    AdapterUnusableError.
    """
    columns = columns_in(table)
    tasks = min(partitions or TASKS_A_CORE * cores_of(spark), plan.blocks)
    wide = spark.range(0, plan.blocks, 1, tasks).mapInArrow(work_of(plan, shipped), ddl(WIDE))
    if table is None:
        return wide
    return wide.where(f"table = '{table}'").select(*columns)


def columns_in(table: str | None) -> Mapping[str, str]:
    """Return the columns of a table, or of the wide frame for None. Raises WrongUsageError."""
    return WIDE if table is None else columns_of(one_of("table", table, TABLES))


def work_of(plan: Plan, shipped: str | None) -> Work:
    """Return the work of a task: batches of one column, the blocks -> batches of the wide frame.

    Raises WrongUsageError, also if it would ask an adapter nothing, or AdapterUnusableError.
    """
    plan = checked(plan)
    system = system_named(plan.system)
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
    none = {name: spark.createDataFrame([], ddl(columns_of(name))) for name in TABLES}
    every = {**none, **AtUrl(spark, root).frames()}
    latest = every[BLOCKS].groupBy("block").agg({"attempt": "max"}).toDF("block", "attempt")
    frames = {CAMPAIGNS: spark.read.parquet(f"{root}/{CAMPAIGNS}")}
    for name, rows in every.items():
        frames[name] = rows.join(latest, ["block", "attempt"], "left_semi").select(rows.columns)
    return frames


def verified(
    vectors: DataFrame,
    adapter: str | None = None,
    reading: str | None = None,
    limits: Limits | None = None,
    hello: Hello | None = None,
    shipped: str | None = None,
) -> DataFrame:
    """Return the verdict on each vector of a frame, one row for each reading.

    vectors: has a column `vector`, as the data source `rejoin-vectors`. adapter: a command line;
    None for the reference. reading: the only reading; None for every reading that the adapter
    declares, or that the vector has. limits: of the adapter. hello: the hello that every process
    of the adapter must send; None for the hello of the first process of a task. shipped: the name
    of a program that `send_program` has sent, for `{shipped}` in the command line. Raises
    WrongUsageError if no system has the reading, or AdapterUnusableError.
    """
    if reading is not None:
        refuse_unknown_readings([reading], all_systems())
    if hello is None:
        greeted(adapter, limits or Limits(), shipped)

    def answered(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa  # noqa: PLC0415 - a worker's import

        for batch in batches:
            some = [vector_of(text) for text in batch.column("vector").to_pylist()]
            rows = verdict_rows(adapter, reading, some, limits, hello, shipped)
            yield pa.RecordBatch.from_pylist([*rows], schema=arrow_schema(VERDICTS))

    return vectors.select("vector").mapInArrow(answered, ddl(VERDICTS))


def greeted(adapter: str | None, limits: Limits, shipped: str | None) -> Hello | None:
    """Return the hello of an adapter, or None if there is none or its program is elsewhere.

    Raises AdapterUnusableError, in one line, before a task finds the same.
    """
    here = adapter is not None and shipped is None
    return make_adapter(str(adapter), limits).greet() if here else None


def verdict_rows(
    adapter: str | None,
    reading: str | None,
    vectors: Sequence[Vector],
    limits: Limits | None = None,
    hello: Hello | None = None,
    shipped: str | None = None,
) -> Iterator[JsonObject]:
    """Yield the verdicts on vectors, in a task. The arguments are those of `verified`."""
    if adapter is None:
        yield from (row for each in vectors for row in _answered(each, reading))
        return
    place_sent(shipped)
    asked = make_adapter(adapter, limits or Limits())
    hello = hello or asked.greet()
    of_system: dict[str, list[Vector]] = {}
    for each in vectors:
        of_system.setdefault(each.system, []).append(each)
    selection = Selection(readings=() if reading is None else (reading,))
    every = cases_of([*map(system_named, of_system)], of_system, selection, hello)
    cases = [case for case in every if reading in {None, case.reading}]
    outcomes: dict[tuple[str, str], Outcome] = {}  # a later outcome of a case replaces an earlier
    run_cases(asked, hello, cases, lambda each: outcomes.update({each.case.key: each}))
    yield from map(_row_of, outcomes.values())


def outcome_of(case: Case, row: JsonObject) -> Outcome:
    """Return the outcome of a case that a row of `verified` states."""
    observed: Any = row["observed"]
    said: dict[str, Any] = {name: row[name] or "" for name in _SAID}
    said["observed"] = None if observed is None else strict_json(observed)
    return Outcome(
        case=case,
        microseconds=int(str(row["micros"])),
        restarted=row["restarts"] == 1,
        **said,
    )


def vector_of(text: str) -> Vector:
    """Return the vector of a row. Raises WrongUsageError, which quotes a row that is not one."""
    try:
        value: Any = strict_json(text)
        return Vector.from_json(value, known_system(value["id"].partition("/")[0]).readings)
    except Exception as error:  # noqa: BLE001 - the text is any text
        why = shown_line(f"{type(error).__name__}: {error}")
        raise WrongUsageError(f"the row {shown_line(str(text))} is not a vector: {why}") from None


def _answered(vector: Vector, reading: str | None) -> Iterator[JsonObject]:
    """Yield the row of each reading, as the reference answers."""
    wrong = {each.reading: each.observed for each in verify_vector(vector)}
    for name in vector.readings:
        if reading in {None, name}:
            yield {
                "id": vector.id,
                "system": vector.system,
                "operation": vector.operation,
                "reading": name,
                "verdict": "fail" if name in wrong else "pass",
                "observed": wrong.get(name),
                "restarts": 0,
            }


def _row_of(outcome: Outcome) -> JsonObject:
    case, observed = outcome.case, outcome.observed
    shown = outcome.verdict != "pass" and observed is not None
    return {
        "id": case.vector.id,
        "system": case.system.name,
        "operation": case.operation.name,
        "reading": case.reading,
        **{name: getattr(outcome, name) or None for name in _SAID},
        "observed": canonical_json(observed) if shown else None,
        "restarts": int(outcome.restarted),
        "micros": outcome.microseconds,
    }
