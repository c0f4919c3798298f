"""Compare the reference with the corpus, in this process.

If the reference has two evaluations of an operation, both answer each of its vectors, and their
results must be equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from attrs import frozen

from rejoin_conformance.contract.asked import code_in
from rejoin_conformance.contract.operation import Operation, Output, Rejected, Result
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.kit.forks import in_forks
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
    if operation is None:
        for reading in vector.readings:
            yield Mismatch(vector, reading, f"there is no operation {vector.operation}")
        return
    misfit = operation.misfit(vector.input)
    for reading, expected in vector.expected.items():
        result = misfit or operation.answer(vector.input, reading)
        second = None if misfit else operation.answer_second(vector.input, reading)
        faults = [
            difference(expected, result) or _other_code(expected, result),
            _disagreement(result, second),
        ]
        observed = "; ".join(fault for fault in faults if fault is not None)
        if observed:
            yield Mismatch(vector, reading, observed)


@contextmanager
def verify_in_forks(
    vectors: Sequence[Vector],
) -> Iterator[Iterator[tuple[int, list[Mismatch]]]]:
    """Yield an iterator of the place of each vector and its mismatches, found on all cores.

    See `in_forks`. The vectors of sizes come first, because some of them take a second.
    """
    order = sorted(range(len(vectors)), key=lambda place: vectors[place].tier != "sizes")
    with in_forks(lambda place: _faults_of(vectors[place]), order) as results:
        yield (
            (place, [Mismatch(vectors[place], reading, observed) for reading, observed in faults])
            for place, faults in results
        )


def _faults_of(vector: Vector) -> list[tuple[str, str]]:
    """Return the reading and the observed result of each mismatch of a vector."""
    return [(each.reading, each.observed) for each in verify_vector(vector)]


def verify(vectors: Iterable[Vector]) -> tuple[Mismatch, ...]:
    """Return the mismatches of the vectors, in their order."""
    return tuple(mismatch for vector in vectors for mismatch in verify_vector(vector))


@frozen(eq=False)
class Question:
    """A vector prepared to be asked many times.

    expected: (reading, canonical text of the output; None if the input must be rejected). Two
        outputs are equal if their canonical texts are, so `1` is not `true`.
    """

    vector: Vector
    expected: tuple[tuple[str, str | None], ...]

    @classmethod
    def of(cls, vector: Vector) -> Question:
        """Return a vector with its expected outputs as canonical texts."""
        texts = [
            (reading, None if "rejected" in expected else canonical_json(expected["output"]))
            for reading, expected in vector.expected.items()
        ]
        return cls(vector, tuple(texts))

    def wrong_answer(self, operation: Operation) -> str | None:
        """Describe the first wrong answer to an input that matches the schema, or return None."""
        value = self.vector.input
        for reading, expected in self.expected:
            result = operation.answer(value, reading)
            if _text(result) != expected:
                return f"{reading}: {_shown(result)}"
            second = operation.answer_second(value, reading)
            if second is not None and _text(second) != expected:
                return f"{reading}: the second evaluation {_shown(second)}"
            if isinstance(second, Rejected) and second != result:
                return f"{reading}: {_disagreement(result, second)}"
        return None


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


def _other_code(expected: JsonObject, result: Result) -> str | None:
    """Return the rejection of a result if its code is not the expected one."""
    code = code_in(expected)
    other = isinstance(result, Rejected) and code not in {"", result.code}
    return f"{_shown(result)}; the code must be {code}" if other else None


def _disagreement(first: Result, second: Result | None) -> str | None:
    """Return the difference of the two evaluations, or None if there is none."""
    if second is None or second == first:
        return None
    return f"the second evaluation {_shown(second)}, the first one {_shown(first)}"


def _text(result: Result) -> str | None:
    return canonical_json(result.value) if isinstance(result, Output) else None


def _shown(result: Result) -> str:
    return (
        f"rejected: {result.reason}" if isinstance(result, Rejected) else f"answered {result.value}"
    )
