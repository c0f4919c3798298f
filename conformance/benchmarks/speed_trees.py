"""The versions of the project whose speed is compared: each is a folder with an interpreter."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from attrs import frozen

ROOT: Final = Path(__file__).parent.parent.parent
BASELINE: Final = "17095c6eaeb3d0caa8b3db3a94524ea978573e08"
"""The last commit before the work on speed began."""

PACKAGES: Final = (
    ROOT / "reference" / "rejoin",
    ROOT / "conformance" / "rejoin_conformance",
)
"""The packages that an installation has."""

COMPILED: Final = ROOT / ".venv-fast"
"""The environment that `make fast` makes."""

BEFORE: Final = "before"
NOW: Final = "now"
COMPILED_BUILD: Final = "compiled"
"""The names of the versions."""


class NoBaselineError(Exception):
    """The repository does not contain the earlier commit. The message says what to do."""


class StaleBuildError(Exception):
    """The compiled build is not of this checkout. The message says what to do."""


@frozen
class Tree:
    """One version of the project.

    name: its column in the table. root: its checkout. python: the interpreter that runs it.
    sources: whether it runs from the checkout; otherwise it is installed beside the interpreter.
    """

    name: str
    root: Path
    python: Path
    sources: bool = True

    def environment(self) -> Mapping[str, str]:
        """Return the environment variables of a process of this version."""
        benchmarks = self.root / "conformance" / "benchmarks"
        sources = (self.root / "reference", self.root / "conformance") if self.sources else ()
        return {
            **os.environ,
            "PYTHONDONTWRITEBYTECODE": "",  # a program starts from what its first run compiled
            "PYTHONPATH": os.pathsep.join(map(str, (*sources, benchmarks))),
        }


@contextmanager
def trees(baseline: str = BASELINE, compiled: Path = COMPILED) -> Iterator[tuple[Tree, ...]]:
    """Return the baseline in a temporary checkout, this checkout, and the compiled build if any.

    Raises NoBaselineError and StaleBuildError.
    """
    built = compiled_build(compiled)
    with earlier(baseline) as before:
        yield (before, this_checkout(), *(() if built is None else (built,)))


def this_checkout() -> Tree:
    """Return this checkout, run by this interpreter."""
    return Tree(NOW, ROOT, Path(sys.executable))


def compiled_build(environment: Path = COMPILED) -> Tree | None:
    """Return the build that is installed in an environment, or None. Raises StaleBuildError."""
    python = environment / "bin" / "python"
    if not python.exists():
        return None
    for package in PACKAGES:
        for installed in environment.glob(f"lib/python*/site-packages/{package.name}"):
            changed = _changed(package, installed)
            if changed is not None:
                raise StaleBuildError(
                    f"{changed.relative_to(ROOT)} has changed since {environment} was built. "
                    "Run make fast again, or name another folder with --compiled."
                )
    return Tree(COMPILED_BUILD, ROOT, python, sources=False)


def _changed(package: Path, installed: Path) -> Path | None:
    """Return the first module of a package that its installed copy does not have as it is."""
    for path in sorted(package.rglob("*.py")):
        copy = installed / path.relative_to(package)
        if not copy.exists() or copy.read_bytes() != path.read_bytes():
            return path
    return None


@contextmanager
def earlier(commit: str = BASELINE) -> Iterator[Tree]:
    """Return a temporary checkout of a commit. Raises NoBaselineError."""
    with tempfile.TemporaryDirectory() as folder:
        checkout = Path(folder) / "baseline"
        _git("worktree", "add", "--detach", "--quiet", str(checkout), commit)
        try:
            yield Tree(BEFORE, checkout, Path(sys.executable))
        finally:
            _git("worktree", "remove", "--force", str(checkout))


def has_changes() -> bool:
    """Return whether files of the packages differ from the last commit."""
    return bool(_git("status", "--porcelain", "--", *map(str, PACKAGES)))


def full_name(commit: str) -> str:
    """Return the 40 hexadecimal digits of a commit. Raises NoBaselineError."""
    return _git("rev-parse", "--verify", f"{commit}^{{commit}}")


def _git(*arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise NoBaselineError(
            f"git {' '.join(arguments[:2])}: {done.stderr.strip()}. The comparison needs a clone "
            "with the whole history: git fetch --unshallow, or name a commit with --baseline."
        )
    return done.stdout.strip()
