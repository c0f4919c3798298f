"""Read the clauses that each function of the reference implements, from its docstring.

The source is parsed, not imported, so that all definitions in it are found.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from attrs import frozen

_CLAUSES_LINE: Final = re.compile(r"^Clauses:\s*(?P<list>.*(?:\n[ \t]+\S.*)*)", re.MULTILINE)
_ID: Final = re.compile(r"[A-Z]+(?:-[A-Z0-9]+)+")


@frozen
class Implementer:
    """A module, class or function, and the clauses that its docstring lists."""

    name: str
    clauses: tuple[str, ...]


@cache
def implementers(package: str) -> tuple[Implementer, ...]:
    """Return the modules, classes and functions of a package whose docstrings list clauses."""
    root = Path(str(files(package)))
    return tuple(
        found
        for path in sorted(root.rglob("*.py"))
        for found in _in_module(path, _module_name(package, path.relative_to(root)))
    )


def _module_name(package: str, path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join((package, *(parts[:-1] if parts[-1] == "__init__" else parts)))


def _in_module(path: Path, module: str) -> Iterator[Implementer]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    pending: list[tuple[str, ast.AST]] = [(module, tree)]
    while pending:
        name, node = pending.pop()
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            clauses = clauses_listed(ast.get_docstring(node) or "")
            if clauses:
                yield Implementer(name, clauses)
            pending += [
                (f"{name}.{child.name}", child)
                for child in node.body
                if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            ]


def clauses_listed(docstring: str) -> tuple[str, ...]:
    """Return the IDs in the `Clauses:` lines of a docstring."""
    return tuple(
        name for match in _CLAUSES_LINE.finditer(docstring) for name in _ID.findall(match["list"])
    )
