"""What an adapter declares: its operations, their features that it leaves out, its own codes.

A TOML file of an implementation's own names for the codes of rejections has one table for each
system. A name can stand for several codes:

    [some-system]
    E_SORT = "set-not-ascending"
    E_INT = ["bad-integer", "integer-not-canonical"]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from rejoin_conformance.adapters.run_options import StrictCodes, WrongUsageError
from rejoin_conformance.contract.operation import Feature, Operation, needed, reduced
from rejoin_conformance.contract.registry import system_names
from rejoin_conformance.contract.system import System
from rejoin_conformance.corpus.codes import codes_of
from rejoin_conformance.kit.errors import ExpectedError, UnusableError
from rejoin_conformance.kit.files import read_toml
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.text import counted, did_you_mean, shown_line

if TYPE_CHECKING:  # the laws of a campaign do not depend on the protocol
    from rejoin_conformance.adapters.protocol import Hello

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
    """Yield one line for each chosen reading that a hello does not declare for an asked system."""
    names = {each.partition("/")[0] for each in hello.operations}
    asked = [each for each in systems if each.name in names]
    for each in readings if asked else ():
        if not any(each in system.every_reading for system in asked):
            yield f"no system that the adapter declares has the reading {each}, so it has no effect"
    for system in asked:
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


class OwnCodesError(ExpectedError):
    """An invalid file of codes. The message names the file and the fault."""


@frozen
class OwnCodes:
    """The names of one implementation. names: system -> name -> the codes that the name means."""

    names: Mapping[str, Mapping[str, tuple[str, ...]]] = field(factory=dict)

    def why_wrong(self, system: str, expected: str, said: str) -> str:
        """Return why the code of a rejection is wrong; empty if it is the expected code.

        said: the code of the rejection, untrusted; empty if the rejection has no code.
        """
        meant = self.names.get(system, {}).get(said, (said,))
        if expected in meant:
            return ""
        meaning = codes_of(system).meanings.get(expected)
        must = f"the code must be {expected}{f' ({meaning})' if meaning else ''}"
        if not said:
            return f"{must}, but the rejection has none"
        name = shown_line(said, 80)
        if meant != (said,):
            return f"{must}, not {' or '.join(meant)} ({name})"
        known = "" if said in codes_of(system).meanings else ", which the spec does not list"
        return f"{must}, not {name}{known}"


def load_own_codes(path: Path) -> OwnCodes:
    """Return the names in a file. Raises OwnCodesError if the file is invalid."""
    try:
        value: Mapping[str, Any] = read_toml(path)
    except ValueError as error:
        raise OwnCodesError(f"{path}: {error}") from None
    return OwnCodes({system: _of_system(path, system, names) for system, names in value.items()})


def compared_codes(options: StrictCodes) -> OwnCodes | None:
    """Return the adapter's names for codes; None if codes are not compared.

    Raises WrongUsageError and OwnCodesError.
    """
    if options.codes is not None and not options.strict_codes:
        raise WrongUsageError("--codes names the codes that --strict-codes compares; give both")
    if not options.strict_codes:
        return None
    return OwnCodes() if options.codes is None else load_own_codes(options.codes)


def _of_system(path: Path, system: str, names: Any) -> Mapping[str, tuple[str, ...]]:
    if system not in system_names():
        near = did_you_mean(system, sorted(system_names()))
        raise OwnCodesError(f"{path}: there is no system {system!r}{near}")
    if not isinstance(names, dict):
        raise OwnCodesError(f"{path}: {system} must be a table of names")
    known = codes_of(system).meanings
    found: dict[str, tuple[str, ...]] = {}
    for name, codes in names.items():
        listed = [codes] if isinstance(codes, str) else codes
        if not isinstance(listed, list) or not listed:
            raise OwnCodesError(f"{path}: {system}: {name!r} must be a code or a list of codes")
        for code in listed:
            if code not in known:
                near = did_you_mean(code, sorted(known)) if isinstance(code, str) else ""
                why = f"{name!r} stands for {code!r}, which is not a code of the spec{near}"
                raise OwnCodesError(f"{path}: {system}: {why}")
        found[name] = tuple(listed)
    return found
