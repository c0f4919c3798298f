"""Vectors that the tasks of Spark answer, for `rejoin verify` and `rejoin run`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import frozen

from rejoin_conformance.adapters.protocol import Hello
from rejoin_conformance.adapters.runner.cases import Case, Outcome
from rejoin_conformance.campaigns.spark.failures import quiet_start
from rejoin_conformance.campaigns.spark.session import Cluster, cores_of, spark_session
from rejoin_conformance.campaigns.spark.shipping import send_program
from rejoin_conformance.campaigns.spark.spread import TASKS_A_CORE
from rejoin_conformance.command_line.choices import OnSpark
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.verify import Mismatch
from rejoin_conformance.kit.json_types import canonical_json
from rejoin_conformance.kit.options import opt

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from rejoin_conformance.adapters.limits import Limits

Deliver = Callable[[Outcome], None]


@frozen(kw_only=True)
class MaybeSpark:
    """Whether the vectors are answered on Spark, and where."""

    spark: bool = opt("Answer the vectors on Spark.", default=False)
    where: OnSpark

    @property
    def wanted(self) -> bool:
        """Return whether an option asks for Spark."""
        return self.spark or self.where.cluster() != Cluster()


@contextmanager
def _framed(where: MaybeSpark, vectors: Sequence[Vector]) -> Iterator[tuple[Any, DataFrame]]:
    """Yield a session and the vectors as a frame with some partitions for each core."""
    session: SparkSession
    with spark_session(where.where.cluster(), quiet_start) as session:
        rows = [(canonical_json(each.to_json()),) for each in vectors]
        tasks = min(TASKS_A_CORE * cores_of(session), max(1, len(vectors)))
        yield session, session.createDataFrame(rows, "vector string").repartition(tasks)


def mismatches_on_spark(
    where: MaybeSpark, vectors: Sequence[Vector]
) -> Iterator[tuple[int, list[Mismatch]]]:
    """Yield the place of each vector, and how the reference contradicts it."""
    from rejoin_conformance.spark.frames import verified  # noqa: PLC0415 - slow, and optional

    with _framed(where, vectors) as (_, frame):
        wrong = verified(frame).where("verdict = 'fail'").toArrow().to_pylist()
    for place, vector in enumerate(vectors):
        rows = [row for row in wrong if row["id"] == vector.id]
        yield place, [Mismatch(vector, row["reading"], row["observed"]) for row in rows]


def run_cases_on_spark(
    where: MaybeSpark,
    adapter: str,
    cases: Sequence[Case],
    deliver: Deliver,
    *,
    hello: Hello,
    limits: Limits,
    ship: Path | None,
) -> None:
    """Run every case in the tasks of Spark, and deliver its outcome.

    hello: that every process of the adapter must send. ship: a program to send.
    """
    from rejoin_conformance.spark.frames import (  # noqa: PLC0415 - slow, and optional
        outcome_of,
        verified,
    )

    by_key = {case.key: case for case in cases}
    vectors = {case.vector.id: case.vector for case in cases}
    with _framed(where, [*vectors.values()]) as (session, frame):
        shipped = None if ship is None else send_program(session, ship)
        for reading in dict.fromkeys(case.reading for case in cases):
            rows = verified(frame, adapter, reading, limits, hello, shipped).toLocalIterator()
            for row in rows:
                case = by_key.get((row["id"], row["reading"]))
                if case is not None:
                    deliver(outcome_of(case, row.asDict()))
