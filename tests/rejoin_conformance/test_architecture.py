"""Packages stand on floors and import downwards only: reference, suite, command line."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from rejoin_conformance.contract.registry import system_names

FLOORS = (
    ("kit",),
    ("contract",),
    ("readings",),
    ("corpus", "shrinking"),
    ("adapters",),
    ("campaigns", "laws"),
    ("reports", "model_checking", "spark"),
    ("systems",),
    ("command_line",),
)
"""The packages of the suite, from the ground floor up."""

FLOOR = {package: floor for floor, packages in enumerate(FLOORS) for package in packages}

DYNAMIC_IMPORTS = {
    "adapters/oracle.py",  # imports the Rust port, which need not be installed
    "command_line/commands.py",  # imports a command of its own package when it runs
    "contract/registry.py",  # finds the systems by name
    "laws/machine.py",  # imports a machine of its own package by the name of its system
    "readings/targets.py",  # imports the modules of the reference, and finds their functions
    "readings/worlds.py",  # imports a system afresh, with changes
}

_REFERENCE = Path(str(files("rejoin")))
_SUITE = Path(str(files("rejoin_conformance")))
SYSTEMS = [name.replace("-", "_") for name in system_names()]


@cache
def _imports(path: Path) -> tuple[str, ...]:
    return tuple(_imported_names(path))


def _imported_names(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield from (f"{node.module}.{name.name}" for name in node.names)


def _modules(root: Path) -> list[Path]:
    return sorted(root.rglob("*.py"))


def test_the_reference_imports_nothing_of_the_suite() -> None:
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
        "importlib",
        "itertools",
        "operator",
        "types",
        "typing",
    }
    for path in _modules(_REFERENCE):
        roots = {name.split(".")[0] for name in _imports(path)}
        assert roots <= allowed | standard, path


def test_a_general_part_knows_no_system() -> None:
    general = [each for each in _modules(_SUITE) if "systems" not in each.relative_to(_SUITE).parts]
    assert general
    for path in general:
        for name in _imports(path):
            assert not any(system in name for system in SYSTEMS), f"{path}: {name}"


@pytest.mark.parametrize("system", SYSTEMS)
def test_systems_do_not_know_each_other_nor_the_command_line(system: str) -> None:
    others = set(SYSTEMS) - {system}
    for root in (_REFERENCE / system, _SUITE / "systems" / system):
        for path in _modules(root):
            for name in _imports(path):
                assert "command_line" not in name, f"{path}: {name}"
                assert not any(other in name.split(".") for other in others), f"{path}: {name}"


def _package(path: Path) -> str:
    return path.relative_to(_SUITE).parts[0]


def _imported_packages(path: Path) -> set[str]:
    """The packages of the suite that a module imports."""
    names = (name.split(".") for name in _imports(path))
    return {parts[1] for parts in names if parts[0] == "rejoin_conformance" and len(parts) > 1}


def _house() -> dict[str, set[str]]:
    """Package -> the other packages that its modules import."""
    house: dict[str, set[str]] = {package: set() for package in FLOOR}
    for path in _modules(_SUITE):
        if path.parent != _SUITE:
            house[_package(path)] |= _imported_packages(path) - {_package(path)}
    return house


def test_the_suite_has_these_packages_and_nothing_beside_them() -> None:
    packages = {path.parent.name for path in _SUITE.glob("*/__init__.py")}
    assert packages == set(FLOOR)
    assert [path.name for path in _SUITE.glob("*.py")] == ["__init__.py"]


@pytest.mark.parametrize("package", FLOOR)
def test_a_package_imports_only_from_lower_floors(package: str) -> None:
    upwards = [
        f"{path.relative_to(_SUITE)} imports {imported}"
        for path in _modules(_SUITE / package)
        for imported in _imported_packages(path) - {package}
        if FLOOR[imported] >= FLOOR[package]
    ]
    assert upwards == []


def test_no_packages_import_each_other_in_a_cycle() -> None:
    house = _house()
    while house:
        leaves = {package for package, imported in house.items() if not imported & house.keys()}
        assert leaves, f"a cycle among {sorted(house)}"
        house = {package: each for package, each in house.items() if package not in leaves}


def test_only_the_registry_reaches_up_by_a_dynamic_import() -> None:
    dynamic = {
        path.relative_to(_SUITE).as_posix()
        for path in _modules(_SUITE)
        if "import_module(" in path.read_text(encoding="utf-8")
        or "__import__(" in path.read_text(encoding="utf-8")
    }
    assert dynamic == DYNAMIC_IMPORTS
