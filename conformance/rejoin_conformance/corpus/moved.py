"""Which vectors move under another reading or a changed rule: what their author has to look at."""

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
    """A vector whose result is another one. observed: how it departs from the corpus."""

    vector: Vector
    observed: str


@frozen(kw_only=True)
class MovedVectors:
    """What came of asking: the vectors that were asked, and those that moved."""

    asked: int
    moved: tuple[MovedVector, ...]

    @property
    def clauses(self) -> dict[str, int]:
        """Clause -> how many of the moved vectors decide it, the most frequent first."""
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
    """Ask every vector that the reading `base` has an expectation for again, under `side`.

    done: told how many vectors were asked so far.
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
    """How the result departs from what the corpus expects; None where it does not."""
    operation = system.operation(vector.operation)
    if operation is None:
        return f"there is no operation {vector.operation}"
    expected = vector.expected[base]
    try:
        result = operation.run(vector.input, reading)
    except Exception as error:  # noqa: BLE001 - a rule may do anything; it is one vector's answer
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
