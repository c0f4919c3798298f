"""If Java ends at any moment, the reason is one line, and nothing else is printed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from rejoin_conformance.campaigns.spark.failures import (
    JobFailedError,
    lost_spark_in_one_line,
    reason_of,
)
from support.processes import free_port

CALLS_JAVA_THAT_HAS_ENDED = """
import os, sys
from py4j.clientserver import ClientServer, JavaParameters, PythonParameters
from rejoin_conformance.campaigns.spark.failures import *
print_no_tracebacks()
java = ClientServer(JavaParameters(port=int(sys.argv[1])), PythonParameters(port=0))
try:
    with lost_spark_in_one_line():
        java.jvm.java.lang.System.currentTimeMillis()
except JobFailedError as error:
    print(error, flush=True)
os._exit(0)  # the callback server has a thread
"""


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


def test_an_exception_of_the_suite_itself_is_not_changed() -> None:
    with pytest.raises(ValueError, match="ours"), lost_spark_in_one_line():
        raise ValueError("ours")
    with pytest.raises(JobFailedError, match="earlier"), lost_spark_in_one_line():
        raise JobFailedError("earlier")


def test_the_cause_among_many_lines_is_the_reason() -> None:
    many = RuntimeError("An error occurred\n  at x\nCaused by: java.io.IOException: disk\n  at y")
    assert reason_of(many) == "Caused by: java.io.IOException: disk"
    assert reason_of(RuntimeError()) == "RuntimeError"
