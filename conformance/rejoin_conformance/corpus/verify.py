"""Compare the reference with the corpus, in this process, also under a reading or a changed rule.

If the reference has two evaluations of an operation, both answer each of its vectors, and their
results must be equal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction

from attrs import frozen

from rejoin_conformance.contract.explanation import explain_difference
from rejoin_conformance.contract.operation import (
    Asked,
    Labels,
    Operation,
    Output,
    Rejected,
    Result,
    code_in,
)
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.spread import ReportProgress
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.tier import TIERS
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.clauses import implementers
from rejoin_conformance.kit.forks import in_forks
from rejoin_conformance.kit.json_types import JsonObject, canonical_json
from rejoin_conformance.readings.in_force import Side, changed_functions, side_in_force
from rejoin_conformance.readings.reach import Reach, one_case, overridden
from rejoin_conformance.readings.targets import REFERENCE


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
    progress: ReportProgress = lambda _done, _all, _activity: None,
) -> MovedVectors:
    """Run under `side` every vector that has an answer under `base`.

    base: a reading of the corpus, or any other side, which then answers the vectors first.
    progress: called with the number of vectors run so far, and of all.
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
            progress(count, len(asked), "")
    moved.sort(key=lambda each: importance(each.vector))
    functions = changed_functions(base, side, system)
    claims = ((each.name, each.clauses) for each in implementers(REFERENCE))
    own = frozenset(one for name, clauses in claims if name in functions for one in clauses)
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
