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
    assert run(["report", good, bad, *options]) == 0
    assert files["html"].read_text(encoding="utf-8").startswith("<!doctype html>")
    assert files["junit"].read_text(encoding="utf-8").startswith("<?xml ")
    assert files["markdown"].read_text(encoding="utf-8").startswith("## Rejoin conformance\n")
    assert json.loads(files["badge"].read_text())["message"] == "1 failed"


def test_without_an_option_each_run_is_a_line(
    good: str, bad: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["report", good, bad]) == 0
    assert capsys.readouterr().out == (
        "my-port 2.1: 1 pass: conformant\nanother 2.1: 1 pass, 1 fail: not conformant\n"
    )


def test_a_dash_is_standard_output(good: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["report", good, "--badge", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["color"] == "brightgreen"


def test_the_reports_of_equal_results_are_equal(good: str, bad: str, tmp_path: Path) -> None:
    made = []
    for name in ("one", "two"):
        target = tmp_path / name
        assert run(["report", good, bad, "--html", str(target)]) == 0
        made.append(target.read_bytes())
    assert made[0] == made[1]


@pytest.mark.parametrize(
    ("content", "more"), [("{}\n", ""), ("print()\n", " (line 1: Expecting value at character 0)")]
)
def test_a_file_that_holds_no_results_is_one_line(
    content: str, more: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "other.ndjson"
    path.write_text(content)
    assert run(["report", str(path), "--html", str(tmp_path / "x.html")]) == 2
    fault = f"line 1 is not the header of a results file{more}"
    assert capsys.readouterr().err == f"rejoin: {path}: {fault}\n"
    assert not (tmp_path / "x.html").exists()


def test_a_target_that_cannot_be_written_is_one_line(
    good: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "missing" / "report.html"
    assert run(["report", good, "--html", str(target)]) == 2
    assert capsys.readouterr().err == f"rejoin: {target}: No such file or directory\n"
