"""Put functions in the place of the reference's, everywhere and for a while.

A function that other modules imported by name is bound in each of them; all of these names are
changed, and all are changed back. Only this process sees it.
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
"""Where functions of the reference are bound: itself, and what the suite knows of its systems."""


_IN_FORCE: Final[list[str]] = []
"""The dotted names of what is overridden now, those of inner blocks last."""


class UnknownTargetError(LookupError):
    """A dotted name that names no function of the reference; one line on what is near."""

    def __str__(self) -> str:
        return str(self.args[0])


@frozen(eq=False)
class Override:
    """One function in the place of another.

    name: dotted, as the rule file says it. owner, attribute: where the original is defined, a
        module or a class. original: as it stands there, `staticmethod` and the like included.
    stand_in: what is bound instead; it calls the rule's function and is bound nowhere else.
    """

    name: str
    owner: Any
    attribute: str
    original: Any
    stand_in: Any


def override_of(name: str, function: Callable[..., Any]) -> Override:
    """The override of a function or method of the reference, by its dotted name.

    Raises UnknownTargetError.
    """
    parts = name.split(".")
    if parts[0] != REFERENCE or len(parts) < 2:
        raise UnknownTargetError(f"{name[:120]!r} is no dotted name that begins with rejoin.")
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
        raise UnknownTargetError(f"{name[:120]!r} is no function of the reference")
    _check_parameters(name, original, function)
    return Override(name, owner, rest[-1], original, _stand_in(original, function))


def _stand_in(original: Any, function: Callable[..., Any]) -> Any:
    def stand_in(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return type(original)(stand_in) if _is_wrapped(original) else stand_in


def _module(parts: list[str]) -> tuple[ModuleType, list[str]]:
    """The longest importable beginning of a dotted name, and the rest of it."""
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
    hint = f"; is {near[0]!r} meant?" if near else ""
    return f"the reference has no function {name[:120]!r}: no {part!r} in {owner.__name__}{hint}"


def _check_parameters(name: str, original: Any, function: Callable[..., Any]) -> None:
    """A function that cannot be called as the original is would fail in every history."""
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
            f"{name} cannot be called as {name.rpartition('.')[2]}{theirs} is: {error}"
        ) from None


@contextmanager
def overriding(overrides: Iterable[Override]) -> Iterator[None]:
    """While the block runs, the functions stand in the place of the originals."""
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
    """The dotted names of the functions that are overridden in this process now."""
    return tuple(_IN_FORCE)


def _put(override: Override, old: Any, new: Any) -> None:
    """Bind what was bound to the one to the other, wherever that is."""
    if isinstance(override.owner, type):
        setattr(override.owner, override.attribute, new)
        return
    for module in _modules():
        for name, value in list(vars(module).items()):
            if value is old:
                setattr(module, name, new)


def _modules() -> list[ModuleType]:
    """Every module that is loaded now and may have bound a function of the reference."""
    return [
        module
        for name, module in list(sys.modules.items())
        if f"{name}.".startswith(_PLACES) and isinstance(module, ModuleType)
    ]


def _forget_cached() -> None:
    """Forget what cached functions remember: it may come from what was overridden."""
    for module in _modules():
        for value in list(vars(module).values()):
            forget = getattr(value, "cache_clear", None)
            if callable(forget):
                forget()
