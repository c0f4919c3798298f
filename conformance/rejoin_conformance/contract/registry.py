"""The one place that knows where systems live: every folder of `systems` is one.

Each such package's `system` module offers a `System` under the name `SYSTEM`.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import Final

from rejoin_conformance.contract.system import System

_SYSTEMS: Final = "rejoin_conformance.systems"


@cache
def system_names() -> tuple[str, ...]:
    """The names of all systems, as the command line spells them, sorted."""
    modules = pkgutil.iter_modules(importlib.import_module(_SYSTEMS).__path__)
    return tuple(sorted(module.name.replace("_", "-") for module in modules if module.ispkg))


@cache
def system_named(name: str) -> System:
    """The system of that name; a KeyError for any other."""
    if name not in system_names():
        raise KeyError(name)
    module = importlib.import_module(f"{_SYSTEMS}.{name.replace('-', '_')}.system")
    system = module.SYSTEM
    if not isinstance(system, System):
        raise TypeError(f"{module.__name__}.SYSTEM is not a System")
    return system


def all_systems() -> tuple[System, ...]:
    """Every system, in the order of their names."""
    return tuple(system_named(name) for name in system_names())
