"""Known failures: vectors that are expected to fail. The run reports them when they pass.

A TOML file has one table for each vector:

    [[failure]]
    id = "some-system/some-topic/some-vector"
    reading = "document"                       # optional; default: every reading
    reason = "integers above 2^53 are rounded"
    link = "https://example.org/issues/12"     # required: where the failure is discussed

A second table lists differences that random histories are expected to find, by their kind. An
`id` or a `kind` can end with its reading in brackets, as the commands print it:

    [[difference]]
    kind = "some-system/some-operation wrong-output at poll: *"     # a shell pattern
    reason = "the port has no conflict files"
    link = "https://example.org/issues/13"
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from attrs import evolve, field, frozen

from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.kit.codec import read
from rejoin_conformance.kit.errors import ExpectedError
from rejoin_conformance.kit.files import read_toml
from rejoin_conformance.kit.json_forms import OPTIONAL, named
from rejoin_conformance.kit.text import did_you_mean

AT_STEP: Final = ", at step "
"""The part of a kind of difference before the step at which the adapter goes another way."""


class KnownFailuresError(ExpectedError):
    """An invalid file of known failures. The message names the file and the fault."""


@frozen(kw_only=True)
class KnownFailure:
    """A vector that is expected to fail.

    reason: why it fails. link: where that is discussed. reading: the reading in which it fails;
    None for all readings.
    """

    id: str
    reason: str
    link: str
    reading: str | None = field(default=None, metadata=OPTIONAL)


@frozen(kw_only=True)
class KnownDifference:
    """A kind of difference that random histories are expected to find.

    kind: the kind, as `rejoin fuzz` prints it with its reading or without, or a shell pattern of
        it. reason, link: as in KnownFailure.
    """

    kind: str
    reason: str
    link: str


@frozen
class KnownFailures:
    """The known failures of one file."""

    failures: tuple[KnownFailure, ...] = field(
        default=(), metadata={**named("failure"), **OPTIONAL}
    )

    differences: tuple[KnownDifference, ...] = field(
        default=(), metadata={**named("difference"), **OPTIONAL}
    )

    def of_kind(self, kind: str, reading: str) -> KnownDifference | None:
        """Return the entry for a kind of difference in a reading, or None.

        An entry without a step is for the difference at any step.
        """
        return next((one for one in self.differences if is_of_kind(kind, reading, one.kind)), None)

    def of(self, vector_id: str, reading: str) -> KnownFailure | None:
        """Return the entry for a vector in a reading, or None."""
        entries = (each for each in self.failures if each.id == vector_id)
        return next((each for each in entries if each.reading in {None, reading}), None)


def is_of_kind(kind: str, reading: str, pattern: str) -> bool:
    """Return whether a kind of difference, with its step or without, is or matches a pattern.

    pattern: a shell pattern; one that ends with `[READING]` is for this reading only.
    """
    pattern = pattern.removesuffix(f" [{reading}]")
    names = (kind, kind.partition(AT_STEP)[0])
    return pattern in names or any(fnmatchcase(name, pattern) for name in names)


def load_known_failures(path: Path) -> KnownFailures:
    """Return the known failures in a file. Raises KnownFailuresError if the file is invalid."""
    try:
        known = read(read_toml(path), KnownFailures)
    except ValueError as error:
        raise KnownFailuresError(f"{path}: {error}") from None
    seen: set[tuple[str, str | None]] = set()
    failures = tuple(_without_brackets(each) for each in known.failures)
    for each in failures:
        if (each.id, each.reading) in seen:
            raise KnownFailuresError(f"{path}: {each.id} is listed twice")
        seen.add((each.id, each.reading))
    return evolve(known, failures=failures)


def _without_brackets(failure: KnownFailure) -> KnownFailure:
    """Return a failure whose ID may end with its reading, as `rejoin run` prints it."""
    name, _, reading = failure.id.partition(" [")
    if failure.reading is not None or not reading.endswith("]"):
        return failure
    return evolve(failure, id=name, reading=reading[:-1])


def refuse_unknown(path: Path, known: KnownFailures, vectors: Mapping[str, Vector]) -> None:
    """Raise KnownFailuresError for the first entry that nothing can match.

    vectors: ID -> vector. An entry names one of them, in one of its readings, or a kind of
        difference of an operation. An operation that is written as a shell pattern can be any.
    """
    for each in known.failures:
        vector = vectors.get(each.id)
        if vector is None:
            near = did_you_mean(each.id, vectors)
            raise KnownFailuresError(f"{path}: the corpus has no vector {each.id!r}{near}")
        if each.reading not in {None, *vector.readings}:
            readings = ", ".join(vector.readings)
            why = f"has no reading {each.reading!r}; choose one of {readings}"
            raise KnownFailuresError(f"{path}: {each.id} {why}")
    operations = {operation.name for system in all_systems() for operation in system.operations}
    for difference in known.differences:
        name = difference.kind.partition(" ")[0]
        if name not in operations and not set(name) & set("*?["):
            near = did_you_mean(name, sorted(operations))
            raise KnownFailuresError(f"{path}: there is no operation {name!r}{near}")
