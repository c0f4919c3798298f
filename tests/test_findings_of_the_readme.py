"""Each finding that the README lists names the command that shows it again."""

from __future__ import annotations

import re
from pathlib import Path

from click.testing import CliRunner

from rejoin_conformance.command_line.commands import cli

ROOT = Path(__file__).parents[1]

COMMANDS = (
    "rejoin exhaust history-merge --nodes 6",
    "make proofs",
    "make proofs",
    "rejoin exhaust conflict-detection",
    "rejoin exhaust conflict-detection --uploads 6",
    "rejoin show config-merge/resolve/concurrent-addition-to-an-emptied-set --against libsession",
    "rejoin show config-merge/resolve/row-that-was-not-kept",
)


def findings() -> list[str]:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    section = text.partition("## What was found")[2].partition("\n## ")[0]
    return [" ".join(each.split()) for each in re.split(r"^- ", section, flags=re.MULTILINE)[1:]]


def test_each_finding_ends_with_its_command() -> None:
    assert [each.rpartition(" `")[2].removesuffix("`") for each in findings()] == [*COMMANDS]


def test_the_deployed_library_loses_the_element_and_the_document_keeps_it() -> None:
    shown = CliRunner().invoke(cli, COMMANDS[-2].split()[1:])
    assert shown.exit_code == 0
    assert "document    message 12 {k: [2], l: 1, n: 5}" in shown.output
    assert "libsession  message 12 {l: 1, n: 5}" in shown.output
    assert "answers that differ between document and libsession: 1 of 1" in shown.output


def test_a_row_that_a_merge_does_not_keep_loses_an_honest_edit() -> None:
    shown = CliRunner().invoke(cli, COMMANDS[-1].split()[1:])
    assert shown.exit_code == 0
    given, _, merged = shown.output.partition("resolve 21a 21b = merge 22 ")
    assert "21a: 21 {h: 20, k: 1, l: 1, z: 1} rows" in given
    assert merged.startswith("{h: 20, k: 1, l: 1, q: 1} rows")
