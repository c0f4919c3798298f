"""A Spark session for a campaign: embedded and quiet by default, or on somebody's cluster.

Three kinds of session are told apart. *Embedded*: driver and workers are processes of this machine
and of this installation. *Cluster*: the driver runs here, the executors elsewhere (`spark://`,
`yarn`, `k8s://`). *Connect*: the driver runs elsewhere, too (`sc://`); this process only asks.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from attrs import Factory, frozen

from rejoin_conformance.campaigns.spark.class_archive import start_options
from rejoin_conformance.campaigns.spark.shipping import packages_zip
from rejoin_conformance.kit.java import java_home

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EMBEDDED: Final = "local[*]"
_QUIET: Final = Path(__file__).with_name("log4j2.properties")
_SUBMITTED: Final = "PYSPARK_GATEWAY_PORT"
"""Set by spark-submit, which has chosen the master by then."""

_TRIES: Final = 4
"""How often a task is tried: a worker that is killed must not end a campaign."""


class NoSparkError(Exception):
    """Spark cannot be used: the packages are missing, or the session does not start."""


class JobFailedError(Exception):
    """A Spark job failed for good, after its tasks were tried again."""


@frozen
class Cluster:
    """Where Spark runs. master, remote: at most one of them; neither means embedded.

    settings: Spark's own settings by name.
    """

    master: str | None = None
    remote: str | None = None
    settings: Mapping[str, str] = Factory(dict)


@contextmanager
def spark_session(where: Cluster | str = EMBEDDED) -> Iterator[SparkSession]:
    """A session that ends with the block. Raises NoSparkError or NoJavaError, each one line.

    where: a cluster, or the name of a master.
    """
    cluster = Cluster(master=where) if isinstance(where, str) else where
    with ExitStack() as stack:
        if cluster.remote is not None:
            session = _connected(cluster, cluster.remote)
        else:
            session = _started(cluster)
        stack.callback(_end, session)
        if not _is_embedded(cluster):
            _ship(session, stack.enter_context(packages_zip()))
        yield session


def place_of(cluster: Cluster) -> str:
    """The name of a cluster for a person, for instance `on Spark, local[*]`."""
    return f"on Spark, {cluster.remote or cluster.master or EMBEDDED}"


def is_connect(session: SparkSession) -> bool:
    """Whether the driver runs elsewhere and is asked over Spark Connect."""
    return type(session).__module__.startswith("pyspark.sql.connect")


def cores_of(session: SparkSession) -> int:
    """How many tasks Spark can run at a time, as far as it knows now."""
    if not is_connect(session):
        return max(1, int(session.sparkContext.defaultParallelism))
    if session not in _REMOTE_CORES:
        # A range of unsaid partitions has one for each core.
        used = session.range(10_000).selectExpr("spark_partition_id()").distinct().count()
        _REMOTE_CORES[session] = max(1, used)
    return _REMOTE_CORES[session]


_REMOTE_CORES: Final[WeakKeyDictionary[SparkSession, int]] = WeakKeyDictionary()


def cancel_all(session: SparkSession) -> None:
    """End the jobs of the session, if it can still be reached."""
    with suppress(Exception):
        if is_connect(session):
            session.interruptAll()
        else:
            session.sparkContext.cancelAllJobs()


@contextmanager
def failures_in_one_line(what: str) -> Iterator[None]:
    """Raises JobFailedError, one line, for whatever Spark raises while the block runs a job.

    what: tells what Spark gave up on.
    """
    try:
        yield
    except Exception as error:
        raise JobFailedError(f"Spark gave up on {what}: {reason_of(error)}") from error


def reason_of(error: BaseException) -> str:
    """What Spark complains of, in one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = (line for line in lines if "Exception: " in line or "Error: " in line)
    line = next(telling, lines[0] if lines else type(error).__name__)
    return line.lstrip(": ")[:400]


