"""The page on CI shows inputs that the action has, and commands that work."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Final

import yaml

from rejoin_conformance.command_line.main import run
from release import ROOT

PAGE: Final = (ROOT / "docs" / "check-in-ci.md").read_text(encoding="utf-8")
ACTION: Final = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))


def _block(language: str, containing: str) -> str:
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    [found] = [text for name, text in blocks if name == language and containing in text]
    return str(found)


def test_the_table_lists_the_inputs_of_the_action() -> None:
    assert re.findall(r"^\| `([\w-]+)` \|", PAGE, re.MULTILINE) == list(ACTION["inputs"])


def test_the_workflow_gives_the_action_only_inputs_that_it_has() -> None:
    steps = yaml.safe_load(_block("yaml", "conformance:"))["jobs"]["conformance"]["steps"]
    [ours] = [step for step in steps if "rejoin@" in step.get("uses", "")]
    assert ours["with"].keys() <= ACTION["inputs"].keys()
    [kept] = [step for step in steps if "upload" in step.get("uses", "")]
    assert kept["with"]["path"] == ACTION["inputs"]["report"]["default"]


def test_the_example_for_pytest_runs_the_vectors_beside_other_tests(tmp_path: Path) -> None:
    run(["init", "--lang", "python", "--directory", str(tmp_path / "my-adapter")])
    (tmp_path / "pytest.ini").write_text(_block("ini", "addopts"))
    (tmp_path / "known-failures.toml").write_text("")
    (tmp_path / "test_own.py").write_text("def test_own():\n    assert 1 + 1 == 2\n")
    _, *options = shlex.split(_block("", "pytest --rejoin-adapter"))
    chosen = ["--rejoin-id", "*/classify-version-map/*", "--rejoin-id", "*/names/*"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", *options, *chosen],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    ended = re.search(r"(\d+) passed, (\d+) skipped", done.stdout)
    assert ended is not None
    assert int(ended[1]) > 2
