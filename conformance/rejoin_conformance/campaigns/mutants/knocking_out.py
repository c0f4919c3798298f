"""Check the knock-outs: under each of them, a vector tagged with its clause fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from attrs import asdict, frozen

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


@frozen
class _Answers:
    """asked: the number of vectors that ran. places: those that noticed it. how: see `Noticed`."""

    asked: int = 0
    places: tuple[int, ...] = ()
    how: str = ""


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
    tagged = _tagged(corpus, change)
    answers = _ask(system, corpus, change, tagged, most=1)
    by = [corpus.questions[place].vector.id for place in answers.places]
    return Noticed(
        clause=change.clause,
        vectors=len(tagged),
        asked=answers.asked,
        by=by[0] if by else "",
        how=answers.how,
    )


def _tagged(corpus: Corpus, change: KnockedOut) -> list[int]:
    """Return the places of the vectors tagged with the clause, random ones last."""
    tagged = [
        place for place in corpus.asked if change.clause in corpus.questions[place].vector.clauses
    ]
    return sorted(tagged, key=lambda place: corpus.questions[place].vector.lineage is not None)


def _ask(
    system: str, corpus: Corpus, change: KnockedOut, places: Sequence[int], *, most: int
) -> _Answers:
    """Ask vectors under a knock-out until so many of them have noticed it."""

    def ask() -> _Answers:
        try:
            operations = put_in_force(system, corpus, change)
        except NotInForceError as error:
            return _Answers(how=f"not in force: {error}")
        except Exception as error:  # noqa: BLE001 - then the knock-out says nothing of its clause
            return _Answers(how=f"the import fails: {type(error).__name__}: {error}")
        found: list[int] = []
        how = ""
        for asked, place in enumerate(places, 1):
            observed, _ = observed_answer(operations, corpus.questions[place], SECONDS)
            if observed is not None:
                found.append(place)
                how = how or observed[:200]
                if len(found) == most:
                    return _Answers(asked, tuple(found), how)
        return _Answers(len(places), tuple(found), how)

    return in_a_fork(ask, _Answers(how="the process died"))
