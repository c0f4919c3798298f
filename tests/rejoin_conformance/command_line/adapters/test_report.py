"""`rejoin report`: the files that it writes, and its errors for corrupt ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rejoin_conformance.command_line.main import run
from support.result_files import failed, passed, results, write_results


@pytest.fixture
def good(tmp_path: Path) -> str:
    return str(write_results(tmp_path / "good.ndjson", results(passed("a"))))


@pytest.fixture
def bad(tmp_path: Path) -> str:
    torn = results(passed("a"), failed("b"), name="another", finished=False)
    return str(write_results(tmp_path / "bad.ndjson", torn))


def test_each_option_makes_a_file(good: str, bad: str, tmp_path: Path) -> None:
    files = {name: tmp_path / f"report.{name}" for name in ("html", "junit", "markdown", "badge")}
    options = [word for name, path in files.items() for word in (f"--{name}", str(path))]
    assert run(["report", good, bad, *options]) == 1
    assert files["html"].read_text(encoding="utf-8").startswith("<!doctype html>")
    assert files["junit"].read_text(encoding="utf-8").startswith("<?xml ")
    assert files["markdown"].read_text(encoding="utf-8").startswith("## Rejoin conformance\n")
    assert json.loads(files["badge"].read_text())["message"] == "1 failed"


def test_the_reports_of_equal_results_are_equal(good: str, bad: str, tmp_path: Path) -> None:
    made = []
    for name in ("one", "two"):
        target = tmp_path / name
        assert run(["report", good, bad, "--html", str(target)]) == 1
        made.append(target.read_bytes())
    assert made[0] == made[1]
