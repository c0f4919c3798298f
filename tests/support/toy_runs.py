"""Run the toy corpus against a mode of the toy adapter, and find its leftover processes."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from attrs import evolve

from rejoin_conformance.adapters.conversation import Adapter
from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.protocol import Hello
from rejoin_conformance.adapters.runner.cases import Outcome
from rejoin_conformance.adapters.runner.pool import run_cases
from support.toy_system import toy_cases

TOY_ADAPTER = Path(__file__).with_name("toy_adapter.py")
TRIGGER = ("toy/halves/half-of-14", "strict")
SHORT = Limits(timeout=0.8, hello=30, farewell=0.3, longest_line=1024 * 1024)
"""Limits for an adapter that hangs: every other adapter answers well within them."""
PATIENT = evolve(SHORT, timeout=30)
HELLO = Hello(
    name="toy", version="", language="", operations=("toy/halve",), readings={}, max_in_flight=1
)


def toy_environment(**more: str) -> dict[str, str]:
    """Return the environment of a program that imports from the folder of tests."""
    path = [str(TOY_ADAPTER.parent.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path), **more}


def toy_adapter(mode: str, folder: Path | None = None, limits: Limits = PATIENT) -> Adapter:
    """Return the toy adapter as a program, which writes its process IDs to `folder`."""
    command = (sys.executable, "-IS", str(TOY_ADAPTER), mode)
    return Adapter(command=command if folder is None else (*command, str(folder)), limits=limits)


def run_toy(adapter: Adapter, jobs: int = 1) -> dict[tuple[str, str], Outcome]:
    """Return the last outcome of every case of the toy corpus."""
    hello = adapter.greet()
    outcomes: dict[tuple[str, str], Outcome] = {}

    def deliver(outcome: Outcome) -> None:
        outcomes[outcome.case.key] = outcome

    run_cases(adapter, hello, toy_cases(hello), deliver, jobs)
    return outcomes


def left_behind(folder: Path) -> list[int]:
    """Return the adapter's processes that still run after a moment."""
    numbers = [int(path.name) for path in folder.iterdir()]
    assert numbers, "the adapter left no trace"
    for _ in range(500):
        alive = [number for number in numbers if _is_alive(number)]
        if not alive:
            return []
        time.sleep(0.01)
    return alive


def _is_alive(number: int) -> bool:
    """Return whether a process runs; a zombie does not count."""
    status = Path(f"/proc/{number}/stat")
    if status.parent.parent.joinpath("self").exists():
        try:
            return status.read_text().rpartition(")")[2].split()[0] != "Z"
        except FileNotFoundError:
            return False
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True
