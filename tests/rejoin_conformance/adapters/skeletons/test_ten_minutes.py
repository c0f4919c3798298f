"""`docs/check-your-implementation.md`: its example does what the page says."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from rejoin_conformance.command_line.main import run
from support.doc_examples import examples

PAGE = Path(__file__).parents[4] / "docs" / "check-your-implementation.md"
EXAMPLE = '"conflict-detection/classify-version-map": classifyVersionMap,\n'


def _shown(words: str, capsys: pytest.CaptureFixture[str]) -> int:
    """Run the only command of the page with these words as it stands, and hold it to its output."""
    subprocess.run(["go", "build", "-o", "adapter", "."], check=True)
    capsys.readouterr()
    (example,) = (each for each in examples(PAGE.name) if words in each.command)
    arguments, _, _ = example.command.partition(" | head -1")
    code = run(shlex.split(arguments))
    assert example.missing_from(capsys.readouterr().out) is None
    return code


@pytest.mark.full_run("compiled skeletons")
@pytest.mark.skipif(shutil.which("go") is None, reason="there is no go on this machine")
def test_the_example_fails_as_told_and_passes_when_it_is_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    functions, entry = re.findall(r"```go\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    folder = tmp_path / "my-adapter"
    assert run(["init", "--lang", "go", "--directory", str(folder)]) == 0
    program = folder / "adapter.go"
    text = program.read_text(encoding="utf-8")
    assert EXAMPLE in text
    text = text.replace(EXAMPLE, EXAMPLE + entry).replace('\t"os"\n', '\t"os"\n\t"slices"\n')
    program.write_text(text + functions, encoding="utf-8")
    monkeypatch.chdir(folder)
    assert _shown("--output before.ndjson", capsys) == 1
    mended = (text + functions).replace("var left []string", "left := []string{}")
    program.write_text(mended, encoding="utf-8")
    assert _shown("--output after.ndjson", capsys) == 0
    assert _shown("diff before.ndjson after.ndjson", capsys) == 0


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
