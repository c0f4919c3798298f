"""git answers the operations of history merge as the reference does."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from rejoin_conformance.command_line.main import run

PEER = Path(__file__).parents[2] / "conformance" / "peers" / "git"
ADAPTER = shlex.join([sys.executable, str(PEER / "git_adapter.py")])


@pytest.fixture(scope="module", autouse=True)
def _git() -> None:
    """Skip if git is missing or too old; the adapter says which."""
    done = subprocess.run(
        shlex.split(ADAPTER), input=b'{"type":"bye"}\n', capture_output=True, check=False
    )
    if done.returncode:
        pytest.skip(done.stderr.decode())


def test_git_conforms_but_for_known_failures(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["other-types", "registers", "criss-cross", "common-ancestors", "three-way-merge"]
    chosen = [argument for topic in asked for argument in ("--id", f"history-merge/{topic}/*")]
    known = str(PEER / "known-failures.toml")
    code = run(
        ["run", "history-merge", "--adapter", ADAPTER, "--known-failures", known, "--json", *chosen]
    )
    summary = json.loads(capsys.readouterr().out)
    assert (code, summary["failures"], summary["unexpected_passes"]) == (0, [], [])
    assert len(summary["known_failures"]) == 4
    assert summary["verdicts"]["pass"] > 50


@pytest.mark.parametrize("contents", ["distinct", "empty"])
def test_git_and_the_reference_agree_on_random_histories(
    contents: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = f"{ADAPTER} --contents {contents}"
    asked = ["--histories", "6", "--in-process", "--json"]
    assert run(["fuzz", "history-merge", "--adapter", command, *asked]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["readings"]["document"]["checked"]["agrees-with-reference"] > 40


def test_a_machine_without_git_or_with_an_old_one_is_told_so(tmp_path: Path) -> None:
    for said in (
        "git not found. Install git 2.38 or newer\n",
        "'git version 2.37.9' is too old. Install git 2.38 or newer\n",
    ):
        done = subprocess.run(
            shlex.split(ADAPTER),
            capture_output=True,
            text=True,
            check=False,
            env={"PATH": str(tmp_path)},
        )
        assert (done.returncode, done.stderr) == (1, said)
        (tmp_path / "git").write_text("#!/bin/sh\necho git version 2.37.9\n")
        (tmp_path / "git").chmod(0o755)
