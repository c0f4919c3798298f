"""Check that the committed corpus has the documented format, independently of its generator."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rejoin_conformance.contract.operation import Operation, Rejected, code_in
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.clauses import errata_of, vectors_named
from rejoin_conformance.corpus.codes import codes_of
from rejoin_conformance.corpus.load import (
    CorpusError,
    faults_of_list,
    index_faults,
    load_index,
    load_topic_file,
    retired_ids,
    topic_files,
)
from rejoin_conformance.kit.json_types import canonical_json


def check_system(name: str, directory: Path | None = None) -> Iterator[str]:
    """Yield one line for each fault in a system's part of the corpus."""
    system = system_named(name)
    index = load_index(directory)
    every: list[Vector] = []
    for path in topic_files(name, directory):
        try:
            vectors = load_topic_file(path)
        except CorpusError as error:
            yield str(error)
            continue
        every += vectors
        for vector in vectors:
            yield from (f"{vector.id}: {fault}" for fault in vector_faults(system, vector))
    yield from faults_of_list(name, every)
    if every and not index and directory is not None and directory.is_dir():
        yield f"{directory}: there is no index.json, so no digest was compared"
    if not every and directory is None:
        yield f"{name}: the corpus has no vector of this system"
    yield from index_faults(name, every, index or None)
    if directory is None:
        yield from _errata_faults(name, {vector.id for vector in every})


def vector_faults(system: System, vector: Vector) -> Iterator[str]:
    """Yield the faults of one vector, without the rest of the corpus."""
    if vector.id in retired_ids():
        yield "its ID is retired"
    operation = system.operation(vector.operation)
    if operation is None or not vector.expected:
        return
    if vector.recipe and '"$' not in canonical_json(vector.to_json()):
        yield "it is marked as a recipe, but contains no recipe"
    rejecting = [reading for reading, value in vector.expected.items() if "rejected" in value]
    for reading, expected in vector.expected.items():
        if reading not in rejecting and (fault := operation.output_fault(expected["output"])):
            yield f"the expected output does not match its schema: {fault}"
    if len(rejecting) < len(vector.expected) and (fault := operation.input_fault(vector.input)):
        yield f"the input does not match its schema: {fault}"
    yield from _mending_faults(operation, vector, rejecting)
    yield from _code_faults(vector)


def _mending_faults(operation: Operation, vector: Vector, rejecting: list[str]) -> Iterator[str]:
    """Yield a fault if a negative vector's input has no mended form that is accepted.

    Skips a negative vector with a lineage and no mended form: its fault is not known.
    """
    if not rejecting or (vector.mended is None and vector.lineage is not None):
        return
    if vector.mended is None:
        yield "the input is rejected, but there is no mended input"
        return
    for reading in rejecting:
        result = operation.run(vector.mended, reading)
        if isinstance(result, Rejected):
            yield f"the mended input is rejected too: {result.reason}"


def _code_faults(vector: Vector) -> Iterator[str]:
    """Yield a fault for each code that the spec's table does not give to a clause of the vector."""
    codes = codes_of(vector.system)
    for code in sorted({code for each in vector.expected.values() if (code := code_in(each))}):
        if vector.mended is None or vector.id in codes.ambiguous:
            yield f"it expects the code {code}, but its input may have several faults"
        elif not codes.clauses.get(code, frozenset()).intersection(vector.clauses):
            yield f"the spec's errors.md gives the code {code} to none of its clauses"


def _errata_faults(name: str, seen: set[str]) -> Iterator[str]:
    """Yield the errata that name no vector, or one that does not exist."""
    errata = errata_of(name)
    if not errata:
        yield f"{name}: the spec has no errata.md"
    for title, text in errata.items():
        named = [each for each in vectors_named(text) if each.startswith(f"{name}/")]
        if not named:
            yield f"erratum {title}: names no vector"
        for vector in named:
            if vector not in seen:
                yield f"erratum {title}: there is no vector {vector}"
