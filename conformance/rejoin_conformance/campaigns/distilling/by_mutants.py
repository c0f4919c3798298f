"""Choose the random vectors that the corpus needs: they kill what no written vector kills.

A vector is random if it comes from a random history or from a behaviour of a model. It is needed
if it kills a mutant of the reference or of a port, or notices a knock-out of one of its clauses,
and no written vector does. A small set of needed vectors is chosen that notices all these changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from attrs import frozen

from rejoin_conformance.campaigns.distilling.cover import Candidate, chosen, shared_out
from rejoin_conformance.campaigns.mutants.corpus import corpus_of
from rejoin_conformance.campaigns.mutants.equivalent import Argued
from rejoin_conformance.campaigns.mutants.kept import Kept
from rejoin_conformance.campaigns.mutants.knocking_out import noticed_only_by
from rejoin_conformance.campaigns.mutants.knockout import Knockouts
from rejoin_conformance.campaigns.mutants.mutant import Mutant
from rejoin_conformance.campaigns.mutants.run import MutantRun, run_mutants
from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.kit.json_types import canonical_json

Rows: TypeAlias = Mapping[str, Sequence[str]]
"""Name of a change -> the IDs of the random vectors that notice it, if no written vector does."""

MUTANT = "mutant"
KNOCKOUT = "knock-out"
"""The first words of the names of changes: `mutant 1a2b3c4d5e6f`, `knock-out CM-RESOLVE-BASE`."""


@frozen(kw_only=True)
class Chosen:
    """The random vectors of a system, in two groups.

    needed: ID of a vector -> the changes that it is kept for. Every change has one vector.
    retired: the IDs of the others.
    """

    needed: Mapping[str, tuple[str, ...]]
    retired: tuple[str, ...]


class LostKillError(Exception):
    """A mutant that the whole corpus kills survives the reduced one: one line that names it."""


def rows_of_mutants(
    system: str,
    mutants: Sequence[Mutant],
    argued: Argued,
    spread: Spread,
    kept: Kept | None = None,
) -> Rows:
    """Return the mutants of the reference that only random vectors kill.

    kept: the results of `rejoin mutants`. If a written vector was the first one to kill a mutant,
    the mutant does not run again.
    """
    random = random_vectors(system)
    every = frozenset(each.vector.id for each in corpus_of(system).questions)
    whole = run_mutants(system, mutants, spread, argued, kept=kept)
    doubtful = _first_killed_by(whole, random)
    without = frozenset(random)
    left = _alive(run_mutants(system, doubtful, spread, without=without)) if doubtful else ()
    if not left:
        return {}
    rows = run_mutants(system, left, spread, matrix=True, without=every - without)
    return {
        f"{MUTANT} {mutant.name}": [rows.vectors[place].id for place in each.killers]
        for mutant, each in zip(rows.mutants, rows.examined, strict=True)
    }


def rows_of_knockouts(system: str, knockouts: Knockouts, spread: Spread) -> Rows:
    """Return the knock-outs that only random vectors of their clause notice."""
    found = noticed_only_by(system, knockouts, random_vectors(system).keys(), spread)
    return {f"{KNOCKOUT} {clause}": vectors for clause, vectors in found.items()}


def choose(vectors: Sequence[Vector], rows: Rows) -> Chosen:
    """Return a small set of random vectors that notice every change in the rows.

    vectors: the random ones, in the order of the corpus. Names in the rows that are not among them
    are ignored. Raises LostKillError if no vector notices a change.
    """
    places = {vector.id: place for place, vector in enumerate(vectors)}
    sizes = {vector.id: len(canonical_json(vector.to_json())) for vector in vectors}
    keys: dict[Candidate, set[str]] = {}
    candidates = {name: Candidate(sizes[name], 0, place) for name, place in places.items()}
    for change, noticing in rows.items():
        known = [candidates[name] for name in noticing if name in candidates]
        if not known:
            raise LostKillError(f"{change}: no vector that the corpus has notices it")
        for candidate in known:
            keys.setdefault(candidate, set()).add(change)
    covered = {candidate: frozenset(changes) for candidate, changes in keys.items()}
    taken = chosen(covered)
    purposes = shared_out(taken, {each: covered[each] for each in taken})
    names = {candidate: name for name, candidate in candidates.items()}
    needed = {names[each]: tuple(sorted(purposes[each])) for each in sorted(taken, key=_place)}
    return Chosen(needed=needed, retired=tuple(name for name in places if name not in needed))


def refuse_lost_kills(
    system: str,
    mutants: Sequence[Mutant],
    retired: Iterable[str],
    spread: Spread,
    kept: Kept | None = None,
) -> int:
    """Run the mutants that a retired vector was the first one to kill against the other vectors.

    Returns their number. Raises LostKillError if one of them survives.
    """
    gone = frozenset(retired)
    whole = run_mutants(system, mutants, spread, kept=kept)
    doubtful = _first_killed_by(whole, gone)
    left = _alive(run_mutants(system, doubtful, spread, without=gone)) if doubtful else ()
    if left:
        raise LostKillError(f"mutant {left[0].name} of {left[0].place} survives without a vector")
    return len(doubtful)


def random_vectors(system: str) -> Mapping[str, Vector]:
    """Return the random vectors of a system by their IDs, in the order of the corpus."""
    vectors = (each.vector for each in corpus_of(system).questions)
    return {each.id: each for each in vectors if each.tier == "random"}


def _place(candidate: Candidate) -> int:
    return candidate.index


def _first_killed_by(run: MutantRun, vectors: Iterable[str]) -> tuple[Mutant, ...]:
    """Return the mutants that one of these vectors was the first one to kill."""
    those = frozenset(vectors)
    return tuple(
        mutant
        for mutant, each in zip(run.mutants, run.examined, strict=True)
        if each.killers and run.vectors[each.killers[0]].id in those
    )


def _alive(run: MutantRun) -> tuple[Mutant, ...]:
    return tuple(
        mutant
        for mutant, each in zip(run.mutants, run.examined, strict=True)
        if each.fate != "killed"
    )
