"""Find the function of the reference that a dotted name means."""

from __future__ import annotations

import difflib
import importlib
import inspect
import pkgutil
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any, Final

from rejoin_conformance.readings.exchange import plain_function

REFERENCE: Final = "rejoin"


class UnknownTargetError(LookupError):
    """A dotted name that cannot be overridden. The message says why or suggests another name."""

    def __str__(self) -> str:
        return str(self.args[0])


def function_at(name: str) -> FunctionType:
    """Return the function or method of the reference with this dotted name.

    Raises UnknownTargetError.
    """
    value, owner = value_at(name)
    function = plain_function(value)
    if function is None or isinstance(value, type):
        raise UnknownTargetError(f"{name[:120]!r} is not a function of the reference")
    if getattr(owner, "_is_protocol", False):
        raise UnknownTargetError(
            f"{name} only declares an interface; override it in a class that implements "
            f"{owner.__qualname__}"
        )
    last = name.rpartition(".")[2]
    if isinstance(owner, type) and last not in vars(owner):
        heir = next(each for each in owner.__mro__ if last in vars(each))
        raise UnknownTargetError(
            f"{owner.__qualname__} inherits {last!r}; override {heir.__module__}."
            f"{heir.__qualname__}.{last}"
        )
    return function


def value_at(name: str) -> tuple[Any, Any]:
    """Return the value that a dotted name means, and the module or class that contains it.

    Raises UnknownTargetError.
    """
    parts = name.split(".")
    if parts[0] != REFERENCE or len(parts) < 2:
        raise UnknownTargetError(f"{name[:120]!r} is not a dotted name that begins with `rejoin.`")
    module, rest = _module(parts)
    owner: Any = module
    if not rest:
        return module, None
    for place, part in enumerate(rest):
        found = inspect.getattr_static(owner, part, None)
        if found is None or (place < len(rest) - 1 and not isinstance(found, type)):
            raise UnknownTargetError(_not_found(name, owner, part))
        if place < len(rest) - 1:
            owner = found
    return inspect.getattr_static(owner, rest[-1], None), owner


def reference_module(name: str) -> ModuleType:
    """Return the module of the reference with this name."""
    return importlib.import_module(name)


def check_parameters(name: str, original: FunctionType, function: Callable[..., Any]) -> None:
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


def _module(parts: list[str]) -> tuple[ModuleType, list[str]]:
    """Return the longest importable prefix of a dotted name, and the rest of the name."""
    module = importlib.import_module(REFERENCE)
    for count in range(2, len(parts) + 1):
        name = ".".join(parts[:count])
        try:
            module = importlib.import_module(name)
        except ModuleNotFoundError:
            return module, parts[count - 1 :]
    return module, []


def _not_found(name: str, owner: Any, part: str) -> str:
    there = [each for each, value in vars(owner).items() if plain_function(value) is not None]
    there += [each.name for each in pkgutil.iter_modules(getattr(owner, "__path__", ()))]
    near = difflib.get_close_matches(part, there, 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"the reference has no function {name[:120]!r}: no {part!r} in {owner.__name__}{hint}"
