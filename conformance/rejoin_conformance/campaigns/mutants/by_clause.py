"""The mutants of a run by clause: those of its functions, and those that its own vectors kill."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cache

from rejoin_conformance.campaigns.mutants.mutant import mutated_modules
from rejoin_conformance.campaigns.mutants.run import MutantRun
from rejoin_conformance.campaigns.mutants.source import REFERENCE
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.clauses import Clause, clauses_of, implementers


def by_clause(run: MutantRun) -> tuple[tuple[Clause, Counter[str]], ...]:
    """Return the counts of the mutants of each clause of the system, in the order of the spec.

    `mutants`: those of the functions that claim the clause. `killed`: those that a vector kills.
    `own`: those that a vector tagged with the clause kills. Without the matrix there can be more of
    them, because only the first vector that kills a mutant is known. `vectors`: the vectors tagged
    with the clause. If only some modules have mutants, only clauses that they claim are returned.
    """
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    clauses = {vector.id: {*vector.clauses} for vector in run.vectors}
    for tagged in clauses.values():
        for clause in tagged:
            counts[clause]["vectors"] += 1
    for mutant, examined, _ in run.each():
        own = {clause for name in examined.killers for clause in clauses[name]}
        for clause in claimed_by(mutant.place):
            counts[clause]["mutants"] += 1
            counts[clause]["killed"] += bool(examined.killers)
            counts[clause]["own"] += clause in own
    chosen = _clauses_of_modules(run)
    return tuple(
        (clause, counts[clause.id])
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
