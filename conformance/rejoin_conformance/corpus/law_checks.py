"""Find the functions that decide each law, by the names that their sources use.

The sources are parsed, not imported. A law is a constant of `systems/<system>/laws.py`; a function
decides it if it names the constant.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path


@cache
def law_checks(system: str) -> dict[str, tuple[str, ...]]:
    """Return the functions that decide each law: name of the law -> dotted names in the system."""
    folder = Path(str(files("rejoin_conformance"))) / "systems" / system.replace("-", "_")
    laws = dict(_laws_in(ast.parse((folder / "laws.py").read_text(encoding="utf-8"))))
    found: dict[str, list[str]] = {name: [] for name in laws.values()}
    for path in sorted((folder / "histories").glob("*.py")):
        for function, names in _functions_in(ast.parse(path.read_text(encoding="utf-8"))):
            for constant in sorted(names & laws.keys()):
                found[laws[constant]].append(f"{path.stem}.{function}")
    return {name: tuple(checks) for name, checks in found.items()}


def _laws_in(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield (constant, name of the law)."""
    for node in tree.body:
        match node:
            case ast.AnnAssign(target=ast.Name(id=constant), value=ast.Call() as call):
                for keyword in call.keywords:
                    if keyword.arg == "name" and isinstance(keyword.value, ast.Constant):
                        yield constant, str(keyword.value.value)


def _functions_in(tree: ast.AST, holder: str = "") -> Iterator[tuple[str, set[str]]]:
    """Yield each function with the names that it uses; a method has its class before its name."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield from _functions_in(node, f"{holder}{node.name}.")
        elif isinstance(node, ast.FunctionDef):
            names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
            names |= {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}
            yield f"{holder}{node.name}", names
