"""The whole corpus on the ports in other languages, compared with the reference in this process."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from rejoin_conformance.adapters.run_options import RunOptions, Selection
from rejoin_conformance.adapters.runner.cases import Case, Outcome
from rejoin_conformance.adapters.runner.pool import run_cases
from rejoin_conformance.adapters.runner.run_plan import make_plan

SOURCES: Final = Path(__file__).parent.parent / "ports"
BUILT: Final = Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser() / "rejoin-ports"
ROUNDS: Final = 3


def main() -> None:
    """Build and measure the ports, and print the times; report a port whose tools are missing."""
    for language, build in _BUILDS.items():
        command = build()
        if isinstance(command, str):
            _measure(language, command)
        else:
            print(f"{language}: left out, {' and '.join(command)} not installed")


def _measure(language: str, command: str) -> None:
    plan = make_plan(command, (), Selection(), RunOptions())
    through: list[float] = []
    here: list[float] = []
    for _ in range(ROUNDS):
        verdicts: list[Outcome] = []
        start = time.perf_counter()
        run_cases(plan.adapter, plan.hello, plan.cases, verdicts.append)
        through.append(time.perf_counter() - start)
        here.append(_seconds_in_process(plan.cases))
        passed = sum(outcome.verdict == "pass" for outcome in verdicts)
    count = len(plan.cases)
    port, reference = min(through), min(here)
    print(
        f"{language}: {passed:,} of {count:,} pass; {count / port:,.0f} vectors a second through "
        f"the adapter, {count / reference:,.0f} by the reference in process, "
        f"ratio {port / reference:.2f}"
    )


def _seconds_in_process(cases: Sequence[Case]) -> float:
    start = time.perf_counter()
    for case in cases:
        case.operation.run(case.vector.input, case.reading)
    return time.perf_counter() - start


def built() -> Iterator[tuple[str, str]]:
    """Build the ports. Yield the language and the command line of each whose tools are there."""
    for language, build in _BUILDS.items():
        command = build()
        if isinstance(command, str):
            yield language, command


def rust() -> str | None:
    """Build the Rust port, and return its command line; None if cargo is not installed."""
    built = _rust()
    return built if isinstance(built, str) else None


def _rust() -> str | list[str]:
    if shutil.which("cargo") is None:
        return ["cargo"]
    _copy("rust")
    _quietly(["cargo", "build", "--release"], BUILT / "rust")
    return shlex.quote(str(BUILT / "rust" / "target" / "release" / "rejoin-rust"))


def _javascript() -> str | list[str]:
    missing = [tool for tool in ("node", "npm") if shutil.which(tool) is None]
    if missing:
        return missing
    _copy("javascript")
    _quietly(["npm", "install", "--no-audit", "--no-fund"], BUILT / "javascript")
    return shlex.join(["node", str(BUILT / "javascript" / "adapter.js")])


def _copy(language: str) -> None:
    """Copy the sources next to the build output, which is kept between runs."""
    shutil.copytree(SOURCES / language, BUILT / language, dirs_exist_ok=True)


def _quietly(command: Sequence[str], folder: Path) -> None:
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


_BUILDS: Final[Mapping[str, Callable[[], str | list[str]]]] = {
    "Rust": _rust,
    "JavaScript": _javascript,
}
