"""Worlds: the reference with changes, as a module tree of its own.

A change edits the syntax tree of one module before the module runs. A world imports the packages of
a system afresh, with its changes, and leaves `sys.modules` as it was, so both trees live side by
side. A changed definition holds wherever it is bound: in tables, `from` imports, defaults, fields,
caches, and constants that are computed from it. Nothing was bound before.

The classes of two worlds are not equal. Only JSON, seeds and texts pass from one to another.
"""

from __future__ import annotations

import ast
import functools
import importlib
import importlib.abc
import importlib.util
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder
from threading import RLock
from types import ModuleType
from typing import Any, Final, TypeAlias, TypeVar

from attrs import define, field, frozen

from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.contract.system import System

T = TypeVar("T")

_SYSTEMS: Final = "rejoin_conformance.systems"
_CACHE: Final = functools._lru_cache_wrapper  # noqa: SLF001 - it has no public name
_IMPORTING: Final = RLock()

Edit: TypeAlias = Callable[[ast.Module, str], ast.Module]
"""(the tree of a module, the name of the hook in it) -> the changed tree."""

Hook: TypeAlias = Callable[[Any], Any]
"""A defined function or value -> the one to define instead."""


@frozen(eq=False)
class Change:
    """One change. module: its dotted name. edit: changes its tree. hook: see `defined`."""

    module: str
    edit: Edit
    hook: Hook | None = None


@define(eq=False)
class World:
    """A system with changes.

    name: the system's. modules: dotted name -> module, of the reference and of the suite.
    again: makes this world with further changes. _current: the worlds that are being imported.
    """

    name: str
    changes: tuple[Change, ...] = field(repr=False)
    again: Callable[[Sequence[Change]], World] = field(repr=False)
    modules: dict[str, ModuleType] = field(factory=dict, init=False, repr=False)

    @property
    def operations(self) -> Mapping[str, Operation]:
        """Return the operations by their full names."""
        module = self.modules[f"{_SYSTEMS}.{_python(self.name)}.operations"]
        return {each.name: each for each in module.OPERATIONS}

    @property
    def system(self) -> System:
        """Return the system as this world has it, with its laws and histories."""
        name = f"{_SYSTEMS}.{_python(self.name)}.system"
        if name not in self.modules:
            with self.current():
                importlib.import_module(name)
        system: System = self.modules[name].SYSTEM
        return system

    def forget_cached(self) -> None:
        """Clear the caches of functions, so that the next answers depend on no earlier ones."""
        for module in self.modules.values():
            for value in vars(module).values():
                if isinstance(value, _CACHE):
                    value.cache_clear()

    def twin(self, definition: T) -> T:
        """Return what this world has instead of a function or class of the unchanged tree.

        A definition of a module that no world has for itself is its own twin.
        """
        given: Any = definition
        twin: Any = self.modules.get(given.__module__)
        if twin is None:
            return definition
        for part in given.__qualname__.split("."):
            twin = getattr(twin, part)
        found: T = twin
        return found

    @contextmanager
    def current(self) -> Iterator[None]:
        """Let imports inside the block find the modules of this world."""
        packages, finder = packages_of(self.name), _Finder(self.changes)
        before = _put(packages, self.modules)
        sys.meta_path.insert(0, finder)
        _CURRENT.append((self, before))
        try:
            yield
        finally:
            _CURRENT.pop()
            sys.meta_path.remove(finder)
            self.modules = _put(packages, before)


_CURRENT: Final[list[tuple[World, dict[str, ModuleType]]]] = []
"""The worlds whose modules are found now, each with the modules that were found before."""


@contextmanager
def outside() -> Iterator[None]:
    """Let imports inside the block find the modules from before the current world, if any."""
    if not _CURRENT:
        yield
        return
    world, before = _CURRENT[-1]
    packages = packages_of(world.name)
    inside = _put(packages, before)
    try:
        yield
    finally:
        _put(packages, inside)


def world_of(system: str, changes: Sequence[Change]) -> World:
    """Import a system with changes. Raises LookupError, and whatever the changed code raises."""
    world = World(system, tuple(changes), lambda more: world_of(system, (*changes, *more)))
    with _IMPORTING, world.current():
        importlib.import_module(f"{_SYSTEMS}.{_python(system)}.operations")
        for change in changes:
            importlib.import_module(change.module)
    return world


