"""Several processes can run the tests: a session that is expensive to start is started once."""

from __future__ import annotations

import ast
from pathlib import Path

from support.markers import FIXTURES
from support.parallel import group_of

TESTS = Path(__file__).parent


def test_the_tests_of_a_file_stay_together() -> None:
    one, other = "tests/test_parallel.py", "tests/test_markers.py"
    assert group_of(one) == group_of(one) != group_of(other)


def test_the_tests_of_the_ports_stay_together() -> None:
    files = {f"tests/ports/{path.name}" for path in (TESTS / "ports").glob("test_*.py")}
    assert len(files) > 1
    assert len({group_of(file) for file in files}) == 1


def test_all_files_that_use_a_session_fixture_run_in_one_process() -> None:
    using = [
        path.relative_to(TESTS.parent).as_posix()
        for path in sorted(TESTS.rglob("test_*.py"))
        if FIXTURES.keys() & _parameters(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert len(using) > 5
    assert len({group_of(file) for file in using}) == 1


def _parameters(tree: ast.Module) -> set[str]:
    return {
        parameter.arg
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        for parameter in node.args.args
    }
