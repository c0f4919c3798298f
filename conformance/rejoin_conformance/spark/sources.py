"""The data sources `rejoin`, `rejoin-vectors` and `rejoin-answers`.

spark.dataSource.register(Campaign)
spark.read.format("rejoin").option("system", "history-merge").option("histories", 1000).load()
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

from rejoin_conformance.adapters.limits import LONGEST, Limits
from rejoin_conformance.adapters.run_options import WrongUsageError, one_of
from rejoin_conformance.adapters.runner.cases import refuse_unknown_readings
from rejoin_conformance.campaigns.plan import (
    ANSWER_TIMEOUT,
    DEFAULT_SEED,
    LEAST_SEED,
    MOST_HISTORIES,
    MOST_SEED,
    Plan,
    checked,
    known_system,
)
from rejoin_conformance.campaigns.tables import ddl, narrow
from rejoin_conformance.contract.registry import all_systems, system_names
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.load import load_checked
from rejoin_conformance.kit.json_types import canonical_json
from rejoin_conformance.spark.frames import VERDICTS, columns_in, greeted, verdict_rows, work_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from rejoin_conformance.spark.frames import Work

VECTORS: Final = (
    "id string, system string, operation string, tier string, clauses array<string>, vector string"
)
"""The columns of vectors. vector: the whole vector as JSON, with an `expected` for each reading."""

Rows: TypeAlias = Callable[[range], Iterator[Any]]
"""Some numbers -> their rows, as tuples or batches."""

BLOCKS_A_TASK: Final = 4
VECTORS_A_TASK: Final = 100


class Reader(DataSourceReader):
    """Reads rows that are made from the numbers below `count`, some numbers in each task."""

    def __init__(self, count: int, of_each: int, rows: Rows) -> None:
        self._count, self._of_each, self._rows = count, of_each, rows

    def partitions(self) -> Sequence[InputPartition]:
        """Return the numbers of each task."""
        count, step = self._count, self._of_each
        starts = range(0, count, step)
        return [InputPartition(range(first, min(first + step, count))) for first in starts]

    def read(self, partition: Any) -> Iterator[Any]:
        """Yield the rows of a task."""
        return self._rows(partition.value)


class Source(DataSource):
    """A data source that knows its options. format: its name. known: the names of its options."""

    format: ClassVar[str]
    known: ClassVar[Sequence[str]]

    def __init__(self, options: dict[str, str]) -> None:
        for name in options:
            one_of("option", name, self.known)
        super().__init__(options)

    @classmethod
    def name(cls) -> str:
        """Return the name of the format."""
        return cls.format


class Campaign(Source):
    """Histories that are examined, as rows of the tables of a campaign.

    Options: `system`; `histories` (1000), `profile` (default), `readings` (separated by commas; by
    default the system's default reading), `seed` (1); `adapter`, a command line, with `timeout` in
    seconds and `operations`, separated by commas; `shipped`, the name of a program that
    `send_program` has sent; `table`, one table instead of a wide frame.
    """

    format = "rejoin"
    known = ("system", "histories", "profile", "readings", "seed", "adapter", "timeout",
             "operations", "shipped", "table")  # fmt: skip

    def schema(self) -> str:
        """Return the columns of the table, or of the wide frame."""
        plan_of(self.options)
        return ddl(columns_in(self.options.get("table")))

    def reader(self, schema: object) -> Reader:  # noqa: ARG002 - Spark passes it
        """Return what examines the blocks."""
        plan = plan_of(self.options)
        work = work_of(plan, self.options.get("shipped"))
        rows = partial(_examined, work, self.options.get("table"))
        return Reader(plan.blocks, BLOCKS_A_TASK, rows)


class Vectors(Source):
    """The vectors of the corpus, one row for each. Option: `system`; by default all systems."""

    format = "rejoin-vectors"
    known = ("system",)

    def schema(self) -> str:
        """Return the columns of vectors."""
        return VECTORS

    def reader(self, schema: object) -> Reader:  # noqa: ARG002 - Spark passes it
        """Return what reads the vectors."""
        rows = [*map(_row, vectors_of(self.options))]
        return Reader(len(rows), VECTORS_A_TASK, lambda some: iter(rows[some.start : some.stop]))


class Answers(Source):
    """Answers to the vectors of the corpus, one row for each vector and reading.

    Options: `system` (by default all); `adapter`, a command line (by default the reference
    answers), and `shipped`, as of `Campaign`; `reading` (by default every reading that the adapter
    declares).
    """

    format = "rejoin-answers"
    known = ("system", "adapter", "shipped", "reading")

    def schema(self) -> str:
        """Return the columns of verdicts."""
        return ddl(VERDICTS)

    def reader(self, schema: object) -> Reader:  # noqa: ARG002 - Spark passes it
        """Return what answers the vectors."""
        vectors = vectors_of(self.options)
        adapter, reading, shipped = map(self.options.get, ("adapter", "reading", "shipped"))
        if reading is not None:
            refuse_unknown_readings([reading], systems_of(self.options))
        greeted(adapter, Limits(), shipped)

        def answers(numbers: range) -> Iterator[tuple[Any, ...]]:
            some = vectors[numbers.start : numbers.stop]
            for row in verdict_rows(adapter, reading, some, shipped=shipped):
                yield tuple(map(row.get, VERDICTS))

        return Reader(len(vectors), VECTORS_A_TASK, answers)


def register(spark: SparkSession) -> None:
    """Register the three data sources with a session."""
    for source in (Campaign, Vectors, Answers):
        spark.dataSource.register(source)


def plan_of(options: Mapping[str, str]) -> Plan:
    """Return the plan that some options describe. Raises WrongUsageError."""
    if "system" not in options:
        raise WrongUsageError(f"give the option system: one of {', '.join(system_names())}")
    system = known_system(options["system"])
    readings = _several(options.get("readings", "")) or (system.default_reading,)
    adapter, operations = options.get("adapter"), _several(options.get("operations", ""))
    if adapter is None and (operations or "shipped" in options):
        raise WrongUsageError("the options operations and shipped need adapter")
    plan = Plan(
        system=system.name,
        profile=options.get("profile", "default"),
        readings=readings,
        seed=_number(options, "seed", range(LEAST_SEED, MOST_SEED + 1), DEFAULT_SEED),
        histories=_number(options, "histories", range(1, MOST_HISTORIES + 1), 1000),
        adapter=adapter,
        timeout=_number(options, "timeout", range(1, LONGEST + 1), ANSWER_TIMEOUT),
        operations=operations,
    )
    return checked(plan)


def vectors_of(options: Mapping[str, str]) -> list[Vector]:
    """Return the vectors of some systems. Raises WrongUsageError."""
    names = [system.name for system in systems_of(options)]
    return [vector for vectors in load_checked(names).values() for vector in vectors]


def systems_of(options: Mapping[str, str]) -> Sequence[System]:
    """Return the system that an option names, or all systems. Raises WrongUsageError."""
    name = options.get("system")
    return all_systems() if name is None else [known_system(name)]


def _row(each: Vector) -> tuple[Any, ...]:
    text = canonical_json(each.to_json())
    return each.id, each.system, each.operation, each.tier, [*each.clauses], text


def _examined(work: Work, table: str | None, numbers: range) -> Iterator[pa.RecordBatch]:
    """Yield the rows of some blocks."""
    for batch in work([pa.RecordBatch.from_pydict({"id": [*numbers]})]):
        if table is None:
            yield batch
        else:
            yield from narrow(pa.Table.from_batches([batch]), table).to_batches()


def _number(options: Mapping[str, str], name: str, known: range, default: int) -> int:
    """Return the number that is the value of an option. Raises WrongUsageError."""
    text = options.get(name, str(default))
    try:
        if (number := int(text)) in known:
            return number
    except ValueError:
        pass
    raise WrongUsageError(f"{name}: {text!r} is no integer from {known[0]:,} to {known[-1]:,}")


def _several(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (each.strip() for each in text.split(","))))
