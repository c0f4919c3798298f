"""The dependency runs one way: reference <- conformance <- command line, and no further."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from rejoin_conformance.contract.registry import system_names

_REFERENCE = Path(str(files("rejoin")))
_SUITE = Path(str(files("rejoin_conformance")))
SYSTEMS = [name.replace("-", "_") for name in system_names()]


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield from (f"{node.module}.{name.name}" for name in node.names)


def _modules(root: Path) -> list[Path]:
    return sorted(root.rglob("*.py"))


@pytest.mark.parametrize("path", _modules(_REFERENCE), ids=lambda path: str(path.name))
def test_the_reference_imports_nothing_of_the_suite(path: Path) -> None:
    allowed = {"attrs", "nacl", "rejoin"}
    standard = {
        "__future__",
        "ast",
        "bisect",
        "collections",
        "contextlib",
        "enum",
        "functools",
        "hashlib",
        "heapq",
        "itertools",
        "operator",
        "types",
        "typing",
    }
    roots = {name.split(".")[0] for name in _imports(path)}
    assert roots <= allowed | standard


@pytest.mark.parametrize(
    "path",
    [path for path in _modules(_SUITE) if "systems" not in path.relative_to(_SUITE).parts],
    ids=lambda path: path.relative_to(_SUITE).as_posix(),
)
def test_a_general_part_knows_no_system(path: Path) -> None:
    for name in _imports(path):
        assert not any(system in name for system in SYSTEMS), name


@pytest.mark.parametrize("system", SYSTEMS)
def test_systems_do_not_know_each_other_nor_the_command_line(system: str) -> None:
    others = set(SYSTEMS) - {system}
    for root in (_REFERENCE / system, _SUITE / "systems" / system):
        for path in _modules(root):
            for name in _imports(path):
                assert "command_line" not in name, f"{path}: {name}"
                assert not any(other in name.split(".") for other in others), f"{path}: {name}"
