"""TLC ends with the command that runs it, however that one ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zipfile import ZipFile

import pytest

from support.processes import Process, descendants, kill, processes, until

JAVA = """\
#!/bin/sh
if [ "$1" = -version ]; then
  echo 'openjdk version "21"' >&2
  exit
fi
sleep 3600 &
touch "$STARTED/$$" "$STARTED/$!"
wait
"""
"""A Java on which TLC never comes to an end, nor does what it has started."""

COMMANDS = [
    ["check", "history-merge", "--config", "counts"],
    ["behaviours", "history-merge", "--number", "1"],
    ["validate", "history-merge", "--histories", "1"],
]


@contextmanager
def running(arguments: list[str], folder: Path) -> Iterator[subprocess.Popen[str]]:
    """`rejoin model` while its TLC runs, which leaves the numbers of its processes in `started`."""
    started, scratch, java = folder / "started", folder / "scratch", folder / "bin" / "java"
    for each in (started, scratch, java.parent):
        each.mkdir()
    java.write_text(JAVA)
    java.chmod(0o755)
    jar = folder / "tla2tools.jar"
    with ZipFile(jar, "w") as content:
        content.writestr("tlc2/TLC.class", b"")
    environment = {
        "JAVA_HOME": str(folder),
        "REJOIN_TLA2TOOLS": str(jar),
        "STARTED": str(started),
        "TMPDIR": str(scratch),
    }
    program = (
        "import signal; signal.signal(signal.SIGHUP, signal.SIG_DFL);"  # nohup may run the tests
        "from rejoin_conformance.command_line.main import main; main()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, "model", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    ) as command:
        try:
            until(lambda: command.poll() is not None or _is_under_way(command.pid, folder))
            assert command.poll() is None, "it has ended by itself"
            yield command
        finally:
            command.kill()
            for process in alive(folder):
                kill(process)


def alive(folder: Path) -> list[Process]:
    """The fake Java and its child, as far as they still run."""
    numbers = {int(path.name) for path in (folder / "started").iterdir()}
    return [each for each in processes() if each.pid in numbers]


def _is_under_way(pid: int, folder: Path) -> bool:
    guarded = any(" guard " in each.command for each in descendants(pid))
    return guarded and len(alive(folder)) == 2


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: arguments[0])
def test_a_terminated_command_ends_tlc_and_leaves_nothing(
    arguments: list[str], tmp_path: Path
) -> None:
    with running(arguments, tmp_path) as command:
        command.terminate()
        _, errors = command.communicate()
        until(lambda: alive(tmp_path) == [])
    assert errors.splitlines()[-1] == "rejoin: interrupted"
    assert command.returncode == 3
    assert list((tmp_path / "scratch").iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGHUP])
def test_a_killed_command_leaves_no_tlc(number: signal.Signals, tmp_path: Path) -> None:
    with running(COMMANDS[0], tmp_path) as command:
        command.send_signal(number)
        command.communicate()
        until(lambda: alive(tmp_path) == [])
    assert command.returncode == -number
