"""Vectors that nobody wrote: drafts of the operations in the histories that a system keeps.

The histories are data of the system (`System.kept`), in the form of files of the corpus without
vectors: `rejoin distil` writes one of them, `rejoin model behaviours --new-to-corpus` another. The
expected answers are those of the reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from attrs import evolve

from rejoin_conformance.contract.history import Call
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import OF_MODEL, Draft, KeptHistory, Lineage, Topic
from rejoin_conformance.corpus.load import load_topic_of_histories
from rejoin_conformance.kit.json_types import canonical_json

CLAUSE: Final = "clause:"
"""What the coverage keys of decided clauses begin with."""

CALLS_AN_OPERATION: Final = 2
"""How many calls of one operation a history gives vectors for: its first ones."""


def clauses_by_operation(topics: Iterable[Topic]) -> Mapping[str, frozenset[str]]:
    """Operation -> the clauses that written vectors of this operation decide."""
    found: dict[str, set[str]] = {}
    for topic in topics:
        for draft in topic.drafts:
            if draft.lineage is None:
                found.setdefault(draft.operation, set()).update(draft.clauses)
    return {operation: frozenset(clauses) for operation, clauses in found.items()}


def decided(coverage: Iterable[str]) -> frozenset[str]:
    """The clauses that a history decided, by its coverage keys."""
    return frozenset(key.removeprefix(CLAUSE) for key in coverage if key.startswith(CLAUSE))


def draft_of(
    name: str, call: Call, summary: str, clauses: Iterable[str], lineage: Lineage
) -> Draft:
    """A call as a draft that states nothing."""
    return Draft(
        name=name,
        operation=call.operation,
        summary=summary,
        clauses=tuple(sorted(clauses)),
        input=call.input,
        lineage=lineage,
    )


def can_be_asked(system: System, call: Call) -> bool:
    """Whether a call fits its operation's schema, and every reading has an answer to it."""
    operation: Operation | None = system.operation(call.operation)
    if operation is None or operation.input_fault(call.input) is not None:
        return False
    try:
        for reading in system.readings:
            operation.run(call.input, reading)
    except Exception:  # noqa: BLE001 - the reference fails at it: a finding, but no vector
        return False
    return True


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
