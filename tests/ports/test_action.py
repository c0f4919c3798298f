"""The steps of `action.yml` check a port, as a runner of GitHub Actions would run them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from attrs import frozen

from rejoin_conformance.command_line.main import run as run_rejoin
from support.wheels import CHECKOUT, closure, link_packages

ACTION: Final[dict[str, Any]] = yaml.safe_load((CHECKOUT / "action.yml").read_text())
STEPS: Final[list[dict[str, Any]]] = ACTION["runs"]["steps"]
RUN: Final = [step for step in STEPS if "run" in step]
NEEDED: Final = (
    "attrs",
    "cattrs",
    "click",
    "Jinja2",
    "jsonschema-rs",
    "PyNaCl",
    "rich",
    "hatchling",
)
"""What pip would download: the packages that the suite and its build need."""


@frozen
class Runner:
    """A runner in a scratch folder, with the packages that pip would download."""

    folder: Path
    packages: Path

    def run(self, step: Mapping[str, Any], **inputs: str) -> subprocess.CompletedProcess[str]:
        """Run a step as the runner does. inputs: with `_` for `-`."""
        values = {
            f"inputs.{name}": each.get("default", "") for name, each in ACTION["inputs"].items()
        }
        values |= {f"inputs.{name.replace('_', '-')}": each for name, each in inputs.items()}
        values |= {"github.action_path": str(CHECKOUT), "runner.temp": str(self.folder)}
        offline = dict.fromkeys(("PIP_NO_INDEX", "PIP_NO_DEPS", "PIP_NO_COMPILE"), "1")
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.folder / _filled(step.get("working-directory", "."), values),
            env={
                **os.environ,
                **offline,
                "PIP_NO_BUILD_ISOLATION": "0",
                "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
                "PYTHONPATH": str(self.packages),
                "GITHUB_OUTPUT": str(self.folder / "outputs"),
                "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
                **{name: _filled(text, values) for name, text in step.get("env", {}).items()},
            },
            capture_output=True,
            text=True,
            check=False,
        )

    @property
    def outputs(self) -> dict[str, str]:
        """Return the outputs of the last run."""
        lines = (self.folder / "outputs").read_text().splitlines()
        return dict(line.split("=", 1) for line in lines)


def _filled(text: str, values: Mapping[str, str]) -> str:
    return re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda found: values[found[1]], text)


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    packages = tmp_path_factory.mktemp("packages")
    link_packages(closure(NEEDED), packages)
    made = Runner(tmp_path_factory.mktemp("runner"), packages)
    installed = made.run(RUN[0])
    assert installed.returncode == 0, installed.stderr
    return made


def _reports(folder: Path) -> Iterator[str]:
    yield from (path.name for path in sorted(folder.iterdir()))


@pytest.mark.full_run("ports")
def test_a_port_checks_itself(runner: Runner, javascript_port: Path) -> None:
    inputs = {
        "adapter": "node adapter.js",
        "working_directory": str(javascript_port),
        "report": str(runner.folder / "the report"),
        "options": "--tier core --id '*/two-branches/*' --id */diff-and-apply/*",
    }
    for step in RUN[1:]:
        done = runner.run(step, **inputs)
        assert done.returncode == 0, done.stdout + done.stderr
    verdict = runner.outputs.pop("verdict")
    assert re.match(r"partial: \d+ of \d+ operations, 14 of \d+ clauses", verdict)
    assert runner.outputs == {"verdict": verdict, "conformant": "false", "exit-code": "0"}
    assert list(_reports(runner.folder / "the report")) == [
        "badge.json",
        "index.html",
        "junit.xml",
        "results.ndjson",
        "summary.md",
    ]
    assert "partial: " in (runner.folder / "summary").read_text()


@pytest.mark.full_run("packages")
def test_a_failure_makes_reports_and_fails_the_step(runner: Runner, tmp_path: Path) -> None:
    folder = tmp_path / "adapter"
    run_rejoin(["init", "--lang", "python", "--directory", str(folder)])
    adapter = folder / "adapter.py"
    source = adapter.read_text()
    assert source.count('"stale"') == 1
    adapter.write_text(source.replace('"stale"', '"same"'))
    inputs = {
        "adapter": f"{sys.executable} adapter.py",
        "working_directory": str(folder),
        "options": "--operation classify-version-map",
    }
    (runner.folder / "outputs").unlink(missing_ok=True)
    done = runner.run(RUN[2], **inputs)
    assert done.returncode == 1, done.stdout + done.stderr
    verdict = "not conformant (conflict-detection repaired)"
    assert runner.outputs == {"verdict": verdict, "conformant": "false", "exit-code": "1"}
    assert verdict in (runner.folder / "summary").read_text()
    assert (folder / "rejoin-report" / "index.html").is_file()


@pytest.mark.full_run("packages")
@pytest.mark.parametrize(
    ("options", "code", "said"),
    [("--help", 3, "nothing was run"), ("--id '*/first/*", 2, "a quote is not closed")],
)
def test_options_with_which_nothing_runs_fail_the_step(
    runner: Runner, tmp_path: Path, options: str, code: int, said: str
) -> None:
    (runner.folder / "outputs").write_text("")
    done = runner.run(RUN[2], adapter="false", report=str(tmp_path), options=options)
    assert done.returncode == code
    assert said in done.stderr
    assert runner.outputs.get("conformant", "false") == "false"


@pytest.mark.full_run("packages")
def test_an_adapter_that_does_not_speak_the_protocol_fails_the_doctor(runner: Runner) -> None:
    assert runner.run(RUN[1], adapter="false").returncode == 4


def test_no_input_becomes_part_of_a_script() -> None:
    assert [step for step in RUN if "${{" in step["run"]] == []


def test_an_input_has_a_default_or_is_required() -> None:
    for name, each in ACTION["inputs"].items():
        assert ("default" in each) != each.get("required", False), name
    assert {step["shell"] for step in RUN} == {"bash"}
