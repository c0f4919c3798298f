"""The topics that a system's kept histories make: the corpus' vectors that nobody wrote.

The histories are data of the system (`System.kept`), in the form of files of the corpus without
vectors: `rejoin distil` writes one of them, `rejoin model behaviours --new-to-corpus` another. What
is expected of the vectors, the reference says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from attrs import evolve

from rejoin_conformance.contract.history import Call
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import OF_MODEL, Draft, KeptHistory, Topic
from rejoin_conformance.corpus.history_vectors import (
    can_be_asked,
    clauses_by_operation,
    decided,
    draft_of,
)
from rejoin_conformance.corpus.load import load_topic_of_histories
from rejoin_conformance.kit.json_types import canonical_json

CALLS_AN_OPERATION: Final = 2
"""How many calls of one operation a history gives vectors for: its first ones."""


def kept_topics(system: System, written: Iterable[Topic]) -> tuple[Topic, ...]:
    """A topic for each file of histories that a system keeps.

    written: the topics that somebody wrote: they say which clauses an operation can decide.
    """
    by_operation = clauses_by_operation(written)
    return tuple(
        _with_drafts(system, by_operation, load_topic_of_histories(path)) for path in system.kept
    )


def _with_drafts(system: System, by_operation: Mapping[str, frozenset[str]], topic: Topic) -> Topic:
    drafts = [draft for each in topic.histories for draft in _drafts(system, by_operation, each)]
    return evolve(topic, drafts=tuple(drafts))


def _drafts(
    system: System, by_operation: Mapping[str, frozenset[str]], kept: KeptHistory
) -> Iterator[Draft]:
    """A draft for the first calls of each operation that can decide what the history decides."""
    history = system.histories.from_json(kept.history)
    clauses = frozenset[str]().union(
        *(
            decided(system.histories.examine(history, reading).coverage)
            for reading in system.readings
        )
    )
    counts: dict[str, int] = {}
    seen: set[str] = set()
    for call in system.histories.calls(history, system.default_reading):
        common = clauses & by_operation.get(call.operation, frozenset())
        text = canonical_json(call.input)
        count = counts.get(call.operation, 0)
        if not common or text in seen or count == CALLS_AN_OPERATION:
            continue
        if can_be_asked(system, call):
            seen.add(text)
            counts[call.operation] = count + 1
            yield _draft(kept, call, common, count + 1)


def _draft(kept: KeptHistory, call: Call, clauses: frozenset[str], number: int) -> Draft:
    operation = call.operation.partition("/")[2]
    name = f"{kept.name}-{operation}" + (f"-{number}" if number > 1 else "")
    of_model = kept.lineage.profile.startswith(OF_MODEL)
    origin = "behaviour of the formal model" if of_model else "random history"
    summary = f"{operation} call taken from the shrunk {origin} {kept.name}."
    return draft_of(name, call, summary, clauses, kept.lineage)
