"""The registry of systems: every folder of `systems` is a system.

The module `system` in each folder defines a `System` under the name `SYSTEM`. No other module of
the general packages imports a system.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Final

from rejoin_conformance.contract.system import System

_SYSTEMS: Final = "rejoin_conformance.systems"


@cache
def system_names() -> tuple[str, ...]:
    """Return the names of all systems in the spelling of the command line, sorted."""
    modules = pkgutil.iter_modules(importlib.import_module(_SYSTEMS).__path__)
    return tuple(sorted(module.name.replace("_", "-") for module in modules if module.ispkg))


_STANDING_IN: Final[dict[str, System]] = {}
"""The systems of worlds that are in force."""


def system_named(name: str) -> System:
    """Return the system of this name. Raises KeyError for any other name."""
    return _STANDING_IN.get(name) or _unchanged(name)


@contextmanager
def standing_in(system: System) -> Iterator[None]:
    """Let a system with changes be the one of its name while the block runs."""
    before = dict(_STANDING_IN)
    _STANDING_IN[system.name] = system
    try:
        yield
    finally:
        _STANDING_IN.clear()
        _STANDING_IN.update(before)


def forget_systems() -> None:
    """Search for the systems again when they are asked for next."""
    system_names.cache_clear()
    _unchanged.cache_clear()


@cache
def _unchanged(name: str) -> System:
    if name not in system_names():
        raise KeyError(name)
    module = importlib.import_module(f"{_SYSTEMS}.{name.replace('-', '_')}.system")
    system = module.SYSTEM
    if not isinstance(system, System):
        raise TypeError(f"{module.__name__}.SYSTEM is not a System")
    return system


def all_systems() -> tuple[System, ...]:
    """Return every system, sorted by name."""
    return tuple(system_named(name) for name in system_names())
