"""CrossHair confirms the contracts of the reference, or finds a counterexample."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

_CONTRACT = re.compile(r"^\s*post(\[.*\])?:", re.MULTILINE)
_SECONDS_A_CONDITION = "20"


def _functions_with_contracts() -> list[str]:
    root = Path(str(files("rejoin")))
    return [
        ".".join(("rejoin", *path.relative_to(root).with_suffix("").parts, node.name))
        for path in sorted(root.rglob("*.py"))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and _CONTRACT.search(ast.get_docstring(node) or "")
    ]


def test_every_system_has_contracts() -> None:
    systems = {name.split(".")[1] for name in _functions_with_contracts()}
    assert systems >= {"config_merge", "conflict_detection", "history_merge"}


@pytest.mark.parametrize("function", _functions_with_contracts())
def test_crosshair_finds_no_counterexample(function: str) -> None:
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
    )
    report = answer.stdout + answer.stderr
    assert "Confirmed over all paths." in report, report
    assert answer.returncode == 0, report
