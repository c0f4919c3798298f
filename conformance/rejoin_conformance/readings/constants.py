"""Replace a constant of the reference, at every place that holds its value."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from types import FunctionType, ModuleType
from typing import Any

import attrs
from attrs import frozen

from rejoin_conformance.readings.bindings import PLAIN, Place, places_of
from rejoin_conformance.readings.exchange import copy_of, exchanged, plain_function
from rejoin_conformance.readings.overriding import Tried, count_call, loaded_modules
from rejoin_conformance.readings.readers import readers_of
from rejoin_conformance.readings.targets import UnknownTargetError, value_at


@frozen(eq=False)
class ConstantOverride:
    """One constant with another value.

    name: the dotted name in the rule file. places: the names or fields that hold its value.
    targets: the functions that read it. defaults: the defaults of functions that hold it.
    """

    name: str
    places: tuple[Place, ...]
    targets: tuple[FunctionType, ...]
    defaults: tuple[Place, ...] = ()

    @contextmanager
    def in_force(self, counts: Tried, *, compared: bool) -> Iterator[None]:
        """Put the new value in force while the block runs, and count the calls of the readers."""
        originals = {target: copy_of(target) for target in self.targets}
        with ExitStack() as stack:
            for put, before, value in self.defaults:
                put(value)
                stack.callback(put, before)
            self._put(new=True)
            stack.callback(self._put, new=False)
            for target, original in originals.items():
                call = partial(
                    count_call, counts, copy_of(target), self._without(original), compared
                )
                stack.enter_context(exchanged(target, call))
            yield

    def _put(self, *, new: bool) -> None:
        for put, before, value in self.places:
            put(value if new else before)

    def _without(self, function: FunctionType) -> Callable[..., Any]:
        """Return the function as it is without the change."""

        def without(*args: Any, **kwargs: Any) -> Any:
            self._put(new=False)
            try:
                return function(*args, **kwargs)
            finally:
                self._put(new=True)

        return without


def is_constant(name: str) -> bool:
    """Return whether a dotted name means a value of the reference, not a function or class."""
    value, owner = value_at(name)
    return (
        isinstance(owner, ModuleType)
        and value is not None
        and plain_function(value) is None
        and not isinstance(value, type | ModuleType)
    )


def constant_of(name: str, value: object) -> ConstantOverride:
    """Return the override of a constant of the reference, by its dotted name.

    A number, text or bytes is replaced at every place that holds it; an attrs value gets the fields
    of the new one. Raises UnknownTargetError.
    """
    original, owner = value_at(name)
    if not isinstance(owner, ModuleType):
        raise UnknownTargetError(f"{name[:120]!r} is not a constant of a module of the reference")
    if type(value) is not type(original):
        raise UnknownTargetError(
            f"{name} is of type {type(original).__name__}; the new value is of type "
            f"{type(value).__name__}"
        )
    owner, attribute = _definition(owner, name.rpartition(".")[2], original)
    package = ".".join(owner.__name__.split(".")[:2])
    if isinstance(original, PLAIN):
        places, defaults = places_of(owner, attribute, value, loaded_modules())
        readers = [*readers_of(attribute, package), *(function for function, _ in defaults)]
        return ConstantOverride(
            name,
            tuple(places),
            tuple(dict.fromkeys(readers)),
            tuple(place for _, place in defaults),
        )
    kind: Any = type(original)
    if attrs.has(kind):
        changed = [
            each.name
            for each in attrs.fields(kind)
            if getattr(original, each.name) != getattr(value, each.name)
        ]
        fields = tuple(
            (
                partial(object.__setattr__, original, each),
                getattr(original, each),
                getattr(value, each),
            )
            for each in changed
        )
        looking = dict.fromkeys(one for each in changed for one in readers_of(each, package))
        return ConstantOverride(name, fields, tuple(looking))
    raise UnknownTargetError(
        f"{name} is of type {type(original).__name__}; only numbers, text, bytes and attrs values "
        "can be replaced"
    )


def _definition(owner: ModuleType, name: str, value: Any) -> tuple[ModuleType, str]:
    """Return the module that defines a constant which another module may only import."""
    here = [
        module
        for module in loaded_modules()
        if module.__name__.startswith(owner.__name__)
        and f"\n{name}: Final" in f"\n{_source(module)}"
        and getattr(module, name, None) is value
    ]
    return (here[0] if here else owner), name


def _source(module: ModuleType) -> str:
    with open(str(module.__file__), encoding="utf-8") as file:  # noqa: PTH123 - a loaded module
        return file.read()
