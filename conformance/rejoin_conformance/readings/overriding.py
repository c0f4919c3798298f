"""Replace functions of the reference temporarily, in this process only.

Other modules can import a function by name and so have a binding of their own. All of these
bindings are replaced, and later restored.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any, Final

from attrs import frozen

REFERENCE: Final = "rejoin"
_PLACES: Final = ("rejoin.", "rejoin_conformance.systems.")
"""The packages with bindings of the reference's functions: the reference and the systems."""


_IN_FORCE: Final[list[str]] = []
"""The dotted names of the functions overridden now, the innermost block last."""


class UnknownTargetError(LookupError):
    """A dotted name without a function of the reference. The message suggests a similar name."""

    def __str__(self) -> str:
        return str(self.args[0])


@frozen(eq=False)
class Override:
    """One function that replaces another.

    name: the dotted name in the rule file. owner, attribute: the module or class that defines the
        original, and its name there. original: the bound value, with any `staticmethod` wrapper.
    stand_in: the replacement. It calls the rule's function, and nothing else refers to it.
    """

    name: str
    owner: Any
    attribute: str
    original: Any
    stand_in: Any


def override_of(name: str, function: Callable[..., Any]) -> Override:
    """Return the override of a function or method of the reference, by its dotted name.

    Raises UnknownTargetError.
    """
    parts = name.split(".")
    if parts[0] != REFERENCE or len(parts) < 2:
        raise UnknownTargetError(f"{name[:120]!r} is not a dotted name that begins with `rejoin.`")
    module, rest = _module(parts)
    owner: Any = module
    for place, part in enumerate(rest):
        found = inspect.getattr_static(owner, part, None)
        if found is None or (place < len(rest) - 1 and not isinstance(found, type)):
            raise UnknownTargetError(_not_found(name, owner, part))
        if place < len(rest) - 1:
            owner = found
    original = inspect.getattr_static(owner, rest[-1], None) if rest else None
    if not _is_function(original):
        raise UnknownTargetError(f"{name[:120]!r} is not a function of the reference")
    _check_parameters(name, original, function)
    return Override(name, owner, rest[-1], original, _stand_in(original, function))


def _stand_in(original: Any, function: Callable[..., Any]) -> Any:
    def stand_in(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return type(original)(stand_in) if _is_wrapped(original) else stand_in


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


def _is_function(value: object) -> bool:
    return _is_wrapped(value) or (callable(value) and not isinstance(value, type))


def _is_wrapped(value: object) -> bool:
    return isinstance(value, staticmethod | classmethod)


def _not_found(name: str, owner: Any, part: str) -> str:
    there = [each for each, value in vars(owner).items() if _is_function(value)]
    near = difflib.get_close_matches(part, there, 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"the reference has no function {name[:120]!r}: no {part!r} in {owner.__name__}{hint}"


def _check_parameters(name: str, original: Any, function: Callable[..., Any]) -> None:
    """Raise UnknownTargetError if the function cannot be called with the original's arguments."""
    plain = original.__func__ if _is_wrapped(original) else original
    try:
        ours, theirs = inspect.signature(function), inspect.signature(plain)
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


@contextmanager
def overriding(overrides: Iterable[Override]) -> Iterator[None]:
    """Replace the original functions while the block runs."""
    chosen = tuple(overrides)
    if not chosen:
        yield
        return
    names = [each.name for each in chosen]
    before = len(_IN_FORCE)
    try:
        for each in chosen:
            _put(each, each.original, each.stand_in)
        _forget_cached()
        _IN_FORCE.extend(names)
        yield
    finally:
        del _IN_FORCE[before:]
        for each in reversed(chosen):
            _put(each, each.stand_in, each.original)
        _forget_cached()


def overridden() -> tuple[str, ...]:
    """Return the dotted names of the functions that are overridden in this process now."""
    return tuple(_IN_FORCE)


def _put(override: Override, old: Any, new: Any) -> None:
    """Change every binding of `old` to `new`."""
    if isinstance(override.owner, type):
        setattr(override.owner, override.attribute, new)
        return
    for module in _modules():
        for name, value in list(vars(module).items()):
            if value is old:
                setattr(module, name, new)


def _modules() -> list[ModuleType]:
    """Return every loaded module that can have a binding of a function of the reference."""
    return [
        module
        for name, module in list(sys.modules.items())
        if f"{name}.".startswith(_PLACES) and isinstance(module, ModuleType)
    ]


def _forget_cached() -> None:
    """Clear the caches of functions: their values can come from overridden functions."""
    for module in _modules():
        for value in list(vars(module).values()):
            forget = getattr(value, "cache_clear", None)
            if callable(forget):
                forget()
