"""Put a mutant in force in this process, for good: a process that does so is used for it alone.

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
from collections.abc import Mapping
from types import CodeType, FunctionType, ModuleType
from typing import Final

from rejoin_conformance.campaigns.mutants.mutant import (
    REFERENCE,
    Mutant,
    mutated_tree,
    source_path,
)
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.contract.registry import operations_of

_SYSTEMS: Final = "rejoin_conformance.systems"
_MARK: Final = "__mutant__"


class NotInForceError(Exception):
    """A mutant that could not be put in force: it must not count as tried."""


def loaded_functions() -> Mapping[tuple[str, str], tuple[FunctionType, ...]]:
    """The functions of the reference in this process: (module, qualified name) -> objects.

    Several objects share a name if a function was copied or is defined several times.
    """
    found: dict[tuple[str, str], list[FunctionType]] = {}
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and f"{each.__module__}".startswith(f"{REFERENCE}."):
            found.setdefault((each.__module__, each.__code__.co_qualname), []).append(each)
    return {name: tuple(functions) for name, functions in found.items()}


def exchange_code(
    mutant: Mutant, functions: Mapping[tuple[str, str], tuple[FunctionType, ...]]
) -> None:
    """Exchange the code of the changed function in every object; clear the reference's caches.

    functions: as `loaded_functions` returns them. Raises NotInForceError if no object has the code.
    """
    code = compile(mutated_tree(mutant), str(source_path(mutant.module)), "exec", dont_inherit=True)
    changed = _code_named(code, mutant.function)
    objects = functions.get((mutant.module, mutant.function), ())
    if changed is None or not objects:
        raise NotInForceError(f"{mutant.module}.{mutant.function} is not loaded")
    for function in objects:
        try:
            function.__code__ = changed
        except ValueError as error:  # another number of free variables
            raise NotInForceError(f"{mutant.module}.{mutant.function}: {error}") from None
    _clear_caches()


def import_afresh(mutant: Mutant, system: str) -> tuple[Operation, ...]:
    """Import the system's modules again, with the change; return its operations.

    Raises NotInForceError if the changed module was not imported.
    """
    package = system.replace("-", "_")
    dropped = (f"{REFERENCE}.{package}", f"{REFERENCE}.bencode", f"{_SYSTEMS}.{package}")
    for name in [*sys.modules]:
        if any(f"{name}.".startswith(f"{each}.") for each in dropped):
            del sys.modules[name]
    sys.meta_path.insert(0, _Finder(mutant))
    operations = operations_of(system)
    if not hasattr(sys.modules.get(mutant.module), _MARK):
        raise NotInForceError(f"{mutant.module} is not imported by the operations of {system}")
    return operations


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds and loads one module from its changed source."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def find_spec(
        self, fullname: str, _path: object, _target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._mutant.module:
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
        path = str(source_path(self._mutant.module))
        setattr(module, _MARK, self._mutant.name)
        code = compile(mutated_tree(self._mutant), path, "exec", dont_inherit=True)
        exec(code, module.__dict__)  # noqa: S102 - the reference's own source, with one change


def _code_named(code: CodeType, name: str) -> CodeType | None:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_qualname == name:
                return constant
            found = _code_named(constant, name)
            if found is not None:
                return found
    return None


def _clear_caches() -> None:
    """Forget what the reference's functions answered before the change."""
    for each in gc.get_objects():
        if isinstance(each, functools._lru_cache_wrapper):  # noqa: SLF001 - it has no public name
            module = getattr(each, "__module__", None) or ""
            if module.startswith(f"{REFERENCE}."):
                each.cache_clear()
