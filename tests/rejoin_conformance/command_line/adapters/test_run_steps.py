"""A run asks for the steps of the outputs that are wrong, and keeps them with the results."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from rejoin_conformance.adapters.results.file import read_results
from rejoin_conformance.adapters.results.records import Record
from rejoin_conformance.command_line.main import run

ADAPTER = Path(__file__).parents[3] / "support" / "steps_adapter.py"
VECTOR = "history-merge/two-branches/picture-from-b"
KINDS = ("html", "markdown", "junit")
STEPS = [{"step": "order", "clause": "HM-FOLD-ASCENDING", "nodes": ["r", "l"]}]


def _run(results: Path, *steps: str) -> Record:
    """Return the record of the vector, to which the adapter answers with steps."""
    command = shlex.join([sys.executable, "-IS", str(ADAPTER), *steps])
    options = ["--id", VECTOR, "--adapter", command, "--output", str(results)]
    assert run(["run", "history-merge", *options]) == 1
    return read_results(results).records[VECTOR, "document"]


def test_the_step_is_printed_kept_and_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "results.ndjson"
    record = _run(file, json.dumps(STEPS))
    out = capsys.readouterr().out
    assert "it goes another way at step 1 of 5:" in out
    assert "expected  order l r  (HM-FOLD-ASCENDING)" in out
    assert "observed  order r l  (HM-FOLD-ASCENDING)" in out
    assert record.steps is not None
    assert record.steps.operation == "history-merge/merge-steps"
    assert record.steps.parting[1] == STEPS[0]

    lines = [json.loads(line) for line in file.read_text(encoding="ascii").splitlines()]
    assert ["steps" in line for line in lines] == [False, False, True, False]
    reports = [tmp_path / "page.html", tmp_path / "report.md", tmp_path / "junit.xml"]
    options = [f"--{kind}={path}" for kind, path in zip(KINDS, reports, strict=True)]
    assert run(["report", str(file), *options]) == 1
    for path in reports:
        assert "order l r" in path.read_text(encoding="utf-8")


def test_a_crash_at_the_steps_leaves_the_verdict_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = _run(tmp_path / "results.ndjson")
    assert (record.verdict, record.fault) == ("fail", "wrong-output")
    assert "asked for its steps, the adapter broke: it ended" in capsys.readouterr().out
