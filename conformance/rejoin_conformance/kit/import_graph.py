"""The import graph of Python sources: the modules that a module needs, directly or not."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import accumulate
from pathlib import Path


def modules_of(package: str) -> dict[str, Path]:
    """Return the modules of an installed package: dotted name -> source file.

    A package's own name stands for its `__init__.py`.
    """
    root = Path(str(files(package)))
    return {
        ".".join((package, *_parts(path.relative_to(root)))): path for path in root.rglob("*.py")
    }


def closure(entries: Iterable[str], modules: Mapping[str, Path]) -> frozenset[str]:
    """Return the entries, and every module that they import, directly or through others.

    Importing a module also imports the packages that contain it. Imports that only type checkers
    follow (`if TYPE_CHECKING:`) do not count: they cannot change what the code does.
    Raises KeyError if an entry is not in `modules`.
    """
    found: set[str] = set()
    todo = [*entries]
    while todo:
        name = todo.pop()
        if name in found:
            continue
        found.add(name)
        todo += imports_of(name, modules)
    return frozenset(found)


def imports_of(name: str, modules: Mapping[str, Path]) -> frozenset[str]:
    """Return the modules in `modules` that a module imports, and the packages that contain it."""
    named = {each for taken in (name, *_imported(modules[name])) for each in _with_packages(taken)}
    return frozenset(named & modules.keys() - {name})


@cache
def _imported(path: Path) -> tuple[str, ...]:
    """Return the dotted names that a source imports. `from a import b` gives `a` and `a.b`."""
    names: list[str] = []
    for node in _executed(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names.append(node.module)
            names += [f"{node.module}.{each.name}" for each in node.names]
    return tuple(names)


def _executed(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and all nodes below it, except blocks that only type checkers read."""
    yield tree
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.If) and _is_for_types(child.test):
            continue
        yield from _executed(child)


def _is_for_types(test: ast.expr) -> bool:
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


def _with_packages(name: str) -> Iterator[str]:
    """Return the packages that contain a module, and its own name."""
    return accumulate(name.split("."), "{}.{}".format)


def _parts(path: Path) -> tuple[str, ...]:
    parts = path.with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts
