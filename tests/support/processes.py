"""Processes that a test starts, with all that they start in turn; and free ports for them."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from attrs import frozen

PATIENCE_SECONDS = 600
"""How long to wait for what must come; only a broken program makes a test wait so long."""


@frozen
class Process:
    """A process that runs: its ID, its parent's, and its command line."""

    pid: int
    parent: int
    command: str


def processes() -> list[Process]:
    """All processes of the machine that can be looked at."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                after_name = (folder / "stat").read_text().rpartition(")")[2].split()
                if after_name[0] != "Z":
                    found.append(Process(int(folder.name), int(after_name[1]), command))
    return found


def descendants(pid: int) -> list[Process]:
    """The processes that a process has started, and those that they have."""
    everything = processes()
    found: list[Process] = []
    parents = {pid}
    while parents:
        children = [each for each in everything if each.parent in parents]
        found += children
        parents = {child.pid for child in children}
    return found


def python_workers(pid: int) -> list[Process]:
    """Spark's Python workers among a process's descendants: forks of Spark's Python daemon."""
    daemons = [each for each in descendants(pid) if "pyspark.daemon" in each.command]
    return [each for each in daemons if each.parent in {daemon.pid for daemon in daemons}]


def kill(process: Process) -> None:
    """End a process at once, without a chance to clean up."""
    with suppress(ProcessLookupError):
        os.kill(process.pid, signal.SIGKILL)


def until(what: Callable[[], bool]) -> None:
    """Wait until something holds; an AssertionError where it never does."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not what():
        assert time.monotonic() < end, "what must come did not come"
        time.sleep(0.1)


def free_port() -> int:
    """A port of the loopback interface that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    assert isinstance(port, int)
    return port


def listens(port: int) -> bool:
    """Whether somebody listens on a port of the loopback interface."""
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", port)) == 0
