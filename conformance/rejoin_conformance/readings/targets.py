"""Find the function or constant of the reference that a dotted name means, and what reads it."""

from __future__ import annotations

import ast
import difflib
import functools
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

import attrs
from attrs import frozen

from rejoin_conformance.kit.import_graph import modules_of
from rejoin_conformance.readings.worlds import definition, module_and_rest

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


PLAIN: Final = (int, bytes, str)
"""The types of constants that can be replaced, apart from attrs classes."""


class UnknownTargetError(LookupError):
    """A dotted name that cannot be overridden. The message says why or suggests another name."""

    def __str__(self) -> str:
        return str(self.args[0])


@frozen
class Target:
    """A function or constant of the reference that a rule file changes.

    name: its dotted name in the rule file. defined_as: its dotted name where it is defined.
    value: a constant's new value; None for a function. targets: the functions whose answers can
    change: the function itself, or those that read the constant.
    held: whether something else than a function holds the constant, such as a default.
    """

    name: str
    defined_as: str
    targets: tuple[FunctionType, ...]
    value: Any = None
    held: bool = False


def target_of(name: str, value: Any) -> Target:
    """Return the target of an override, by its dotted name. Raises UnknownTargetError."""
    original, owner = value_at(name)
    function = None if isinstance(original, type) else plain_function(original)
    is_code = function is not None or isinstance(original, type | ModuleType)
    if isinstance(owner, ModuleType) and original is not None and not is_code:
        return _constant(name, original, owner, value)
    if function is None:
        raise UnknownTargetError(f"{name[:120]!r} is not a function of the reference")
    if getattr(owner, "_is_protocol", False):
        raise UnknownTargetError(
            f"{name} only declares an interface; override it in a class that implements "
            f"{owner.__qualname__}"
        )
    last = name.rpartition(".")[2]
    if isinstance(owner, type) and last not in vars(owner):
        heir = next(each for each in owner.__mro__ if last in vars(each))
        there = f"{heir.__module__}.{heir.__qualname__}"
        raise UnknownTargetError(f"{owner.__qualname__} inherits {last!r}; override {there}.{last}")
    if not callable(value):
        raise UnknownTargetError(f"{name} is a function; the new value must be a function too")
    _check_parameters(name, function, value)
    return Target(name, name_of(function), (function,))


def value_at(name: str) -> tuple[Any, Any]:
    """Return the value that a dotted name means, and the module or class that contains it.

    Raises UnknownTargetError.
    """
    parts = name.split(".")
    if parts[0] != REFERENCE or len(parts) < 2:
        raise UnknownTargetError(f"{name[:120]!r} is not a dotted name that begins with `rejoin.`")
    found_in, rest = module_and_rest(name)
    owner: Any = importlib.import_module(found_in)
    if not rest:
        return owner, None
    for place, part in enumerate(rest):
        found = inspect.getattr_static(owner, part, None)
        if found is None or (place < len(rest) - 1 and not isinstance(found, type)):
            raise UnknownTargetError(_not_found(name, owner, part))
        if place < len(rest) - 1:
            owner = found
    return inspect.getattr_static(owner, rest[-1], None), owner


def _constant(name: str, original: Any, owner: ModuleType, value: Any) -> Target:
    kind, given = type(original), type(value)
    if given is not kind:
        raise UnknownTargetError(
            f"{name} is of type {kind.__name__}; the new value is of type {given.__name__}"
        )
    last = name.rpartition(".")[2]
    package = ".".join(owner.__name__.split(".")[:2])
    trees = _trees(package)
    if isinstance(original, PLAIN):
        held = {each for module, tree in trees for each in _holders(module, tree, last)}
        readers = [*readers_of(last, package)]
        readers += [each for each in functions_of(package) if name_of(each) in held]
    elif attrs.has(kind):
        held = set()
        names = [each.name for each in attrs.fields(kind)]
        changed = [each for each in names if getattr(original, each) != getattr(value, each)]
        readers = [reader for each in changed for reader in readers_of(each, package)]
    else:
        raise UnknownTargetError(
            f"{name} is of type {kind.__name__}; only numbers, text, bytes and attrs values can be "
            "replaced"
        )
    definers = [module for module, tree in trees if definition(tree, [last])]
    if not definers:
        raise UnknownTargetError(f"{name} is not defined in the source text of the reference")
    definer = owner.__name__ if owner.__name__ in definers else definers[0]
    targets = tuple(dict.fromkeys(readers))
    return Target(name, f"{definer}.{last}", targets, value, held=bool(held))


@cache
def _trees(package: str) -> tuple[tuple[str, ast.Module], ...]:
    """Return the modules of a package: (dotted name, tree)."""
    return tuple(
        (name, ast.parse(path.read_text(encoding="utf-8")))
        for name, path in sorted(modules_of(REFERENCE).items())
        if f"{name}.".startswith(f"{package}.")
    )


def _holders(module: str, tree: ast.Module | ast.ClassDef, name: str) -> Iterator[str]:
    """Yield what reads a constant when it is imported: dotted names of functions, and others."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield from _holders(f"{module}.{node.name}", node, name)
            continue
        read = node.args if isinstance(node, ast.FunctionDef) else node
        named = (each for each in ast.walk(read) if isinstance(each, ast.Name) and each.id == name)
        if any(isinstance(each.ctx, ast.Load) for each in named):
            yield f"{module}.{node.name}" if isinstance(node, ast.FunctionDef) else module


def _check_parameters(name: str, original: FunctionType, function: Callable[..., Any]) -> None:
    """Raise UnknownTargetError if the function cannot be called with the original's arguments."""
    try:
        ours, theirs = inspect.signature(function), inspect.signature(original)
    except (TypeError, ValueError):
        return
    required = [
        each
        for each in theirs.parameters.values()
        if each.default is each.empty and each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
    ]
    positional = [each for each in required if each.kind is not each.KEYWORD_ONLY]
    keywords = {each.name: None for each in required if each.kind is each.KEYWORD_ONLY}
    try:
        ours.bind(*(None for _ in positional), **keywords)
    except TypeError as error:
        raise UnknownTargetError(
            f"the function for {name} must accept the arguments of "
            f"{name.rpartition('.')[2]}{theirs}: {error}"
        ) from None


def _not_found(name: str, owner: Any, part: str) -> str:
    there = [each for each, value in vars(owner).items() if plain_function(value) is not None]
    there += [each.name for each in pkgutil.iter_modules(getattr(owner, "__path__", ()))]
    near = difflib.get_close_matches(part, there, 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"the reference has no function {name[:120]!r}: no {part!r} in {owner.__name__}{hint}"
