"""Check the knock-outs: under each of them, a vector tagged with its clause fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from attrs import asdict, evolve, frozen

from rejoin_conformance.campaigns.mutants.corpus import Corpus, corpus_of
from rejoin_conformance.campaigns.mutants.examine import (
    loaded_reference,
    observed_answer,
    put_in_force,
)
from rejoin_conformance.campaigns.mutants.exchanging import NotInForceError
from rejoin_conformance.campaigns.mutants.forked import in_a_fork
from rejoin_conformance.campaigns.mutants.knockout import KnockedOut, Knockouts
from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.corpus.clauses import clauses_of
from rejoin_conformance.kit.json_types import Json

SECONDS: Final = 2.0
"""Processor time that one vector may take under a knock-out; one that takes longer notices it."""

_PIECE: Final = 10


@frozen(kw_only=True)
class Noticed:
    """The result of one knock-out.

    vectors: the number of vectors tagged with its clause. asked: how many of them ran. by: the ID
    of the first one that fails; empty if none does. how: its answer, or what else went wrong.
    """

    clause: str
    vectors: int
    asked: int
    by: str
    how: str


def check_knockouts(system: str, knockouts: Knockouts, spread: Spread) -> tuple[Noticed, ...]:
    """Return the result of each knock-out, in the order of the files."""
    work = partial(_noticed_piece, system, knockouts.changes)
    pieces: list[Any] = spread.pieces(work, -(-len(knockouts.changes) // _PIECE), "knock-outs")
    return tuple(Noticed(**each) for piece in pieces for each in piece)


def holes(system: str, knockouts: Knockouts, noticed: Sequence[Noticed]) -> Iterator[str]:
    """Yield one line for each knock-out that nothing notices, and for each clause without one."""
    for each in noticed:
        if not each.by:
            why = f" ({each.how})" if each.how else ""
            yield f"{each.clause}: none of its {each.vectors} vectors notices the knock-out{why}"
    known = {clause.id for clause in clauses_of(system)}
    have = {each.clause for each in knockouts.changes} | {each.clause for each in knockouts.none}
    for name in sorted(have - known):
        yield f"{name}: not a clause of {system}, but it has a knock-out"
    for clause in clauses_of(system):
        if clause.level == "MUST" and clause.id not in have:
            yield f"{clause.id}: a MUST clause without a knock-out, and without a reason"


def _noticed_piece(system: str, changes: Sequence[KnockedOut], piece: int) -> Json:
    corpus = corpus_of(system)
    loaded_reference(system)
    some = changes[piece * _PIECE :][:_PIECE]
    return [asdict(_noticed(system, corpus, each)) for each in some]


def _noticed(system: str, corpus: Corpus, change: KnockedOut) -> Noticed:
    tagged = [
        place for place in corpus.asked if change.clause in corpus.questions[place].vector.clauses
    ]
    tagged.sort(key=lambda place: corpus.questions[place].vector.lineage is not None)
    nothing = Noticed(clause=change.clause, vectors=len(tagged), asked=0, by="", how="")

    def ask() -> Noticed:
        try:
            operations = put_in_force(system, corpus, change)
        except NotInForceError as error:
            return evolve(nothing, how=f"not in force: {error}")
        except Exception as error:  # noqa: BLE001 - then the knock-out says nothing of its clause
            return evolve(nothing, how=f"the import fails: {type(error).__name__}: {error}")
        for asked, place in enumerate(tagged, 1):
            question = corpus.questions[place]
            observed, _ = observed_answer(operations, question, SECONDS)
            if observed is not None:
                by = question.vector.id
                return evolve(nothing, asked=asked, by=by, how=observed[:200])
        return evolve(nothing, asked=len(tagged))

    return in_a_fork(ask, evolve(nothing, how="the process died"))
