"""Run the work of a command on Spark or in this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rejoin_conformance.campaigns.in_process import InProcess
from rejoin_conformance.campaigns.spark.session import Cluster
from rejoin_conformance.campaigns.spark.spread import on_spark
from rejoin_conformance.contract.spread import ReportProgress, Spread


@contextmanager
def spreading(
    cluster: Cluster | None, progress: ReportProgress, tasks: int | None = None
) -> Iterator[Spread]:
    """Yield a `Spread` that runs work while the block runs.

    cluster: where Spark runs; None for this process. tasks: the number of Spark tasks.
    """
    if cluster is None:
        yield InProcess(progress)
        return
    with on_spark(cluster, progress, tasks) as spread:
        yield spread
