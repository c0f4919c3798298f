"""A Spark session for a campaign: embedded by default, or on a cluster.

There are three kinds of session. *Embedded*: driver and workers are processes of this machine and
this installation. *Cluster*: the driver runs here, the executors elsewhere (`spark://`, `yarn`,
`k8s://`). *Connect*: the driver runs elsewhere too (`sc://`), and this process is only a client.
"""

from __future__ import annotations

import os
import socket
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from attrs import Factory, frozen

from rejoin_conformance.campaigns.spark.failures import (
    JavaRefusedError,
    failures_in_one_line,
    reason_of,
)
from rejoin_conformance.campaigns.spark.shipping import is_connect, send_packages
from rejoin_conformance.kit import java
from rejoin_conformance.kit.errors import IncompleteError
from rejoin_conformance.kit.installing import install_hint

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_QUICK: Final = "-XX:TieredStopAtLevel=1"
"""Limits the JVM's compiler: the work is done in Python, so better JVM code does not pay off."""

EMBEDDED: Final = "local[*]"
_QUIET: Final = Path(__file__).with_name("log4j2.properties")
_SUBMITTED: Final = "PYSPARK_GATEWAY_PORT"
"""The variable that spark-submit sets. It has then already chosen the master."""

_HADOOP_FOLDERS: Final = ("HADOOP_CONF_DIR", "YARN_CONF_DIR")
"""The variables that tell Spark where YARN is."""

_TRIES: Final = 4
"""The number of tries of a task: a killed worker must not end a campaign."""

INSTALL_SPARK: Final = install_hint("spark")
"""How to install the packages of the extra `spark`."""


class NoSparkError(IncompleteError):
    """Spark cannot be used: the packages are missing, or the session does not start."""


@frozen
class Cluster:
    """Where Spark runs. master, remote: at most one is set; none means embedded.

    settings: Spark settings by name.
    """

    master: str | None = None
    remote: str | None = None
    settings: Mapping[str, str] = Factory(dict)


