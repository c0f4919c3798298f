"""Each promise of docs/robustness.md names a test that exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

_TESTS = Path(__file__).parent / "rejoin_conformance"
_TEST = re.compile(r"`([\w/]+\.py)::(test_\w+)` \|$")
_CASE = re.compile(r"`transcripts/(\w+\.txt)`: (.+) \|$")
_PAGE = Path(__file__).parents[1] / "docs" / "robustness.md"


def _functions(file: Path) -> set[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)}


def test_every_promise_names_a_test_that_exists() -> None:
    section = _PAGE.read_text(encoding="utf-8").split("\n## ")[1]
    rows = [line for line in section.splitlines() if line.startswith("| ")][1:]
    assert len(rows) >= 18
    for row in rows:
        if case := _CASE.search(row):
            text = (_TESTS.parent / "transcripts" / case[1]).read_text(encoding="utf-8")
            assert f"\n# {case[2]}\n" in text, row
            continue
        found = _TEST.search(row)
        assert found is not None, row
        assert found[2] in _functions(_TESTS / found[1]), row
