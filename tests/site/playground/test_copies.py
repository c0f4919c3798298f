"""A state can be copied as a vector and as a command line, and the suite accepts both."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from rejoin_conformance.command_line.commands import cli
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.corpus.add_vector import addition
from support.browser import Opened
from support.wheels import CHECKOUT

pytestmark = pytest.mark.full_run("playground")

VECTORS = (
    "config-merge.html#example=worked-example",
    "config-merge.html#vector=config-merge/worked-example/126b",
    "conflict-detection.html#example=three-clients",
)
PARAGRAPHS = {
    "history-merge/two-branches": "history-merge.html#example=order-dependence",
    "conflict-detection/resolution": "conflict-detection.html#example=four-parties",
}


def _copied(opened: Opened, address: str, kind: str) -> str:
    page = opened.open(address)
    page.get_by_role("button", name=f"Copy as a {kind}").click()
    return page.locator("#copied").input_value()


def _shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command line with this `rejoin` first on the path."""
    programs = folder / "bin"
    programs.mkdir()
    python = shlex.quote(sys.executable)
    rejoin = programs / "rejoin"
    main = "from rejoin_conformance.command_line.main import main; main()"
    rejoin.write_text(f'#!/bin/sh\nexec {python} -c "{main}" "$@"\n')
    rejoin.chmod(0o755)
    paths = os.pathsep.join(str(CHECKOUT / each) for each in ("reference", "conformance"))
    known = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "PYTHONPATH": paths}
    return subprocess.run(
        ["sh", "-c", command], cwd=folder, env=known, capture_output=True, text=True, check=False
    )


def test_the_command_line_runs_as_it_stands(opened: Opened, tmp_path: Path) -> None:
    address = "history-merge.html#example=order-dependence"
    done = _shell(_copied(opened, address, "command line"), tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("history-merge/playground/state\n")
    assert "1 of 1 results of the reference are as expected\n" in done.stdout


@pytest.mark.parametrize("address", VECTORS)
def test_the_reference_gives_the_answer_of_the_page(
    opened: Opened, address: str, tmp_path: Path
) -> None:
    file = tmp_path / "playground.json"
    file.write_text(_copied(opened, address, "vector"), encoding="utf-8")
    done = CliRunner().invoke(cli, ["verify", "--corpus", str(file)])
    assert done.exit_code == 0
    assert "1 of 1 results of the reference are as expected" in done.output


@pytest.mark.parametrize("topic", PARAGRAPHS)
def test_the_paragraph_can_be_added_to_the_corpus(opened: Opened, topic: str) -> None:
    text = _copied(opened, PARAGRAPHS[topic], "paragraph")
    system, _, name = topic.partition("/")
    found = addition(system_named(system), name, text, "the page")
    assert found.checked
    assert found.ids == (f"{topic}/from-the-playground",)
