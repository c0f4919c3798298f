"""Compare the reference with the corpus, in this process.

If the reference has two evaluations of an operation, both answer each of its vectors, and their
results must be equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

from rejoin_conformance.contract.operation import Operation, Output, Rejected, Result
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.kit.json_types import JsonObject, canonical_json


@frozen
class Mismatch:
    """A vector and reading in which the reference does not give the expected result."""

    vector: Vector
    reading: str
    observed: str


def verify_vector(vector: Vector) -> Iterator[Mismatch]:
    """Run one vector in every reading that has an expected result, and yield the mismatches."""
    operation = system_named(vector.system).operation(vector.operation)
    for reading, expected in vector.expected.items():
        if operation is None:
            yield Mismatch(vector, reading, f"there is no operation {vector.operation}")
            continue
        result = operation.run(vector.input, reading)
        faults = [
            difference(expected, result),
            _disagreement(result, operation.run_second(vector.input, reading)),
        ]
        observed = "; ".join(fault for fault in faults if fault is not None)
        if observed:
            yield Mismatch(vector, reading, observed)


def wrong_answers(operation: Operation, vector: Vector) -> Iterator[str]:
    """Describe the wrong answers to a vector whose input is known to match the schema.

    Two answers are equal if their canonical texts are, so `1` is not `true`.
    """
    for reading, expected in vector.expected.items():
        result = operation.answer(vector.input, reading)
        fault = difference(expected, result) or _disagreement(
            result, operation.answer_second(vector.input, reading)
        )
        if fault is not None:
            yield fault


def verify(vectors: Iterable[Vector]) -> tuple[Mismatch, ...]:
    """Return the mismatches of the vectors, in their order."""
    return tuple(mismatch for vector in vectors for mismatch in verify_vector(vector))


def difference(expected: JsonObject, result: Result) -> str | None:
    """Return the difference of a result from the expected one, or None if there is none."""
    match result:
        case Rejected():
            return None if "rejected" in expected else _shown(result)
        case Output(value=value):
            if "rejected" in expected:
                return "accepted input that must be rejected"
            same = canonical_json(value) == canonical_json(expected["output"])
            return None if same else _shown(result)


def _disagreement(first: Result, second: Result | None) -> str | None:
    """Return the difference of the two evaluations, or None if there is none."""
    if second is None or second == first:
        return None
    return f"the second evaluation {_shown(second)}, the first one {_shown(first)}"


def _shown(result: Result) -> str:
    return (
        f"rejected: {result.reason}" if isinstance(result, Rejected) else f"answered {result.value}"
    )
