"""Spark servers on the loopback interface, started from the pip package: a cluster, and Connect."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyspark
from attrs import frozen

from rejoin_conformance.campaigns.spark.session import archive_path
from rejoin_conformance.kit.java import java_home
from support.processes import Process, descendants, free_port, kill, listens, until

_LOOPBACK = "127.0.0.1"
_SPARK_HOME = Path(pyspark.__file__).parent
_MASTER = "org.apache.spark.deploy.master.Master"
_WORKER = "org.apache.spark.deploy.worker.Worker"
_CONNECT = "org.apache.spark.sql.connect.service.SparkConnectServer"
SERVERS = (_MASTER, _WORKER, _CONNECT)
"""The classes of the servers."""

PORT = f"""#!/bin/sh
export PYTHONPATH={os.pathsep.join(sys.path)}
exec {sys.executable} -m rejoin_conformance.command_line.main serve
"""
"""A program that is an adapter."""

_COMPILER = "-XX:TieredStopAtLevel=1"
"""Limits the compiler of a JVM, which in a test never runs long enough for better code to pay."""


@frozen
class StandaloneCluster:
    """A master and its two workers, each with one core."""

    address: str
    workers: tuple[subprocess.Popen[bytes], ...]

    def executors(self) -> list[Process]:
        """Return the executors that the workers run now."""
        return [
            each
            for worker in self.workers
            for each in descendants(worker.pid)
            if "CoarseGrainedExecutorBackend" in each.command
        ]


def quick_start() -> str:
    """Return options for a JVM of Spark, which reads an archive of classes but writes none."""
    archive = archive_path(java_home(), str(_SPARK_HOME))
    reading = () if archive is None else ("-Xlog:disable", f"-XX:SharedArchiveFile={archive}")
    return " ".join((_COMPILER, *reading))


def environment(folder: Path) -> dict[str, str]:
    """Return the environment of Spark's processes: it has this Python, but not these packages."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return {
        **kept,
        "JAVA_HOME": java_home(),
        "SPARK_LOCAL_IP": _LOOPBACK,
        "SPARK_LOCAL_DIRS": str(folder),
        "SPARK_WORKER_DIR": str(folder / "work"),
        "SPARK_DAEMON_MEMORY": "512m",
        "SPARK_DAEMON_JAVA_OPTS": quick_start(),
        "PYSPARK_PYTHON": sys.executable,
    }


def rejoin(
    folder: Path, *arguments: str, cwd: Path | None = None, submit: bool = False
) -> subprocess.Popen[str]:
    """Start the command, which has these packages. folder: for Spark's files.

    submit: start spark-submit instead.
    """
    program = "from rejoin_conformance.command_line.main import main; main()"
    start = (
        [str(_SPARK_HOME / "bin" / "spark-submit")] if submit else [sys.executable, "-c", program]
    )
    return subprocess.Popen(
        [*start, *arguments],
        env={**environment(folder), "PYTHONPATH": os.pathsep.join(sys.path)},
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@contextmanager
def standalone_cluster(folder: Path) -> Iterator[StandaloneCluster]:
    """Yield a master with two workers, and stop all of them at the end."""
    port, started = free_port(), []
    address = f"spark://{_LOOPBACK}:{port}"
    try:
        here = ["--host", _LOOPBACK, "--webui-port", "0"]
        started.append(_server(folder, _MASTER, *here, "--port", str(port)))
        until(lambda: listens(port))
        one_core = [*here, "--cores", "1", "--memory", "1g", address]
        started += [_server(folder, _WORKER, *one_core) for _ in range(2)]
        yield StandaloneCluster(address, tuple(started[1:]))
    finally:
        _end(started)


@contextmanager
def connect_server(folder: Path) -> Iterator[str]:
    """Yield the address of a Spark Connect server with two cores of this machine."""
    port, started = free_port(), []
    settings = {
        "spark.master": "local[2,4]",
        "spark.ui.enabled": "false",
        "spark.driver.bindAddress": _LOOPBACK,
        "spark.connect.grpc.binding.address": _LOOPBACK,
        "spark.connect.grpc.binding.port": str(port),
    }
    options = [part for item in settings.items() for part in ("--conf", "=".join(item))]
    submit = ["org.apache.spark.deploy.SparkSubmit", "--class", _CONNECT, "--name", "connect"]
    try:
        started.append(_server(folder, *submit, *options))
        until(lambda: listens(port))
        yield f"sc://{_LOOPBACK}:{port}"
    finally:
        _end(started)


def _server(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    with (folder / "servers.log").open("ab") as log:
        return subprocess.Popen(
            [str(_SPARK_HOME / "bin" / "spark-class"), *arguments],
            cwd=folder,
            env={
                **environment(folder),
                "SPARK_LAUNCHER_OPTS": _COMPILER,
                "SPARK_SUBMIT_OPTS": quick_start(),
            },
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )


def _end(started: list[subprocess.Popen[bytes]]) -> None:
    for server in reversed(started):
        for each in descendants(server.pid):
            kill(each)
        server.kill()
        server.wait()
