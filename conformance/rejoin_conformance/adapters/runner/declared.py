"""What an adapter declares: its operations, and the features of each that it leaves out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from attrs import frozen

from rejoin_conformance.adapters.protocol import Hello
from rejoin_conformance.contract.feature import Feature, needed, reduced
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.errors import UnusableError
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.text import did_you_mean
from rejoin_conformance.kit.untrusted import shown_line

_NAMED: Final = 10
"""The unknown names of one kind that are told, one a line."""


class DeclarationError(UnusableError):
    """The adapter declares something that the suite does not know."""


class UnknownFeatureError(DeclarationError):
    """The adapter, or an option, leaves out a feature that no operation has."""


@frozen
class Declared:
    """The operations that an adapter is asked, without the features that it leaves out.

    without: operation -> the features that are left out of it.
    """

    operations: frozenset[str]
    without: Mapping[str, tuple[Feature, ...]]

    def left_out(self, operation: str) -> tuple[Feature, ...]:
        """Return the features that are left out of an operation."""
        return self.without.get(operation, ())

    def missing(self, operation: str, value: JsonObject) -> str:
        """Return the name of the first feature that is left out and that an input needs."""
        return needed(self.left_out(operation), value)

    def reduced(self, operation: str, value: JsonObject) -> JsonObject:
        """Return an input without the features that are left out, as far as that is possible."""
        return reduced(self.left_out(operation), value)


def declared_by(
    hello: Hello,
    systems: Iterable[System],
    operations: frozenset[str] | None = None,
    leave_out: tuple[str, ...] = (),
) -> Declared:
    """Return what an adapter declares of some systems.

    operations: the operations to ask; None for all that the hello declares. leave_out: further
    features to leave out, of every operation that has them.

    Raises UnknownFeatureError if the hello names a feature that its operation does not have.
    """
    without: dict[str, tuple[Feature, ...]] = {}
    for operation in (each for system in systems for each in system.operations):
        named = {*hello.without.get(operation.name, ()), *leave_out}
        without[operation.name] = tuple(each for each in operation.features if each.name in named)
        _refuse_unknown(operation, hello.without.get(operation.name, ()))
    declared = frozenset(hello.operations)
    return Declared(declared if operations is None else declared & operations, without)


def unknown_names(hello: Hello, systems: Sequence[System]) -> Iterator[str]:
    """Yield one line for everything that a hello declares and the suite does not know."""
    known = [operation.name for system in systems for operation in system.operations]
    names = [system.name for system in systems]
    declared = Counter(hello.operations)

    def unknown(name: str) -> str:
        return f"'{shown_line(name, 80)}', which is not an operation{did_you_mean(name, known)}"

    def twice(name: str) -> str:
        return f"'{shown_line(name, 80)}' twice"

    def reading(name: str) -> str:
        no_system = f"which is not a system; the systems are {', '.join(names)}"
        return f"a reading of '{shown_line(name, 80)}', {no_system}"

    yield from _some([name for name in declared if name not in known], unknown)
    yield from _some([name for name, count in declared.items() if count > 1], twice)
    yield from _some([name for name in hello.readings if name not in names], reading)


def undeclared_readings(
    hello: Hello, systems: Iterable[System], readings: Sequence[str]
) -> Iterator[str]:
    """Yield one line for each chosen reading of an asked system that a hello does not declare."""
    asked = {each.partition("/")[0] for each in hello.operations}
    for system in (each for each in systems if each.name in asked):
        declared = hello.readings.get(system.name) or (system.default_reading,)
        for each in readings:
            if each in system.every_reading and each not in declared:
                yield f"the adapter does not declare the reading {each} of {system.name}"


def _some(names: Sequence[str], told: Callable[[str], str]) -> Iterator[str]:
    """Yield a line for each of the first names, and one for all others."""
    yield from (f"the adapter declares {told(name)}" for name in names[:_NAMED])
    if others := names[_NAMED:]:
        yield f"the adapter declares {counted(len(others), 'more name')} of this kind"


def _refuse_unknown(operation: Operation, names: Iterable[str]) -> None:
    known = [feature.name for feature in operation.features]
    for name in names:
        if name not in known:
            listed = f"its features are {', '.join(known)}" if known else "it has no features"
            raise UnknownFeatureError(
                f"the adapter leaves out the feature '{shown_line(name, 80)}' of "
                f"{operation.name}; {listed}"
            )