def importing() -> World | None:
    """Return the world whose modules run now for the first time, or None in the unchanged tree."""
    return _CURRENT[-1][0] if _CURRENT else None


def packages_of(system: str) -> tuple[str, ...]:
    """Return the packages that a world of the system has for itself."""
    package = _python(system)
    return f"rejoin.{package}", "rejoin.bencode", f"{_SYSTEMS}.{package}"


def defined(name: str, hook: Hook) -> Change:
    """Return the change by which a function, method or constant is what a hook makes of it.

    name: its dotted name. The hook is the innermost decorator of a function, so it receives the
    plain function, below a property or a cache. Raises LookupError if no module has this name.
    """
    module, parts = module_and_rest(name)

    def edit(tree: ast.Module, name: str) -> ast.Module:
        node = definition(tree, parts)
        if isinstance(node, ast.FunctionDef):
            node.decorator_list.append(ast.Name(name, ast.Load()))
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            node.value = ast.Call(ast.Name(name, ast.Load()), [node.value], [])
        else:
            raise LookupError(f"{module} defines no function or constant {'.'.join(parts)}")
        return tree

    return Change(module, edit, hook)


def definition(tree: ast.Module, parts: Sequence[str]) -> ast.stmt | None:
    """Return the statement that defines a name, such as `["Class", "method"]`, or None."""
    body, found = tree.body, None
    for part in parts:
        found = next((each for each in body if _defines(each, part)), None)
        body = found.body if isinstance(found, ast.ClassDef) else []
    return found


def _defines(node: ast.stmt, name: str) -> bool:
    match node:
        case ast.FunctionDef(name=found) | ast.ClassDef(name=found):
            return found == name
        case ast.AnnAssign(target=ast.Name(id=found)) | ast.Assign(targets=[ast.Name(id=found)]):
            return found == name
    return False


def module_and_rest(name: str) -> tuple[str, list[str]]:
    """Return the module of a dotted name and the rest of the name. Raises LookupError."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        try:
            if importlib.util.find_spec(".".join(parts[:count])) is not None:
                return ".".join(parts[:count]), parts[count:]
        except ModuleNotFoundError:
            continue
    raise LookupError(f"there is no module {name}")


def _python(system: str) -> str:
    return system.replace("-", "_")


def _put(packages: tuple[str, ...], modules: Mapping[str, ModuleType]) -> dict[str, ModuleType]:
    """Put modules in the places of those of some packages, and return what was there before."""
    starts = tuple(f"{each}." for each in packages)
    before = {
        name: sys.modules.pop(name) for name in [*sys.modules] if f"{name}.".startswith(starts)
    }
    sys.modules.update(modules)
    for each in packages:  # `from rejoin import config_merge` looks at the parent first
        parent, _, name = each.rpartition(".")
        names = vars(sys.modules[parent]) if parent in sys.modules else {}
        if each in modules:
            names[name] = modules[each]
        else:
            names.pop(name, None)
    return before


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds and runs the modules that some changes change."""

    def __init__(self, changes: Sequence[Change]) -> None:
        self._changes: dict[str, list[Change]] = {}
        self._loaders: dict[str, Any] = {}
        for each in changes:
            self._changes.setdefault(each.module, []).append(each)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a changed module is, and None for any other."""
        if fullname not in self._changes:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None:
            self._loaders[fullname], spec.loader = spec.loader, self
        return spec

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed text of a module."""
        origin, loader = str(module.__file__), self._loaders[module.__name__]
        tree = ast.parse(loader.get_source(module.__name__))  # Spark sends modules in an archive
        for number, change in enumerate(self._changes[module.__name__]):
            name = f"__rejoin_hook_{number}__"  # so a class does not mangle it
            vars(module)[name] = change.hook
            tree = change.edit(tree, name)
        code = compile(ast.fix_missing_locations(tree), origin, "exec", dont_inherit=True)
        exec(code, vars(module))  # noqa: S102 - the text of the reference, with a change
