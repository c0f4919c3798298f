"""Find behaviours that reach a combination of clauses that no history of the corpus has.

A combination is two clauses that one history decides under one reading. The histories of the corpus
are the histories that the system keeps. The behaviours found have the same form, so they can be
replayed and turned into vectors.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any, Final

from rejoin_conformance.campaigns.distilling.cover import Candidate, chosen, shared_out
from rejoin_conformance.contract.model import AnyModel, Behaviour
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import KeptHistory, Lineage, Topic
from rejoin_conformance.corpus.generate import topic_text
from rejoin_conformance.corpus.history_vectors import decided
from rejoin_conformance.kit.json_types import canonical_json
from rejoin_conformance.shrinking.histories import shrink_history

TOPIC: Final = "behaviours"
NOTES: Final = (
    "Shrunk behaviours of the formal model, as histories. Each decides two clauses together "
    "that no distilled history decides together. No person wrote these vectors: the expected "
    "result is the answer of the reference, whose states are those of the model in these "
    "behaviours. `histories` states what each history is kept for."
)


def combinations_of(system: System, history: Any) -> frozenset[str]:
    """Return a history's combinations: `READING CLAUSE CLAUSE`, for each reading of the system."""
    return frozenset(
        f"{reading} {one} {other}"
        for reading in system.readings
        for one, other in combinations(
            sorted(decided(system.histories.examine(history, reading).coverage)), 2
        )
    )


def known_combinations(system: System, kept: Iterable[KeptHistory]) -> frozenset[str]:
    """Return the combinations that the histories of the corpus reach."""
    histories = (system.histories.from_json(each.history) for each in kept)
    return frozenset().union(*(combinations_of(system, history) for history in histories))


def new_to_corpus(
    system: System,
    model: AnyModel,
    behaviours: Iterable[Behaviour],
    known: frozenset[str],
    *,
    profile: str,
    seed: int,
    code: str,
    tries: int,
) -> tuple[KeptHistory, ...]:
    """Return a small set of small histories that reach all new combinations of the behaviours.

    profile, seed: the origin of the behaviours, as lineages record it. code: the version of the
    suite. tries: how many smaller histories to try for each kept history.
    """
    histories: dict[int, Any] = {}
    keys: dict[Candidate, frozenset[str]] = {}
    for index, behaviour in enumerate(behaviours):
        history = model.history_of(behaviour, system.default_reading)
        new = combinations_of(system, history) - known
        if new:
            histories[index] = history
            size = len(canonical_json(system.histories.to_json(history)))
            keys[Candidate(size, 0, index)] = new
    taken = chosen(keys)
    purposes = shared_out(taken, keys)
    return tuple(
        _kept(
            system,
            Lineage(
                profile=profile,
                seed=seed,
                index=each.index,
                code=code,
                history=f"{profile}-{each.index}",
            ),
            histories[each.index],
            purposes[each],
            tries,
        )
        for each in sorted(taken, key=lambda each: each.index)
    )


def behaviours_text(system: System, kept: tuple[KeptHistory, ...]) -> str:
    """Return the text of a file with these histories, without vectors."""
    return topic_text(system, Topic(TOPIC, NOTES, (), kept), ())


def _kept(
    system: System, lineage: Lineage, history: Any, purpose: frozenset[str], tries: int
) -> KeptHistory:
    shrunk = shrink_history(
        system.histories,
        history,
        lambda smaller: purpose <= combinations_of(system, smaller),
        budget=tries,
    )
    first, *more = sorted(purpose)
    shows = f"Reaches {first} together" + (f", and {len(more)} more" if more else "")
    return KeptHistory(
        shows=shows,
        lineage=lineage,
        history=system.histories.to_json(shrunk.history),
        reaches=(first, *more),
    )
