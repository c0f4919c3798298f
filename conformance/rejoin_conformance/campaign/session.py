"""A Spark session for a campaign: embedded and quiet by default, or on a given master."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rejoin_conformance.campaign.java import java_home

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EMBEDDED: Final = "local[*]"
_QUIET: Final = Path(__file__).with_name("log4j2.properties")


class NoSparkError(Exception):
    """Spark cannot be used: the packages are missing, or the session does not start."""


@contextmanager
def spark_session(master: str = EMBEDDED) -> Iterator[SparkSession]:
    """A session that ends with the block. Raises NoSparkError or NoJavaError, each one line."""
    try:
        from pyspark.sql import SparkSession as Session  # noqa: PLC0415 - slow, and optional
    except ImportError:
        raise NoSparkError("Spark is not installed: pip install 'rejoin[spark]'") from None
    embedded = master.startswith("local")
    if embedded:
        os.environ["JAVA_HOME"] = java_home()
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_SUBMIT_OPTS", f"-Dlog4j2.configurationFile={_QUIET.as_uri()}")
    builder = (
        Session.builder.appName("rejoin")
        .master(master)
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.python.unix.domain.socket.enabled", "true")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "10000")
    )
    if embedded:
        builder = builder.config("spark.driver.host", "127.0.0.1").config(
            "spark.driver.bindAddress", "127.0.0.1"
        )
    try:
        with _stderr_silenced():
            session = builder.getOrCreate()
    except Exception as error:
        line = str(error).strip().partition("\n")[0]
        raise NoSparkError(f"the Spark session on {master} does not start: {line}") from error
    try:
        yield session
    finally:
        session.stop()


@contextmanager
def _stderr_silenced() -> Iterator[None]:
    """Keep the launcher's notes off the terminal; the JVM inherits the file descriptor."""
    sys.stderr.flush()
    kept = os.dup(2)
    quiet = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(quiet, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(quiet)
