"""CrossHair confirms the contracts of the reference and the tests' lemmas, or refutes them."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

_REFERENCE = Path(str(files("rejoin")))
_TESTS = Path(__file__).resolve().parent
_CONTRACT = re.compile(r"^\s*post(\[.*\])?:", re.MULTILINE)
_SECONDS_A_CONDITION = "20"


def _functions_with_contracts(folder: Path, pattern: str) -> list[str]:
    """The dotted names of the functions below a package's folder that have contracts."""
    return [
        ".".join((folder.name, *path.relative_to(folder).with_suffix("").parts, node.name))
        for path in sorted(folder.rglob(pattern))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and _CONTRACT.search(ast.get_docstring(node) or "")
    ]


REFERENCE = _functions_with_contracts(_REFERENCE, "*.py")
QUICK = [
    "rejoin.config_merge.windows.within",
    "rejoin.conflict_detection.version_maps.entry_at_least",
    "rejoin.history_merge.three_way_merge.element_three_way_merge",
]
LEMMAS = _functions_with_contracts(_TESTS / "support", "*_lemmas.py")


def test_every_system_has_contracts() -> None:
    systems = {name.split(".")[1] for name in REFERENCE}
    assert systems >= {"config_merge", "conflict_detection", "history_merge"}


def reported(functions: Sequence[str]) -> dict[str, list[str]]:
    """The lines that CrossHair reports on each function, from one process for all functions."""
    path = os.pathsep.join([str(_TESTS), os.environ.get("PYTHONPATH", "")])
    answer = subprocess.run(
        [
            sys.executable,
            "-m",
            "crosshair",
            "check",
            "--analysis_kind=PEP316",
            f"--per_condition_timeout={_SECONDS_A_CONDITION}",
            "--report_all",
            *functions,
        ],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
    )
    lines = [line for line in answer.stdout.splitlines() if line.strip()]
    assert lines, answer.stderr
    return {name: [line for line in lines if _is_of(line, name)] for name in functions}


@pytest.mark.full_run("contracts")
def test_crosshair_confirms_every_condition() -> None:
    for function, lines in reported([*REFERENCE, *LEMMAS]).items():
        assert_confirmed(function, lines)


def test_crosshair_confirms_the_conditions_of_one_function_of_each_system() -> None:
    for function, lines in reported(QUICK).items():
        assert_confirmed(function, lines)


def assert_confirmed(function: str, lines: list[str]) -> None:
    assert len(lines) == _node(function)[1]
    assert all(line.endswith("info: Confirmed over all paths.") for line in lines), lines


def _is_of(line: str, function: str) -> bool:
    """Whether a line `path:number: ...` of a report is about a function."""
    path, number = line.split(":")[:2]
    node, _, source = _node(function)
    return Path(path).resolve() == source and node.lineno <= int(number) <= (node.end_lineno or 0)


@cache
def _node(function: str) -> tuple[ast.FunctionDef, int, Path]:
    """A function with contracts: its definition, its number of postconditions, its source file."""
    *module, name = function.split(".")
    root = _REFERENCE.parent if module[0] == _REFERENCE.name else _TESTS
    source = root.joinpath(*module).with_suffix(".py").resolve()
    for node in ast.parse(source.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return node, len(_CONTRACT.findall(ast.get_docstring(node) or "")), source
    raise LookupError(function)
