"""Each finding that the README lists names the command that shows it again."""

from __future__ import annotations

import re
from pathlib import Path

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
