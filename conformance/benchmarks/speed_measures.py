"""How the table of speeds measures one version: a piece of work, a program, or a kept campaign."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any, Final, TypeAlias

from attrs import frozen

from speed_trees import BEFORE, ROOT, Tree

WORKER: Final = Path(__file__).with_name("speed_worker.py")
CAMPAIGNS: Final = ROOT / "build" / "speed"
"""The folder of the campaigns that an interrupted table has begun."""

_MAIN: Final = "from rejoin_conformance.command_line.main import main; main()"

CPU: Final = "CPU s"
WALL: Final = "wall s"
RATIO: Final = "ratio"

_SOME_FAILED: Final = 1
"""The exit code of pytest if tests ran and some failed."""


class DoesNotRunError(Exception):
    """One of the compared programs fails. The message has its last line."""


@frozen
class Sample:
    """One measurement: a number of the row's unit, and a digest of the result, or none."""

    measured: float
    digest: str = ""


Measure: TypeAlias = Callable[[int], Sample]
"""(the number of the round) -> a measurement. Raises DoesNotRunError."""


Measuring: TypeAlias = Callable[[Tree], AbstractContextManager[Measure]]
"""(a version) -> a context in which it can be measured."""


def work(*arguments: str) -> Measuring:
    """Return how to measure one piece of work in a process that stays for all rounds."""

    @contextmanager
    def measure(tree: Tree) -> Iterator[Measure]:
        process = subprocess.Popen(
            [str(tree.python), "-P", str(WORKER), *arguments],
            env=dict(tree.environment()),
            cwd=tree.root,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        question, answers = process.stdin, process.stdout

        def ask(number: int) -> Sample:
            with suppress(BrokenPipeError):  # it has ended, so there is no answer either
                question.write(f"{number}\n")
                question.flush()
            answer = answers.readline().split()
            if not answer:
                raise DoesNotRunError(f"{tree.name}: {_last_line(process.communicate()[1])}")
            return Sample(float(answer[0]), answer[1])

        try:
            yield ask
        finally:
            process.kill()
            process.wait()

    return measure


def command(*arguments: str, unit: str = WALL) -> Measuring:
    """Return how to measure one run of `rejoin`. Its output is not compared."""
    return program(("-c", _MAIN, *arguments), unit)


def program(arguments: Sequence[str], unit: str) -> Measuring:
    """Return how to measure one run of Python with these arguments."""

    @contextmanager
    def measure(tree: Tree) -> Iterator[Measure]:
        yield from _running(tree, (str(tree.python), *arguments), unit)

    return measure


def make(target: str) -> Measuring:
    """Return how to measure one run of `make` with the developers' tools of this environment."""

    @contextmanager
    def measure(tree: Tree) -> Iterator[Measure]:
        installed = f"{sys.prefix}/.ready"
        # -o: make must not install the measured checkout into the environment.
        arguments = ("make", "-o", installed, f"VENV={sys.prefix}", target)
        yield from _running(tree, arguments, WALL)

    return measure


def tests(*arguments: str) -> Measuring:
    """Return how to measure the CPU time of one run of pytest.

    Tests start the installed commands, so the earlier commit first gets an environment of its own.
    Its measurement counts even if some of its tests fail.
    """

    @contextmanager
    def measure(tree: Tree) -> Iterator[Measure]:
        earlier = tree.name == BEFORE
        python = tree.root / ".venv" / "bin" / "python" if earlier else tree.python

        with tempfile.TemporaryDirectory() as cache:
            environment = {**tree.environment(), "XDG_CACHE_HOME": cache}

            def run(_number: int) -> Sample:
                if earlier:
                    _run(tree, ("make", "setup"), dict(os.environ))
                cpu = _cpu_of_children()
                allowed = (0, _SOME_FAILED) if earlier else (0,)
                _run(tree, (str(python), "-m", "pytest", *arguments), environment, allowed)
                return Sample(_cpu_of_children() - cpu)

            yield run

    return measure


def campaign(system: str, histories: int) -> Measuring:
    """Return how to measure one campaign on all cores, and its digest.

    The measurement is the time in which the campaign ran, without the start of Java. If it is
    interrupted, the next one resumes the campaign.
    """

    @contextmanager
    def measure(tree: Tree) -> Iterator[Measure]:
        folder = CAMPAIGNS / f"{tree.name}-{system}-{histories}"

        def run(_number: int) -> Sample:
            folder.parent.mkdir(parents=True, exist_ok=True)
            chosen = ("--histories", str(histories), "--directory", str(folder), "--json")
            rejoin(tree, ("fuzz", system, *chosen))
            status: dict[str, Any] = json.loads(
                rejoin(tree, ("campaign", "status", str(folder), "--json"))
            )
            shutil.rmtree(folder)
            return Sample(float(status["active_seconds"]), status["digest"])

        yield run

    return measure


def rejoin(tree: Tree, arguments: Sequence[str]) -> str:
    """Run `rejoin` and return its output. Raises DoesNotRunError."""
    return _run(tree, (str(tree.python), "-c", _MAIN, *arguments), dict(tree.environment()))


def _running(tree: Tree, arguments: Sequence[str], unit: str) -> Iterator[Measure]:
    with tempfile.TemporaryDirectory() as cache:
        environment = {**tree.environment(), "XDG_CACHE_HOME": cache}

        def run(_number: int) -> Sample:
            wall, cpu = time.perf_counter(), _cpu_of_children()
            _run(tree, arguments, environment)
            used = _cpu_of_children() - cpu if unit == CPU else time.perf_counter() - wall
            return Sample(used)

        yield run


def _run(
    tree: Tree,
    arguments: Sequence[str],
    environment: dict[str, str],
    allowed: Container[int] = (0,),
) -> str:
    """Return the output of a program. Raises DoesNotRunError. allowed: exit codes of success."""
    try:
        done = subprocess.run(
            arguments,
            env=environment,
            cwd=tree.root,
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        raise DoesNotRunError(f"{tree.name}: {arguments[0]} is not installed") from None
    if done.returncode not in allowed:
        said = done.stderr.strip() or done.stdout
        raise DoesNotRunError(f"{tree.name}: {_last_line(said)}")
    return done.stdout


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _last_line(text: str) -> str:
    return text.strip().rpartition("\n")[2] or "no output"
