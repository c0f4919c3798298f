"""The session of the command `rejoin`, which owns its process and may change its globals."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

from rejoin_conformance.campaigns.spark.session import Cluster, spark_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def command_session(cluster: Cluster) -> AbstractContextManager[SparkSession]:
    """Return a session that starts quietly. Raises as `spark_session` does."""
    return spark_session(cluster, quiet_start)


def print_no_tracebacks() -> None:
    """Keep Spark's client from printing a traceback for each connection that it loses.

    It logs them to the root logger, and its server for accumulators prints them. Without a handler,
    the root logger would print them too.
    """
    from pyspark import accumulators  # noqa: PLC0415 - optional

    for name in ("AccumulatorTCPServer", "AccumulatorUnixServer"):
        server = getattr(accumulators, name, None)
        if server is not None:
            server.handle_error = lambda _self, _request, _address: None
    if not logging.getLogger().handlers:
        logging.getLogger().addHandler(logging.NullHandler())


@contextmanager
def quiet_start() -> Iterator[None]:
    """Keep the JVM that starts in the block from our terminal and pipes, which it inherits.

    The JVM ends after this process, and a reader of our output would wait for it.
    """
    print_no_tracebacks()
    sys.stdout.flush()
    sys.stderr.flush()
    kept = {number: os.dup(number) for number in (1, 2)}
    quiet = os.open(os.devnull, os.O_WRONLY)
    try:
        for number in kept:
            os.dup2(quiet, number)
        yield
    finally:
        for number, copy in kept.items():
            os.dup2(copy, number)
            os.close(copy)
        os.close(quiet)
