"""The mutants of the JavaScript port: those of Stryker, in one copy that carries them all.

Stryker's instrumenter puts each mutant behind a switch. `javascript/corpus/mutants.js` asks the
copy the corpus, one mutant at a time. It runs in a copy of the port's folder, in which npm
installs the packages.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from port_mutants import INVALID, KILLED, SURVIVED, Mutant, mutant_of, numbered, span_of
from rejoin_conformance.contract.tier import tier_of
from scratch import BUILD, PORTS, SYSTEMS, VECTORS, ScratchError

RANDOM_KILLS: Final = BUILD / "javascript-random-kills.json"
"""Mutant -> the vectors of the tier `random` that kill it, if no other vector does."""

_FOLDER: Final = BUILD / "javascript-mutants"
_PORT: Final = PORTS / "javascript"
_KEPT: Final = ("node_modules", "earlier.json")
"""What stays from an earlier run: packages, and results."""

_INSTALL: Final = ("npm", "install", "--include=dev", "--no-audit", "--no-fund", "--ignore-scripts")
_FATES: Final = {"Killed": KILLED, "Timeout": KILLED, "Survived": SURVIVED, "NoCoverage": SURVIVED}


def run_javascript(files: Sequence[str]) -> tuple[Mutant, ...]:
    """Run the mutants of some files, such as `bt.js`. Raises ScratchError if a tool fails."""
    _copy()
    _run(*_INSTALL)
    _run("node", "corpus/mutants.js", *files, shown=True)
    report = json.loads((_FOLDER / "mutation.json").read_text("utf-8"))
    RANDOM_KILLS.write_text(json.dumps(dict(random_kills(report)), indent=1) + "\n", "utf-8")
    return from_stryker(report)


def files_of_port() -> tuple[str, ...]:
    """Return the source files of the port, by their paths in it."""
    return tuple(
        str(path.relative_to(_PORT))
        for folder in (_PORT, *(_PORT / system for system in SYSTEMS))
        for path in sorted(folder.glob("*.js"))
    )


def from_stryker(report: Mapping[str, Any]) -> tuple[Mutant, ...]:
    """Return the mutants of a JSON report of Stryker, without those that it ignored."""
    return numbered(
        mutant_of(
            file,
            about["source"],
            each["mutatorName"],
            span_of(each["location"]),
            each.get("replacement", ""),
            _FATES.get(each["status"], INVALID),
        )
        for file, about in sorted(report["files"].items())
        for each in about["mutants"]
        if each["status"] != "Ignored"
    )


def random_kills(report: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Return the mutants that vectors of the tier `random` alone kill, each with those vectors."""
    for file, about in sorted(report["files"].items()):
        for each in about["mutants"]:
            killers = each.get("killedBy", [])
            if killers and all(tier_of(vector) == "random" for vector in killers):
                start = each["location"]["start"]
                place = f"{file}:{start['line']}:{start['column']}"
                yield f"{place}: {each['mutatorName']} {each['replacement']}", killers


def _copy() -> None:
    """Copy the port."""
    if _FOLDER.exists():
        for each in _FOLDER.iterdir():
            if each.name not in _KEPT:
                shutil.rmtree(each) if each.is_dir() else each.unlink()
    left_out = shutil.ignore_patterns("node_modules")
    shutil.copytree(_PORT, _FOLDER, ignore=left_out, dirs_exist_ok=True)


def _run(*command: str, shown: bool = False) -> None:
    """Run a command in the copy. shown: whether its messages are printed while it runs."""
    variables = {**os.environ, "REJOIN_VECTORS": str(VECTORS)}
    ran = subprocess.run(
        command,
        cwd=_FOLDER,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=None if shown else subprocess.STDOUT,
        text=True,
        check=False,
    )
    if ran.returncode != 0:
        raise ScratchError(f"{' '.join(command)}:\n{ran.stdout[-3000:]}")
