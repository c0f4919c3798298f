"""Distilled histories as files: written as data, and made a topic of the corpus.

The file that `rejoin distil` writes has the form of a file of the corpus without vectors. The
vectors are made from it as from any draft: what is expected of them, the reference says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from rejoin_conformance.corpus.from_histories import (
    can_be_asked,
    clauses_by_operation,
    draft_of,
)
from rejoin_conformance.corpus.generate import topic_text
from rejoin_conformance.corpus.load import load_histories
from rejoin_conformance.distilling.distil import Distilled, DistilPlan
from rejoin_conformance.distilling.keys import clauses_in, keys_of
from rejoin_conformance.histories import Call
from rejoin_conformance.json_types import canonical_json
from rejoin_conformance.registry import system_named
from rejoin_conformance.system import System
from rejoin_conformance.vectors import Draft, KeptHistory, Lineage, Topic

TOPIC: Final = "distilled"
CALLS_AN_OPERATION: Final = 2
"""How many calls of one operation a history gives vectors for: its first ones."""

_NOTES: Final = (
    "Few small histories that together reach everything that campaigns of random histories "
    "reached, in as many operations as each comes to. Nobody wrote these vectors: what is expected "
    "is what the reference answers. `histories` says of each history what it is kept for."
)


def kept_histories(
    plan: DistilPlan, distilled: Iterable[Distilled], code: str
) -> tuple[KeptHistory, ...]:
    """Distilled histories with their lineage. code: the version of the suite that found them."""
    return tuple(
        KeptHistory(
            Lineage(
                profile=each.profile,
                seed=plan.seed,
                index=each.index,
                code=code,
                history=f"{each.profile}-{each.index}",
            ),
            each.history,
            _shows(each),
            each.reaches,
        )
        for each in distilled
    )


def distilled_text(system: System, kept: tuple[KeptHistory, ...]) -> str:
    """The file of distilled histories, without vectors."""
    return topic_text(system, Topic(TOPIC, _NOTES, (), kept), ())


def distilled_topic(name: str, path: Path, written: Iterable[Topic]) -> Topic:
    """The topic that a file of distilled histories makes.

    name: of the system. written: the topics that somebody wrote, which say what clauses an
    operation can decide.
    """
    _, kept = load_histories(path)
    system = system_named(name)
    by_operation = clauses_by_operation(written)
    drafts = [draft for each in kept for draft in _drafts(system, by_operation, each)]
    return Topic(TOPIC, _NOTES, tuple(drafts), kept)


def _drafts(
    system: System, by_operation: Mapping[str, frozenset[str]], kept: KeptHistory
) -> Iterator[Draft]:
    """A draft for the first calls of each operation that can decide what the history decides."""
    history = system.histories.from_json(kept.history)
    decided = clauses_in(keys_of(system, history, system.readings))
    counts: dict[str, int] = {}
    seen: set[str] = set()
    for call in system.histories.calls(history, system.default_reading):
        clauses = decided & by_operation.get(call.operation, frozenset())
        text = canonical_json(call.input)
        count = counts.get(call.operation, 0)
        if not clauses or text in seen or count == CALLS_AN_OPERATION:
            continue
        if can_be_asked(system, call):
            seen.add(text)
            counts[call.operation] = count + 1
            yield _draft(kept, call, clauses, count)


def _draft(kept: KeptHistory, call: Call, clauses: frozenset[str], count: int) -> Draft:
    operation = call.operation.partition("/")[2]
    name = f"{kept.name}-{operation}" + (f"-{count + 1}" if count else "")
    summary = f"{operation}, as random history {kept.name} comes to it"
    return draft_of(name, call, summary, clauses, kept.lineage)


def _shows(distilled: Distilled) -> str:
    count = len(distilled.reaches)
    return f"Reaches {distilled.reaches[0]}" + (f", and {count - 1} more" if count > 1 else "")
