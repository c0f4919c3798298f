"""Where the pieces of a command's work run: on Spark, or one after another in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from rejoin_conformance.campaigns.spark.session import Cluster, spark_session
from rejoin_conformance.campaigns.spark.spread import Spread, spread
from rejoin_conformance.contract.system import ReportProgress
from rejoin_conformance.kit.json_types import Json


@contextmanager
def spreading(cluster: Cluster | None, progress: ReportProgress) -> Iterator[Spread]:
    """A way to carry pieces of work out, for as long as the block runs.

    cluster: where Spark runs; None for no Spark.
    """
    if cluster is None:
        yield partial(one_by_one, progress)
        return
    with spark_session(cluster) as session:

        def on_spark(work: Callable[[int], Json], pieces: int, what: str) -> list[Json]:
            return spread(session, work, pieces, progress, what)

        yield on_spark


def one_by_one(
    progress: ReportProgress, work: Callable[[int], Json], pieces: int, what: str
) -> list[Json]:
    """Every piece in this process."""
    results: list[Json] = []
    for piece in range(pieces):
        progress(piece, pieces, what)
        results.append(work(piece))
    progress(pieces, pieces, what)
    return results