@contextmanager
def spark_session(
    where: Cluster | str | None = None,
    starting: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> Iterator[SparkSession]:
    """Yield a session that ends with the block.

    A session that this process has already is yielded as it is, and does not end. where: a cluster,
    or the name of a master. starting: a context in which the session starts. Raises NoSparkError,
    NoJavaError, JobFailedError or, if `starting` does, JavaRefusedError.
    """
    cluster = Cluster(master=where) if where is None or isinstance(where, str) else where
    with failures_in_one_line(), ExitStack() as stack:
        if cluster.remote is not None:
            session, own = _connected(cluster, cluster.remote), True
        else:
            session, own = _started(cluster, starting)
        if own:
            stack.callback(_end, session)
        if not _is_embedded(cluster):
            send_packages(session)
        yield session


def start_options(java_home: str, spark_home: str) -> str:
    """Return JVM options for a fast start, without the archive if it cannot be kept."""
    return " ".join((_QUICK, *java.archive_options(archive_path(java_home, spark_home))))


def archive_path(java_home: str, spark_home: str) -> Path | None:
    """Return the path of the archive of this Java and this Spark, or None if it cannot be kept."""
    path = java.archive_path("spark", java_home, Path(spark_home, "jars").iterdir())
    return None if path is None or " " in str(path) else path  # the options are split at spaces


def place_of(cluster: Cluster, session: SparkSession) -> str:
    """Return the name of a cluster for a person, such as `on Spark, local[*]`."""
    submitted = session.sparkContext.master if _is_submitted(cluster) else EMBEDDED
    return f"on Spark, {cluster.remote or cluster.master or submitted}"


def cores_of(session: SparkSession) -> int:
    """Return the number of tasks that Spark can run at a time, as far as it knows now."""
    if is_connect(session):
        return _remote_cores(session)
    return max(1, int(session.sparkContext.defaultParallelism))


@cache
def _remote_cores(session: SparkSession) -> int:
    """Ask a server once. A range without a number of partitions has one for each core."""
    return max(1, session.range(10_000).selectExpr("spark_partition_id()").distinct().count())


def _started(
    cluster: Cluster, starting: Callable[[], AbstractContextManager[None]]
) -> tuple[SparkSession, bool]:
    """Return a session, and whether it is new."""
    try:
        from pyspark import __file__ as installed  # noqa: PLC0415 - slow, and optional
        from pyspark.sql import SparkSession as Session  # noqa: PLC0415 - as above
    except ImportError:
        raise NoSparkError(f"Spark is not installed; run: {INSTALL_SPARK}") from None
    there = Session.getActiveSession()
    if there is not None:
        running = there.sparkContext.master
        if cluster.master is not None and _with_retries(cluster.master) != running:
            raise NoSparkError(f"this process has a Spark session on {running}; stop it first")
        return there, False
    master = cluster.master or EMBEDDED
    embedded, submitted = _is_embedded(cluster), _is_submitted(cluster)
    _refuse_missing_cluster(master)
    settings = {
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "10000",
    }
    variables = {"PYSPARK_DRIVER_PYTHON": sys.executable}
    if not submitted:
        home = variables["JAVA_HOME"] = java.java_home()
        quick = start_options(home, os.environ.get("SPARK_HOME", str(Path(installed).parent)))
        quiet = f"-Dlog4j2.configurationFile={_QUIET.as_uri()}"
        settings["spark.driver.extraJavaOptions"] = f"{quiet} {quick}"
    if embedded:
        variables |= {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
        settings |= {
            # On YARN, the path of a socket in a container's folder is too long for Linux.
            "spark.python.unix.domain.socket.enabled": "true",
            "spark.ui.enabled": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
        }
    builder = Session.builder.appName("rejoin")
    if not submitted:
        builder = builder.master(_with_retries(master))
    builder = builder.config(map={**settings, **cluster.settings})
    began = time.time_ns() // 1_000_000
    try:
        with starting(), _environment(variables):
            session = builder.getOrCreate()
            return session, int(session.sparkContext.startTime or 0) >= began
    except Exception as error:
        refused = isinstance(error, JavaRefusedError)
        said = f"the Spark session on {master} does not start: {reason_of(error)}"
        raise (JavaRefusedError if refused else NoSparkError)(said) from error


@contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Set variables while the block runs, but for those that are set, except JAVA_HOME."""
    before = dict(os.environ)
    os.environ.update({name: value for name, value in variables.items()
                       if name == "JAVA_HOME" or name not in before})  # fmt: skip
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _refuse_missing_cluster(master: str) -> None:
    """Raise NoSparkError at once if Spark would only find out after a minute, or not say why."""
    if master == "yarn" and not any(os.environ.get(name) for name in _HADOOP_FOLDERS):
        raise NoSparkError(
            "--master yarn needs HADOOP_CONF_DIR: the folder with the core-site.xml and the "
            "yarn-site.xml of the cluster"
        )
    scheme, _, places = master.partition("://")
    if scheme == "spark":
        unreached = [_fault_of(f"spark://{place}", 7077) for place in places.split(",")]
        if all(unreached):  # a master can have a standby
            raise NoSparkError(f"the Spark master at {master} cannot be reached: {unreached[0]}")


def _connected(cluster: Cluster, server: str) -> SparkSession:
    try:
        from pyspark.sql.connect.session import SparkSession as Session  # noqa: PLC0415 - as above
    except ImportError as error:
        raise NoSparkError(
            f"Spark Connect is not installed ({reason_of(error)}); run: {INSTALL_SPARK}"
        ) from None
    fault = _fault_of(server, 15002)
    if fault is not None:  # the client would retry for minutes
        raise NoSparkError(f"the Spark server at {server} cannot be used: {fault}")
    builder = Session.builder.remote(server).config(map={**cluster.settings})
    try:
        session: SparkSession = builder.create()  # type: ignore[assignment]  # the builder names the classic session
        session.range(1).count()  # fails now if the server has another version or refuses access
    except Exception as error:
        raise NoSparkError(
            f"the Spark server at {server} cannot be used: {reason_of(error)}"
        ) from error
    return session


def _fault_of(server: str, usual_port: int) -> str | None:
    """Return why nothing can connect to the address of a server, or None."""
    place = urlsplit(server)
    try:
        where = (place.hostname or "", place.port or usual_port)
        socket.create_connection(where, timeout=10).close()
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or str(error)
    return None


def _end(session: SparkSession) -> None:
    with suppress(Exception), warnings.catch_warnings():  # it may already have ended
        warnings.simplefilter("ignore")
        session.stop()


def _is_submitted(cluster: Cluster) -> bool:
    """Return whether spark-submit started this process and has chosen the master."""
    return cluster.master is None and cluster.remote is None and _SUBMITTED in os.environ


def _is_embedded(cluster: Cluster) -> bool:
    if cluster.remote is not None or _is_submitted(cluster):
        return False
    return (cluster.master or EMBEDDED).startswith("local")


def _with_retries(master: str) -> str:
    """Return the name of a master with retries. An embedded one needs them in its name."""
    if master == "local":
        return f"local[1,{_TRIES}]"
    if master.startswith("local[") and "," not in master:
        return f"{master.removesuffix(']')},{_TRIES}]"
    return master
