"""Find the vectors whose result changes under another reading or a changed rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from fractions import Fraction

from attrs import frozen

from rejoin_conformance.contract.asked import Asked, Labels
from rejoin_conformance.contract.explanation import explain_difference
from rejoin_conformance.contract.operation import Output
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.tier import TIERS
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.links import clauses_listed
from rejoin_conformance.corpus.verify import difference
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.readings.in_force import Side, changed_functions, side_in_force
from rejoin_conformance.readings.overriding import overridden
from rejoin_conformance.readings.reach import Reach, one_case
from rejoin_conformance.readings.readers import docstring_of


@frozen
class MovedVector:
    """A vector whose result changes. observed: the difference from the expected result."""

    vector: Vector
    observed: str


@frozen
class MovedClause:
    """A clause, with the number of its vectors that were run and of those that changed.

    is_changed: whether the changed code implements the clause.
    """

    clause: str
    moved: int
    asked: int
    is_changed: bool

    @property
    def rank(self) -> tuple[bool, Fraction, int, str]:
        """Return a sort key: clauses of the changed code first, then by the share that changed.

        The share of a clause of few vectors is lowered: 1 of 1 ranks below 9 of 10.
        """
        share = Fraction(self.moved, self.asked + 1)
        return not self.is_changed, -share, -self.moved, self.clause


@frozen(kw_only=True)
class MovedVectors:
    """The result of running vectors under another rule.

    asked: the vectors that were run. moved: those whose result changes, the tier `core` first,
    and in a tier those of few clauses. reached: the calls of each overridden function. own: the
    clauses that the changed code implements.
    """

    asked: tuple[Vector, ...]
    moved: tuple[MovedVector, ...]
    reached: Mapping[str, Reach]
    own: frozenset[str]

    @property
    def clauses(self) -> tuple[MovedClause, ...]:
        """Return the clauses of the changed code and of the changed vectors, ordered by their rank.

        A clause of the changed code is listed if a vector of it was run, even if none changed.
        """
        asked = Counter(clause for vector in self.asked for clause in vector.clauses)
        moved = Counter(clause for each in self.moved for clause in each.vector.clauses)
        found = (
            MovedClause(clause, moved[clause], asked[clause], clause in self.own)
            for clause in moved.keys() | (self.own & asked.keys())
        )
        return tuple(sorted(found, key=lambda each: each.rank))


def moves(
    vectors: Iterable[Vector],
    side: Side,
    base: Side,
    system: System,
    done: Callable[[int], None] = lambda _count: None,
) -> MovedVectors:
    """Run under `side` every vector that has an answer under `base`.

    base: a reading of the corpus, or any other side, which then answers the vectors first. done:
    called with the number of vectors run so far.
    """
    before = _answers(vectors, base, system)
    asked = tuple(vector for vector in vectors if vector.id in before)
    labels = base.name, side.name
    moved: list[MovedVector] = []
    with side_in_force(side, system) as (reading, changed):
        reached = {name: Reach() for name in overridden()}
        for count, vector in enumerate(asked, start=1):
            with one_case(reached):
                observed = _observed(changed, vector, before[vector.id], reading, labels)
            moved += [] if observed is None else [MovedVector(vector, observed)]
            done(count)
    moved.sort(key=lambda each: importance(each.vector))
    functions = changed_functions(base, side, system)
    own = frozenset(clause for each in functions for clause in clauses_listed(docstring_of(each)))
    return MovedVectors(asked=asked, moved=tuple(moved), reached=reached, own=own)


def _answers(vectors: Iterable[Vector], side: Side, system: System) -> dict[str, JsonObject]:
    """Return the expected results of a side: those of the corpus, or else its own answers."""
    if side.name in system.readings:
        return {v.id: v.expected[side.name] for v in vectors if side.name in v.expected}
    found: dict[str, JsonObject] = {}
    with side_in_force(side, system) as (reading, changed):
        for vector in vectors:
            operation = changed.operation(vector.operation)
            if operation is not None and system.default_reading in vector.expected:
                with suppress(Exception):  # a vector that crashes this side says nothing
                    found[vector.id] = operation.run(vector.input, reading).to_json()
    return found


def importance(vector: Vector) -> tuple[int, int, str]:
    """Return a sort key: the tier `core` comes first, and in a tier the vectors of few clauses."""
    return TIERS.index(vector.tier), len(vector.clauses), vector.id


def _observed(
    system: System, vector: Vector, expected: JsonObject, reading: str, labels: Labels
) -> str | None:
    """Return the difference from the expected result, or None if there is none."""
    operation = system.operation(vector.operation)
    if operation is None:
        return f"there is no operation {vector.operation}"
    try:
        result = operation.run(vector.input, reading)
    except Exception as error:  # noqa: BLE001 - a rule can raise anything; report it for this vector
        return f"crashed: {type(error).__name__}: {error}"
    found = difference(expected, result)
    if found is None or not isinstance(result, Output) or "output" not in expected:
        return found
    asked = Asked(
        operation=vector.operation,
        reading=reading,
        input=vector.input,
        expected=expected,
        observed=result.to_json(),
        labels=labels,
    )
    return explain_difference(asked, system.explain, system.notation)
