"""If Java ends at any moment, the reason is one line, and nothing else is printed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rejoin_conformance.campaigns.spark.failures import (
    JavaRefusedError,
    JobFailedError,
    failures_in_one_line,
    quiet_start,
    reason_of,
)
from support.processes import free_port

CALLS_JAVA_THAT_HAS_ENDED = """
import os, sys
from py4j.clientserver import ClientServer, JavaParameters, PythonParameters
from rejoin_conformance.campaigns.spark.failures import *
from rejoin_conformance.campaigns.spark.failures import print_no_tracebacks
print_no_tracebacks()
java = ClientServer(JavaParameters(port=int(sys.argv[1])), PythonParameters(port=0))
try:
    with failures_in_one_line():
        java.jvm.java.lang.System.currentTimeMillis()
except JobFailedError as error:
    print(error, flush=True)
os._exit(0)  # the callback server has a thread
"""

LOSES_THE_CONNECTIONS_OF_ACCUMULATORS = """
import os, socket, sys
from pyspark import accumulators
from rejoin_conformance.campaigns.spark.failures import print_no_tracebacks
if sys.argv[2] == "quiet":
    print_no_tracebacks()
tcp = accumulators._start_update_server("token", False)
unix = accumulators._start_update_server(None, True, sys.argv[1])
for server, family in ((tcp, socket.AF_INET), (unix, socket.AF_UNIX)):
    with socket.socket(family) as java:
        java.connect(server.server_address)
        java.sendall(b"torn")
        java.shutdown(socket.SHUT_WR)
        while java.recv(1):
            pass
os._exit(0)  # the servers have threads
"""


@pytest.mark.parametrize(("option", "tracebacks"), [("quiet", 0), ("as Spark does", 2)])
def test_spark_prints_no_traceback_when_accumulators_lose_java(
    option: str, tracebacks: int, tmp_path: Path
) -> None:
    program = [sys.executable, "-c", LOSES_THE_CONNECTIONS_OF_ACCUMULATORS]
    lost = subprocess.run(
        [*program, str(tmp_path / "socket"), option], capture_output=True, text=True, check=True
    )
    assert lost.stderr.count("Traceback") == tracebacks


def test_a_call_to_java_that_has_ended_is_one_line() -> None:
    called = subprocess.run(
        [sys.executable, "-c", CALLS_JAVA_THAT_HAS_ENDED, str(free_port())],
        capture_output=True,
        text=True,
        check=False,
    )
    assert called.stderr == ""
    assert called.stdout.startswith("Spark failed: its Java process has ended (")
    assert called.stdout.count("\n") == 1


@pytest.mark.parametrize(
    ("printed", "why"),
    [
        ('WARNING: odd\nException in thread "main" x.SparkException: no memory\n\tat x', "x.Spa"),
        ("Invalid maximum heap size: -Xmxlots\nError: Could not create", "Invalid maximum heap"),
    ],
)
def test_java_that_ends_at_once_says_why(
    printed: str, why: str, capfd: pytest.CaptureFixture[str]
) -> None:
    @quiet_start()
    def start(error: str) -> None:
        subprocess.run(["sh", "-c", 'printf %s "$0" >&2', printed], check=True)
        raise RuntimeError(error)

    with pytest.raises(JavaRefusedError, match=f"^{why}") as caught:
        start("[JAVA_GATEWAY_EXITED] Java gateway process exited")
    assert caught.value.code == 2
    with pytest.raises(RuntimeError, match="another"):
        start("another")
    assert capfd.readouterr() == ("", "")


def test_an_exception_of_the_suite_itself_is_not_changed() -> None:
    with pytest.raises(ValueError, match="ours"), failures_in_one_line():
        raise ValueError("ours")
    with pytest.raises(JobFailedError, match="earlier"), failures_in_one_line():
        raise JobFailedError("earlier")


def test_the_cause_among_many_lines_is_the_reason() -> None:
    many = RuntimeError("An error occurred\n  at x\nCaused by: java.io.IOException: disk\n  at y")
    assert reason_of(many) == "java.io.IOException: disk"
    assert reason_of(RuntimeError()) == "RuntimeError"


def test_a_cause_that_says_nothing_is_not_the_reason() -> None:
    inner = "Caused by: x.S3Exception: Access Denied; For more details see: a page"
    for outer in (
        "x.SparkException: [INTERNAL_ERROR] You hit a bug",
        "x.SparkException: Exception thrown in awaitResult:",
        "x.KubernetesClientException: An error has occurred.",
        "x.SparkException: [TASK_WRITE_FAILED] Task failed while writing rows",
    ):
        assert (
            reason_of(RuntimeError(f"{outer}\n  at x\n{inner}")) == "x.S3Exception: Access Denied"
        )
        assert reason_of(RuntimeError(outer)) == outer
