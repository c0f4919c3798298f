"""Processes that a test starts, and their descendants; free ports for them."""

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
"""Seconds to wait for an event that must happen; only a broken program needs so long."""


@frozen
class Process:
    """A running process: its ID and its parent's ID."""

    pid: int
    parent: int

    @property
    def command(self) -> str:
        """Return its command line; empty if it has ended."""
        try:
            return Path(f"/proc/{self.pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            return ""


def processes() -> list[Process]:
    """Return all processes of the machine, but for those that have ended."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):  # noqa: PTH208 - asked ten times a second
        with suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
            state, parent, *_ = file.read().rpartition(b")")[2].split(None, 2)
            if state != b"Z":
                found.append(Process(int(name), int(parent)))
    return found


def descendants(pid: int) -> list[Process]:
    """Return the processes that a process has started, directly or indirectly."""
    everything = processes()
    found: list[Process] = []
    parents = {pid}
    while parents:
        children = [each for each in everything if each.parent in parents]
        found += children
        parents = {child.pid for child in children}
    return found


def python_workers(pid: int) -> list[Process]:
    """Return Spark's Python workers among a process's descendants: forks of its Python daemon."""
    daemons = [each for each in descendants(pid) if "pyspark.daemon" in each.command]
    return [each for each in daemons if each.parent in {daemon.pid for daemon in daemons}]


def kill(process: Process) -> None:
    """End a process immediately, without a chance to clean up."""
    with suppress(ProcessLookupError):
        os.kill(process.pid, signal.SIGKILL)


def until(what: Callable[[], bool]) -> None:
    """Wait until `what` returns true; raise AssertionError after a time limit."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not what():
        assert time.monotonic() < end, "what must come did not come"
        time.sleep(0.1)


def free_port() -> int:
    """Return a free port of the loopback interface."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    assert isinstance(port, int)
    return port


def listens(port: int) -> bool:
    """Return whether a process listens on a port of the loopback interface."""
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", port)) == 0
