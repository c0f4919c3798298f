"""The data sources `rejoin`, `rejoin-vectors` and `rejoin-answers`.

spark.dataSource.register(Campaign)
spark.read.format("rejoin").option("system", "history-merge").option("histories", 1000).load()
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

from rejoin_conformance.adapters.run_options import WrongUsageError
from rejoin_conformance.campaigns.kept.campaign import header_of
from rejoin_conformance.campaigns.kept.store import new_attempt
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.spark.spread import examined_batches
from rejoin_conformance.campaigns.tables import TABLES, ddl, narrow
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.load import load_checked
from rejoin_conformance.kit.json_types import canonical_json
from rejoin_conformance.spark.verifying import VERDICTS, verdict_batches

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

VECTORS: Final = (
    "id string, system string, operation string, tier string, clauses array<string>, vector string"
)
"""The columns of vectors. vector: the whole vector as JSON, with an `expected` for each reading."""

BLOCKS_A_TASK: Final = 4
VECTORS_A_TASK: Final = 100


class Numbers(InputPartition):
    """The numbers of a task."""

    def __init__(self, numbers: range) -> None:
        super().__init__(numbers)
        self.numbers = numbers


class Campaign(DataSource):
    """Histories that are examined, as rows of the tables of a campaign.

    Options: `system`; `histories` (1000), `profile` (default), `readings` (separated by commas; by
    default the system's default reading), `seed` (1); `adapter`, a command line, with `timeout` in
    seconds and `operations`, separated by commas; `shipped`, the name of a program that
    `send_program` has sent; `table`, one table instead of a wide frame.
    """

    @classmethod
    def name(cls) -> str:
        """Return the name of the format."""
        return "rejoin"

    def schema(self) -> str:
        """Return the columns of the table, or of the wide frame."""
        return ddl(self._table())

    def reader(self, schema: object) -> DataSourceReader:  # noqa: ARG002 - Spark passes it
        """Return what reads the rows."""
        return _Examined(plan_of(self.options), self._table(), self.options.get("shipped"))

    def _table(self) -> str | None:
        table = self.options.get("table")
        if table is not None and table not in TABLES:
            raise WrongUsageError(f"there is no table {table!r}; choose one of {', '.join(TABLES)}")
        return table


class Vectors(DataSource):
    """The vectors of the corpus, one row for each. Option: `system`; by default all systems."""

    @classmethod
    def name(cls) -> str:
        """Return the name of the format."""
        return "rejoin-vectors"

    def schema(self) -> str:
        """Return the columns of vectors."""
        return VECTORS

    def reader(self, schema: object) -> DataSourceReader:  # noqa: ARG002 - Spark passes it
        """Return what reads the rows."""
        return _Vectors(vectors_of(self.options))


class Answers(DataSource):
    """Answers to the vectors of the corpus, one row for each vector and reading.

    Options: `system` (by default all); `adapter`, a command line (by default the reference
    answers), and `shipped`, as of `Campaign`; `reading` (by default every reading that the adapter
    declares).
    """

    @classmethod
    def name(cls) -> str:
        """Return the name of the format."""
        return "rejoin-answers"

    def schema(self) -> str:
        """Return the columns of verdicts."""
        return VERDICTS

    def reader(self, schema: object) -> DataSourceReader:  # noqa: ARG002 - Spark passes it
        """Return what reads the rows."""
        adapter, reading, shipped = map(self.options.get, ("adapter", "reading", "shipped"))
        return _Answers(vectors_of(self.options), adapter, reading, shipped)


def register(spark: SparkSession) -> None:
    """Register the three data sources with a session."""
    for source in (Campaign, Vectors, Answers):
        spark.dataSource.register(source)


def plan_of(options: Mapping[str, str]) -> Plan:
    """Return the plan that some options describe. Raises WrongUsageError."""
    try:
        system = system_named(options["system"])
    except KeyError:
        raise WrongUsageError(f"give the option system: one of {_systems()}") from None
    readings = _several(options.get("readings", "")) or (system.default_reading,)
    profile = options.get("profile", "default")
    if profile not in system.histories.profiles:
        known = ", ".join(system.histories.profiles)
        raise WrongUsageError(f"there is no profile {profile!r}; choose one of {known}")
    for reading in readings:
        if reading not in system.every_reading:
            known = ", ".join(system.every_reading)
            raise WrongUsageError(f"there is no reading {reading!r}; choose one of {known}")
    return Plan(
        system=system.name,
        profile=profile,
        readings=readings,
        seed=int(options.get("seed", "1")),
        histories=int(options.get("histories", "1000")),
        adapter=options.get("adapter"),
        timeout=int(options.get("timeout", "10")),
        operations=_several(options.get("operations", "")),
    )


def vectors_of(options: Mapping[str, str]) -> list[Vector]:
    """Return the vectors of the system that an option names, or of all. Raises WrongUsageError."""
    name = options.get("system")
    if name is not None and name not in system_names():
        raise WrongUsageError(f"there is no system {name!r}; choose one of {_systems()}")
    loaded = load_checked(system_names() if name is None else [name])
    return [vector for vectors in loaded.values() for vector in vectors]


def vector_batch(vectors: Sequence[Vector]) -> pa.RecordBatch:
    """Return vectors as rows."""
    rows = [
        {
            "id": each.id,
            "system": each.system,
            "operation": each.operation,
            "tier": each.tier,
            "clauses": list(each.clauses),
            "vector": canonical_json(each.to_json()),
        }
        for each in vectors
    ]
    texts = ("id", "system", "operation", "tier")
    schema = pa.schema(
        [
            *((name, pa.string()) for name in texts),
            ("clauses", pa.list_(pa.string())),
            ("vector", pa.string()),
        ]
    )
    return pa.RecordBatch.from_pylist(rows, schema=schema)


class _Examined(DataSourceReader):
    def __init__(self, plan: Plan, table: str | None, shipped: str | None) -> None:
        self._plan, self._table, self._shipped = plan, table, shipped
        self._names = str(header_of(plan, shipped)["campaign"]), new_attempt()

    def partitions(self) -> Sequence[InputPartition]:
        return _tasks(self._plan.blocks, BLOCKS_A_TASK)

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        numbers = pa.RecordBatch.from_pydict({"id": [*_numbers(partition)]})
        for batch in examined_batches(self._plan, *self._names, [numbers], self._shipped):
            if self._table is None:
                yield batch
            else:
                yield from narrow(pa.Table.from_batches([batch]), self._table).to_batches()


class _Vectors(DataSourceReader):
    def __init__(self, vectors: list[Vector]) -> None:
        self._vectors = vectors

    def partitions(self) -> Sequence[InputPartition]:
        return _tasks(len(self._vectors), VECTORS_A_TASK)

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        yield vector_batch([self._vectors[number] for number in _numbers(partition)])


class _Answers(_Vectors):
    def __init__(self, vectors: list[Vector], *asked: str | None) -> None:
        super().__init__(vectors)
        self._asked = asked

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        adapter, reading, shipped = self._asked
        return verdict_batches(adapter, reading, super().read(partition), shipped=shipped)


def _tasks(count: int, of_each: int) -> list[InputPartition]:
    return [
        Numbers(range(first, min(first + of_each, count))) for first in range(0, count, of_each)
    ]


def _numbers(partition: Any) -> range:
    numbers: range = partition.numbers
    return numbers


def _several(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (each.strip() for each in text.split(","))))


def _systems() -> str:
    return ", ".join(system_names())
