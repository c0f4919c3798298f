"""The summary of a campaign says how often a law broke, and whether any reading claims it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rejoin_conformance.command_line.main import run


def test_findings_under_a_rule(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rule = tmp_path / "largest.py"
    counter = "rejoin.history_merge.three_way_merge.counter_three_way_merge"
    rule.write_text(f"OVERRIDES = {{'{counter}': lambda o, a, b: max(o, a, b)}}\n")
    assert run(["fuzz", "history-merge", "--histories", "5", "--reading", str(rule)]) == 0
    rows = [line.split(maxsplit=3) for line in capsys.readouterr().out.splitlines() if line]
    found = {row[0]: row[1:] for row in rows if "finding: " in row[-1]}
    checked, broken, verdict = found["counters-count-once"]
    assert 0 < int(checked) < 10 * int(broken)
    assert verdict == f"finding: {100 * int(broken) / int(checked):.0f} %"
    checked, broken, verdict = found["recurse-fold-agrees"]
    assert int(checked) >= 10 * int(broken) > 0
    assert verdict == f"finding: 1 in {int(checked) // int(broken)}; no reading claims this law"
