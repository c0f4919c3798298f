"""`docs/check-your-implementation.md`: its example does what the page says."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from rejoin_conformance.command_line.main import run
from support.doc_examples import examples

PAGE = Path(__file__).parents[4] / "docs" / "check-your-implementation.md"
EXAMPLE = '"conflict-detection/classify-version-map": classifyVersionMap,\n'


def _run(folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    subprocess.run(["go", "build", "-o", "adapter", "."], cwd=folder, check=True)
    capsys.readouterr()
    operation = ["--operation", "history-merge/diff"]
    code = run(["run", "--adapter", str(folder / "adapter"), *operation, "--json"])
    value: dict[str, Any] = json.loads(capsys.readouterr().out)
    return code, value


@pytest.mark.full_run("compiled skeletons")
@pytest.mark.skipif(shutil.which("go") is None, reason="there is no go on this machine")
def test_the_example_fails_as_told_and_passes_when_it_is_mended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    functions, entry = re.findall(r"```go\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    folder = tmp_path / "my-adapter"
    assert run(["init", "--lang", "go", "--directory", str(folder)]) == 0
    program = folder / "adapter.go"
    text = program.read_text(encoding="utf-8")
    assert EXAMPLE in text
    text = text.replace(EXAMPLE, EXAMPLE + entry).replace('\t"os"\n', '\t"os"\n\t"slices"\n')
    program.write_text(text + functions, encoding="utf-8")
    code, told = _run(folder, capsys)
    assert (code, told["verdicts"]["pass"], told["verdicts"]["fail"]) == (1, 2, 5)
    assert "expected  []\n  observed  null" in told["failures"][0]["explanation"]
    run(["run", "--adapter", str(folder / "adapter"), "--operation", "history-merge/diff"])
    shown = next(each for each in examples(PAGE.name) if "before.ndjson" in each.command)
    assert shown.missing_from(capsys.readouterr().out) is None
    mended = (text + functions).replace("var left []string", "left := []string{}")
    program.write_text(mended, encoding="utf-8")
    code, told = _run(folder, capsys)
    assert (code, told["verdicts"]["pass"]) == (0, 7)


def test_the_new_adapter_passes_as_many_vectors_as_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "my-adapter"
    assert run(["init", "--lang", "python", "--directory", str(folder)]) == 0
    monkeypatch.chdir(folder)
    capsys.readouterr()
    assert run(["run", "--adapter", "python3 adapter.py"]) == 0
    first_line = capsys.readouterr().out.splitlines()[0]
    assert f"$ rejoin run --adapter ./adapter | head -1\n{first_line}\n" in PAGE.read_text("utf-8")
