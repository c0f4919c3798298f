"""Exchange the code of the reference for that of a mutant in this process, for good.

A process that does so is used for this mutant alone.

A change inside a function exchanges the code of the function object, wherever the object is bound,
in tables too. Any other change needs a fresh import: the modules of the system are dropped and
imported again, the changed one from its changed source.
"""

from __future__ import annotations

import functools
import gc
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Mapping
from types import CodeType, FunctionType, ModuleType
from typing import Final, Protocol

from attrs import frozen

from rejoin_conformance.campaigns.mutants.source import REFERENCE, source_path
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.contract.registry import operations_of

_SYSTEMS: Final = "rejoin_conformance.systems"
_MARK: Final = "__mutant__"
_CACHE: Final = functools._lru_cache_wrapper  # noqa: SLF001 - it has no public name


class Change(Protocol):
    """A change of the reference, inside a function or outside of all functions."""

    @property
    def module(self) -> str:
        """Return the dotted name of the changed module."""

    @property
    def function(self) -> str:
        """Return the qualified name of the changed function; empty outside functions."""

    @property
    def place(self) -> str:
        """Return the module and the function as one dotted name."""

    def function_code(self) -> CodeType:
        """Return the code of the changed function."""

    def module_code(self) -> CodeType:
        """Return the code of the changed module."""


class NotInForceError(Exception):
    """A change that could not be put in force: it must not count as tried."""


@frozen(eq=False)
class Loaded:
    """The reference as it is loaded in this process.

    functions: (module, qualified name) -> function objects. Several objects share a name if a
        function was copied or is defined several times.
    forget: for each function of the reference that keeps answers, what empties its cache.
    """

    functions: Mapping[tuple[str, str], tuple[FunctionType, ...]]
    forget: tuple[Callable[[], None], ...]


def loaded() -> Loaded:
    """Return the functions and the caches of the reference in this process."""
    found: dict[tuple[str, str], list[FunctionType]] = {}
    forget: list[Callable[[], None]] = []
    for each in gc.get_objects():
        if not isinstance(each, FunctionType | _CACHE):
            continue
        if not f"{each.__module__}".startswith(f"{REFERENCE}."):
            continue
        if isinstance(each, FunctionType):
            found.setdefault((each.__module__, each.__code__.co_qualname), []).append(each)
        else:
            forget.append(each.cache_clear)
    return Loaded({name: tuple(each) for name, each in found.items()}, tuple(forget))


def exchange_code(change: Change, reference: Loaded) -> None:
    """Exchange the code of the changed function in every object; clear the reference's caches.

    Raises NotInForceError if no object has the code.
    """
    objects = reference.functions.get((change.module, change.function), ())
    if not objects:
        raise NotInForceError(f"{change.place} is not loaded")
    changed = change.function_code()
    for function in objects:
        try:
            function.__code__ = changed
        except ValueError as error:  # another number of free variables
            raise NotInForceError(f"{change.place}: {error}") from None
    for forget in reference.forget:
        forget()


def import_afresh(system: str, *changes: Change) -> tuple[Operation, ...]:
    """Import the system's modules again, with changes; return its operations.

    changes: of different modules. Raises NotInForceError if the operations do not import one of
    these modules.
    """
    package = system.replace("-", "_")
    _drop(f"{REFERENCE}.{package}", f"{REFERENCE}.bencode", f"{_SYSTEMS}.{package}")
    for change in changes:
        sys.meta_path.insert(0, _Finder(change))
    operations = operations_of(system)
    for change in changes:
        if not hasattr(sys.modules.get(change.module), _MARK):
            raise NotInForceError(f"{change.module} is not imported by the operations of {system}")
    return operations


def _drop(*packages: str) -> None:
    """Drop packages with all their modules.

    The package that contains a dropped one loses its name too: `from rejoin import config_merge`
    takes the name that the package has, and imports nothing if there is one.
    """
    for name in [*sys.modules]:
        if any(f"{name}.".startswith(f"{each}.") for each in packages):
            del sys.modules[name]
    for each in packages:
        parent, _, name = each.rpartition(".")
        vars(sys.modules.get(parent, ModuleType(parent))).pop(name, None)


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds and loads one module from its changed source."""

    def __init__(self, change: Change) -> None:
        self._change = change

    def find_spec(
        self, fullname: str, _path: object, _target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._change.module:
            return None
        origin = source_path(fullname)
        is_package = origin.name == "__init__.py"
        spec = importlib.machinery.ModuleSpec(
            fullname, self, origin=str(origin), is_package=is_package
        )
        if is_package:
            spec.submodule_search_locations = [str(origin.parent)]
        return spec

    def exec_module(self, module: ModuleType) -> None:
        setattr(module, _MARK, True)
        code = self._change.module_code()
        exec(code, module.__dict__)  # noqa: S102 - the reference's own source, with one change
