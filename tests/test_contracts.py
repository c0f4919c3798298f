"""CrossHair confirms the contracts of the reference and the tests' lemmas, or refutes them."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
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
LEMMAS = _functions_with_contracts(_TESTS / "support", "*_lemmas.py")


def test_every_system_has_contracts() -> None:
    systems = {name.split(".")[1] for name in REFERENCE}
    assert systems >= {"config_merge", "conflict_detection", "history_merge"}


@pytest.mark.parametrize("function", [*REFERENCE, *LEMMAS])
def test_crosshair_finds_no_counterexample(function: str) -> None:
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
            function,
        ],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
    )
    report = answer.stdout + answer.stderr
    assert "Confirmed over all paths." in report, report
    assert answer.returncode == 0, report
