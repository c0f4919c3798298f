"""`rejoin report`: each form shows all runs, with the same bytes in every process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from support.result_files import failed, passed, results, write_results

MAIN = "from rejoin_conformance.command_line.main import main; main()"
FORMS = {"html": b"<!doctype html>", "markdown": b"## Rejoin", "junit": b"<?xml", "badge": b"{"}


def test_reports_of_equal_results_are_equal(tmp_path: Path) -> None:
    clauses = [f"TOY-{letter}" for letter in "ABCDEFG"]
    bad = results(*(failed(each, each, *clauses, explanation=each) for each in clauses), name="bad")
    good = results(*(passed(each, each, *clauses) for each in clauses))
    files = [write_results(tmp_path / name, run) for name, run in (("1", bad), ("2", good))]
    told = []
    for seed in ("1", "2"):
        paths = {form: tmp_path / f"{form}-{seed}" for form in FORMS}
        options = [f"--{form}={path}" for form, path in paths.items()]
        ended = subprocess.run(
            [sys.executable, "-c", MAIN, "report", *map(str, files), "--json", *options],
            capture_output=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=False,
        )
        assert ended.returncode == 1, ended.stderr
        forms = {form: path.read_bytes() for form, path in paths.items()}
        assert all(text.startswith(FORMS[form]) for form, text in forms.items())
        assert all(b"my-port 2.1" in text for form, text in forms.items() if form != "badge")
        assert b'"label":"my-port 2.1"' in ended.stdout
        told.append((ended.stdout, forms))
    assert told[0] == told[1]
