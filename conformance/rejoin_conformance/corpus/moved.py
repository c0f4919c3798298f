"""Find the vectors whose result changes under another reading or a changed rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from attrs import frozen

from rejoin_conformance.contract.explanation import Difference, explain_difference
from rejoin_conformance.contract.operation import Output
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.verify import difference
from rejoin_conformance.readings.in_force import Side, side_in_force


@frozen
class MovedVector:
    """A vector whose result changes. observed: the difference from the expected result."""

    vector: Vector
    observed: str


@frozen(kw_only=True)
class MovedVectors:
    """The number of vectors that were run, and the vectors whose result changes."""

    asked: int
    moved: tuple[MovedVector, ...]

    @property
    def clauses(self) -> dict[str, int]:
        """Return clause -> number of changed vectors that decide it, most frequent first."""
        counts: dict[str, int] = {}
        for move in self.moved:
            for clause in move.vector.clauses:
                counts[clause] = counts.get(clause, 0) + 1
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def moves(
    vectors: Iterable[Vector],
    side: Side,
    base: str,
    system: System,
    done: Callable[[int], None] = lambda _count: None,
) -> MovedVectors:
    """Run every vector with an expected result in the reading `base` under `side`.

    done: called with the number of vectors run so far.
    """
    asked = [vector for vector in vectors if base in vector.expected]
    moved: list[MovedVector] = []
    with side_in_force(side, system) as reading:
        for count, vector in enumerate(asked, start=1):
            observed = _observed(system, vector, base, reading)
            moved += [] if observed is None else [MovedVector(vector, observed)]
            done(count)
    return MovedVectors(asked=len(asked), moved=tuple(moved))


def _observed(system: System, vector: Vector, base: str, reading: str) -> str | None:
    """Return the difference from the expected result, or None if there is none."""
    operation = system.operation(vector.operation)
    if operation is None:
        return f"there is no operation {vector.operation}"
    expected = vector.expected[base]
    try:
        result = operation.run(vector.input, reading)
    except Exception as error:  # noqa: BLE001 - a rule can raise anything; report it for this vector
        return f"crashed: {type(error).__name__}: {error}"
    told = difference(expected, result)
    output = expected.get("output")
    if told is None or not isinstance(result, Output) or not isinstance(output, dict):
        return told
    parting = Difference(
        operation=vector.operation,
        reading=reading,
        input=vector.input,
        expected=output,
        observed=result.value,
    )
    return explain_difference(parting, system.explain, system.notation)
