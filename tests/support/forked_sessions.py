"""Sessions of pytest with the toy system, each in a fork of one process that has imported all.

Imports take most of the time of such a session.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import pytest

from rejoin_conformance.adapters.runner import run_plan
from rejoin_conformance.command_line import main
from rejoin_conformance.corpus import generate
from support import toy_system
from support.toy_runs import toy_environment

Session = Callable[[Path, list[str]], subprocess.CompletedProcess[str]]
"""(folder, arguments of pytest) -> the ended session, which ran in the folder's subfolder trace."""

PRELOADED = (generate, main, run_plan, toy_system)
"""Modules with the imports that every session needs."""


@contextmanager
def forked_sessions() -> Iterator[Session]:
    """Yield a function that runs a session of pytest whose only system is the toy."""
    command = [sys.executable, "-m", "support.forked_sessions"]
    with subprocess.Popen(
        command, env=toy_environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:

        def session(folder: Path, arguments: list[str]) -> subprocess.CompletedProcess[str]:
            assert process.stdin is not None
            assert process.stdout is not None
            print(json.dumps([str(folder), arguments]), file=process.stdin, flush=True)
            code = int(process.stdout.readline())
            printed = [(folder / name).read_text() for name in ("stdout", "stderr")]
            return subprocess.CompletedProcess(arguments, code, *printed)

        yield session


def _serve() -> None:
    """Run a session for each line of standard input, and print its exit code."""
    for line in sys.stdin:
        folder, arguments = json.loads(line)
        child = os.fork()
        if child == 0:
            _run(Path(folder), arguments)
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


def _run(folder: Path, arguments: list[str]) -> NoReturn:
    """Run a session in this process, and end the process."""
    code = -1
    try:
        writing = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(os.open(folder / "stdout", writing), 1)
        os.dup2(os.open(folder / "stderr", writing), 2)
        os.environ["TOY_FOLDER"] = str(folder / "toy")
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # other plugins take time to load
        os.chdir(folder / "trace")
        code = int(pytest.main(arguments))
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code & 0xFF)  # nothing of the parent may be finished here


if __name__ == "__main__":
    _serve()
