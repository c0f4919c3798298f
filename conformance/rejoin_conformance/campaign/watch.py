"""Watch a Spark job from the driver: how many of its tasks are finished."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_POLL_SECONDS: Final = 0.5


@contextmanager
def watched(session: SparkSession, name: str, report: Callable[[int], None]) -> Iterator[None]:
    """While the block runs a job in this thread, report its finished tasks now and then.

    name: tells this job from others of the session.
    """
    context = session.sparkContext
    context.setJobGroup(name, name, interruptOnCancel=True)
    ended = threading.Event()

    def watch() -> None:
        tracker = context.statusTracker()
        while not ended.wait(_POLL_SECONDS):
            finished = 0
            for job in tracker.getJobIdsForGroup(name):
                info = tracker.getJobInfo(job)
                for stage in info.stageIds if info is not None else ():
                    stage_info = tracker.getStageInfo(stage)
                    finished += stage_info.numCompletedTasks if stage_info is not None else 0
            report(finished)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()
