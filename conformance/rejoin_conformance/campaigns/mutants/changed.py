"""The mutants of the functions that changed since the branch left `main`."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from rejoin_conformance.campaigns.mutants.mutant import Mutant
from rejoin_conformance.campaigns.mutants.source import REFERENCE, source_path

_MAIN: Final = ("origin/main", "main")
_FILE: Final = re.compile(r"\+\+\+ b/(?P<path>.*)")
_LINES: Final = re.compile(r"@@ -\S+ \+(?P<start>\d+)(?:,(?P<count>\d+))? @@")


def changed_lines(root: Path) -> dict[Path, set[int]] | None:
    """Return the lines of the reference that changed since the merge base with main.

    root: a folder of the checkout. Lines that are not committed yet count too. A line before and
    after deleted ones counts as changed. None: the folder is not a checkout, or it has no other
    branch to compare with.
    """
    top = _git(root, "rev-parse", "--show-toplevel")
    bases = [_git(root, "merge-base", "HEAD", name) for name in _MAIN]
    base = next((each for each in bases if each), None)
    if top is None or base is None:
        return None
    diff = _git(root, "diff", "--unified=0", "--no-color", "--no-ext-diff", base, "--", ":/*.py")
    found: dict[Path, set[int]] = {}
    lines: set[int] = set()
    for line in (diff or "").splitlines():
        if match := _FILE.fullmatch(line):
            lines = found.setdefault(Path(top) / match["path"], set())
        elif match := _LINES.match(line):
            start, count = int(match["start"]), int(match["count"] or 1)
            lines.update(range(start, start + count) if count else (start, start + 1))
    return {path: each for path, each in found.items() if REFERENCE in path.parts}


def mutants_of_changes(
    mutants: Iterable[Mutant], changed: dict[Path, set[int]]
) -> tuple[Mutant, ...]:
    """Return the mutants of each function that has a changed line, and of changed constants."""
    every, touched = tuple(mutants), set[tuple[str, str]]()
    for mutant in every:
        lines = changed.get(source_path(mutant.module).resolve(), set())
        if not lines.isdisjoint(range(mutant.line, mutant.last_line + 1)):
            touched.add((mutant.module, mutant.function or mutant.name))
    return tuple(each for each in every if (each.module, each.function or each.name) in touched)


def _git(root: Path, *arguments: str) -> str | None:
    """Return what git prints, or None if it fails or is not installed."""
    try:
        done = subprocess.run(  # noqa: S603 - no argument comes from outside
            ["git", "-C", str(root), *arguments],  # noqa: S607 - git is found as the user finds it
            capture_output=True,
            check=True,
            text=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.rstrip("\n")