def _started(cluster: Cluster) -> SparkSession:
    try:
        from pyspark.sql import SparkSession as Session  # noqa: PLC0415 - slow, and optional
    except ImportError:
        raise NoSparkError("Spark is not installed: pip install 'rejoin[spark]'") from None
    master = cluster.master or EMBEDDED
    embedded, submitted = _is_embedded(cluster), _is_submitted(cluster)
    if not submitted:
        home = os.environ["JAVA_HOME"] = java_home()
        quick = start_options(home, os.environ.get("SPARK_HOME", _spark_home()))
        os.environ.setdefault(
            "SPARK_SUBMIT_OPTS", f"-Dlog4j2.configurationFile={_QUIET.as_uri()} {quick}"
        )
    if embedded:
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    settings = {
        "spark.ui.showConsoleProgress": "false",
        "spark.python.unix.domain.socket.enabled": "true",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "10000",
    }
    if embedded:
        settings |= {
            "spark.ui.enabled": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
        }
    builder = Session.builder.appName("rejoin")
    if not submitted:
        builder = builder.master(_with_retries(master))
    for name, value in {**settings, **cluster.settings}.items():
        builder = builder.config(name, value)
    try:
        with _silenced():
            return builder.getOrCreate()
    except Exception as error:
        raise NoSparkError(
            f"the Spark session on {master} does not start: {reason_of(error)}"
        ) from error


def _connected(cluster: Cluster, server: str) -> SparkSession:
    try:
        from pyspark.sql.connect.session import SparkSession as Session  # noqa: PLC0415 - as above
    except ImportError as error:
        raise NoSparkError(
            f"Spark Connect is not installed ({reason_of(error)}): pip install 'rejoin[spark]'"
        ) from None
    _reach(server)
    builder = Session.builder.remote(server)
    for name, value in cluster.settings.items():
        builder = builder.config(name, value)
    try:
        session: SparkSession = builder.getOrCreate()  # type: ignore[assignment]
        session.range(1).count()  # a server of another version or without rights says so here
    except Exception as error:
        raise NoSparkError(
            f"the Spark server at {server} cannot be used: {reason_of(error)}"
        ) from error
    return session


def _reach(server: str) -> None:
    """Find out at once that nobody listens there: the client would try again for minutes."""
    place = urlsplit(server)
    try:
        socket.create_connection((place.hostname or "", place.port or 15002), timeout=10).close()
    except (OSError, ValueError) as error:
        raise NoSparkError(
            f"the Spark server at {server} cannot be used: {reason_of(error)}"
        ) from None


def _ship(session: SparkSession, packages: Path) -> None:
    if is_connect(session):
        session.addArtifacts(str(packages), pyfile=True)
    else:
        session.sparkContext.addPyFile(str(packages))


def _end(session: SparkSession) -> None:
    with suppress(Exception):  # it may have ended before us
        session.stop()


def _spark_home() -> str:
    import pyspark  # noqa: PLC0415 - optional

    return str(Path(pyspark.__file__).parent)


def _is_submitted(cluster: Cluster) -> bool:
    """Whether spark-submit started this process, and so has chosen the master."""
    return cluster.master is None and cluster.remote is None and _SUBMITTED in os.environ


def _is_embedded(cluster: Cluster) -> bool:
    if cluster.remote is not None or _is_submitted(cluster):
        return False
    return (cluster.master or EMBEDDED).startswith("local")


def _with_retries(master: str) -> str:
    """An embedded master tries a failed task again only where its name says so."""
    if master == "local":
        return f"local[1,{_TRIES}]"
    if master.startswith("local[") and "," not in master:
        return f"{master.removesuffix(']')},{_TRIES}]"
    return master


@contextmanager
def _silenced() -> Iterator[None]:
    """Keep the JVM, which inherits the file descriptors, off the terminal and off our pipes.

    It lives a little longer than this process, and who reads our output waits for its end.
    """
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
