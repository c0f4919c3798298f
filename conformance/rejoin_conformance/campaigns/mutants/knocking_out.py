"""Check the knock-outs: under each of them, a vector tagged with its clause fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from attrs import asdict, frozen

from rejoin_conformance.campaigns.mutants.asking import ask
from rejoin_conformance.campaigns.mutants.corpus import Corpus, corpus_of
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
    return [asdict(_noticed(corpus, each)) for each in changes[piece * _PIECE :][:_PIECE]]


def _noticed(corpus: Corpus, change: KnockedOut) -> Noticed:
    tagged = [
        (place, corpus.questions[place], SECONDS)
        for place in corpus.asked
        if change.clause in corpus.questions[place].vector.clauses
    ]
    tagged.sort(key=lambda each: each[1].vector.lineage is not None)  # random ones last
    answers = ask(corpus.system, [change], tagged, most=1, hangs=1)
    return Noticed(
        clause=change.clause,
        vectors=len(tagged),
        asked=answers.asked,
        by="".join(corpus.questions[place].vector.id for place in answers.wrong),
        how=answers.how[:200],
    )
