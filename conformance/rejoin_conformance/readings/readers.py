"""Find the functions of the reference that read a choice point or a constant."""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Iterator
from functools import cache
from types import CodeType, FunctionType
from typing import Final

from rejoin_conformance.kit.import_graph import modules_of

REFERENCE: Final = "rejoin"


@cache
def functions_of(package: str) -> tuple[FunctionType, ...]:
    """Return the functions and methods that the modules of a package define.

    Leaves out the methods that attrs generates. They read every field and decide nothing.
    """
    found: list[FunctionType] = []
    for name in sorted(modules_of(REFERENCE)):
        if f"{name}.".startswith(f"{package}."):
            found += _defined(vars(importlib.import_module(name)), name)
    return tuple(found)


@cache
def readers_of(name: str, package: str) -> tuple[FunctionType, ...]:
    """Return the functions of a package whose code reads an attribute or global of this name."""
    return tuple(
        function for function in functions_of(package) if name in names_read(function.__code__)
    )


def plain_function(value: object) -> FunctionType | None:
    """Return the function under a static method, class method, property or cache, or None."""
    match value:
        case FunctionType():
            return plain_function(getattr(value, "__wrapped__", None)) or value
        case staticmethod() | classmethod():
            return plain_function(value.__func__)
        case property():
            return plain_function(value.fget)
        case functools.cached_property():
            return plain_function(value.func)
    return plain_function(getattr(value, "__wrapped__", None)) if callable(value) else None


def package_of(system: str) -> str:
    """Return the package of a system's reference."""
    return f"{REFERENCE}.{system.replace('-', '_')}"


def name_of(function: FunctionType) -> str:
    """Return the dotted name of a function."""
    return f"{function.__module__}.{function.__qualname__}"


def docstring_of(function: FunctionType) -> str:
    """Return the docstring of a function, or an empty string."""
    return inspect.getdoc(function) or ""


@cache
def names_read(code: CodeType) -> frozenset[str]:
    """Return the attributes and globals that a function names, with those of its inner ones."""
    inner = (each for each in code.co_consts if isinstance(each, CodeType))
    return frozenset(code.co_names).union(*map(names_read, inner))


def _defined(names: dict[str, object], module: str) -> Iterator[FunctionType]:
    for value in list(names.values()):
        function = plain_function(value)
        if isinstance(value, type) and value.__module__ == module:
            yield from _defined(dict(vars(value)), module)
        elif function is not None and function.__module__ == module and _decides(function):
            yield function


def _decides(function: FunctionType) -> bool:
    name = function.__name__
    return not name.startswith("__") or name == "__call__"
