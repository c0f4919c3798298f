"""Watch Spark jobs from the driver: report the number of their finished tasks.

In the classic mode the driver's context has this number. Over Spark Connect the server reports it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, cast

from rejoin_conformance.campaigns.spark.session import is_connect

if TYPE_CHECKING:
    from pyspark import StatusTracker
    from pyspark.sql import SparkSession
    from pyspark.sql.connect.shell.progress import ProgressHandler, StageInfo

_POLL_SECONDS: Final = 0.5


@contextmanager
def watched(session: SparkSession, name: str, report: Callable[[int], None]) -> Iterator[None]:
    """Report the finished tasks of the job in this thread regularly while the block runs.

    name: a unique name for the job in the session.
    """
    watch = _watched_remotely if is_connect(session) else _watched_here
    with watch(session, name, report):
        yield


@contextmanager
def _watched_here(
    session: SparkSession, name: str, report: Callable[[int], None]
) -> Iterator[None]:
    context = session.sparkContext
    context.setJobGroup(name, name, interruptOnCancel=True)
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(_POLL_SECONDS):
            try:
                finished = _finished_tasks(context.statusTracker(), name)
            except Exception:  # noqa: BLE001 - Java has ended in one of many ways
                return  # the thread that waits for the job reports it
            report(finished)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


def _finished_tasks(tracker: StatusTracker, name: str) -> int:
    finished = 0
    for job in tracker.getJobIdsForGroup(name):
        info = tracker.getJobInfo(job)
        for stage in info.stageIds if info is not None else ():
            stage_info = tracker.getStageInfo(stage)
            finished += stage_info.numCompletedTasks if stage_info is not None else 0
    return finished


@contextmanager
def _watched_remotely(
    session: SparkSession,
    name: str,  # noqa: ARG001 - the thread identifies the job
    report: Callable[[int], None],
) -> Iterator[None]:
    """Report by a handler of the session, which is called in the thread that waits for the job."""
    mine = threading.get_ident()

    def heard(
        stages: Iterable[StageInfo] | None,
        inflight_tasks: int,  # noqa: ARG001 - the session calls by name
        operation_id: str | None,  # noqa: ARG001 - as above
        done: bool,  # noqa: ARG001, FBT001 - as above
    ) -> None:
        if stages is not None and threading.get_ident() == mine:
            report(sum(stage.num_completed_tasks for stage in stages))

    handler = cast("ProgressHandler", heard)
    session.registerProgressHandler(handler)
    try:
        yield
    finally:
        session.removeProgressHandler(handler)
