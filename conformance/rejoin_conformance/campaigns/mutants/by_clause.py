"""The mutants of a run by clause: those of its functions, and those that its own vectors kill."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache

from attrs import frozen

from rejoin_conformance.campaigns.mutants.mutant import mutated_modules
from rejoin_conformance.campaigns.mutants.run import MutantRun
from rejoin_conformance.campaigns.mutants.source import REFERENCE
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.clauses import Clause, clauses_of
from rejoin_conformance.corpus.links import implementers


@frozen(kw_only=True)
class ClauseStrength:
    """The counts of the mutants of one clause.

    mutants: the number of mutants of the functions that claim the clause. killed: those that a
    vector kills. by_own: those that a vector tagged with the clause kills. vectors: the number of
    vectors tagged with it.
    """

    clause: Clause
    mutants: int
    killed: int
    by_own: int
    vectors: int


def by_clause(run: MutantRun) -> tuple[ClauseStrength, ...]:
    """Return a row for each clause of the system, in the order of the spec.

    If the mutants are those of some modules, the clauses are those that these modules claim.
    Without the matrix only the first vector that kills a mutant is known, so `by_own` is at least
    the number in the row.
    """
    tagged = Counter(clause for vector in run.vectors for clause in set(vector.clauses))
    clauses = {vector.id: vector.clauses for vector in run.vectors}
    mutants: Counter[str] = Counter()
    killed: Counter[str] = Counter()
    by_own: Counter[str] = Counter()
    for mutant, examined, _ in run.each():
        own = {clause for name in examined.killers for clause in clauses[name]}
        for clause in claimed_by(mutant.place):
            mutants[clause] += 1
            killed[clause] += bool(examined.killers)
            by_own[clause] += clause in own
    chosen = _clauses_of_modules(run)
    return tuple(
        ClauseStrength(
            clause=clause,
            mutants=mutants[clause.id],
            killed=killed[clause.id],
            by_own=by_own[clause.id],
            vectors=tagged[clause.id],
        )
        for clause in clauses_of(run.system)
        if chosen is None or clause.id in chosen
    )


def never_needed(run: MutantRun) -> tuple[Vector, ...]:
    """Return the vectors without which every mutant that is killed stays killed, one at a time.

    Only the matrix shows them; without it the result is empty.
    """
    if not run.matrix:
        return ()
    needed = {each.killers[0] for each in run.examined if len(each.killers) == 1}
    return tuple(each for each in run.vectors if each.id not in needed)


def claimed_by(place: str) -> frozenset[str]:
    """Return the clauses that a function, its class or its module claims. place: a dotted name."""
    claims, parts = _claims(), place.split(".")
    return frozenset(
        clause
        for count in range(1, len(parts) + 1)
        for clause in claims.get(".".join(parts[:count]), ())
    )


@cache
def _claims() -> Mapping[str, tuple[str, ...]]:
    return {each.name: each.clauses for each in implementers(REFERENCE)}


def _clauses_of_modules(run: MutantRun) -> frozenset[str] | None:
    """Return the clauses that the modules of the mutants claim; None if these are all modules."""
    modules = {each.module for each in run.mutants}
    if modules >= {*mutated_modules(run.system)}:
        return None
    return frozenset(
        clause
        for name, clauses in _claims().items()
        if any(f"{name}.".startswith(f"{module}.") for module in modules)
        for clause in clauses
    )
