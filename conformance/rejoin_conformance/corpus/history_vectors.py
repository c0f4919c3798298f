"""Vectors made from kept histories: drafts of the operations in each history.

The histories are data of the system (`System.kept`). Their files have the form of corpus files
without vectors. `rejoin distil` and `rejoin model behaviours --new-to-corpus` write them. The
expected answers come from the reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from attrs import evolve

from rejoin_conformance.contract.history import Call
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import OF_MODEL, Draft, KeptHistory, Lineage, Topic
from rejoin_conformance.corpus.load import load_topic_of_histories, retired_ids
from rejoin_conformance.kit.json_types import canonical_json

CLAUSE: Final = "clause:"
"""The prefix of the coverage keys of decided clauses."""

CALLS_AN_OPERATION: Final = 2
"""The number of calls of one operation in a history that become vectors: its first calls."""


def clauses_by_operation(topics: Iterable[Topic]) -> Mapping[str, frozenset[str]]:
    """Return the clauses that written vectors decide: operation -> clauses."""
    found: dict[str, set[str]] = {}
    for topic in topics:
        for draft in topic.drafts:
            if draft.lineage is None:
                found.setdefault(draft.operation, set()).update(draft.clauses)
    return {operation: frozenset(clauses) for operation, clauses in found.items()}


def decided(coverage: Iterable[str]) -> frozenset[str]:
    """Return the clauses in a history's coverage keys."""
    return frozenset(key.removeprefix(CLAUSE) for key in coverage if key.startswith(CLAUSE))


def draft_of(
    name: str, call: Call, summary: str, clauses: Iterable[str], lineage: Lineage
) -> Draft:
    """Return a call as a draft that states no answer."""
    return Draft(
        name=name,
        operation=call.operation,
        summary=summary,
        clauses=tuple(sorted(clauses)),
        input=call.input,
        lineage=lineage,
    )


def can_be_asked(system: System, call: Call) -> bool:
    """Return whether a call matches its operation's schema, and no reading raises an exception."""
    operation: Operation | None = system.operation(call.operation)
    if operation is None or operation.input_fault(call.input) is not None:
        return False
    try:
        for reading in system.readings:
            operation.run(call.input, reading)
    except Exception:  # noqa: BLE001 - the reference fails: a finding, not a vector
        return False
    return True


def kept_topics(system: System, written: Iterable[Topic]) -> tuple[Topic, ...]:
    """Return a topic for each file of a system that has histories, without retired vectors.

    written: the written topics, which determine the clauses that an operation can decide.
    """
    by_operation = clauses_by_operation(written)
    topics = map(load_topic_of_histories, system.kept)
    return tuple(_with_drafts(system, by_operation, each) for each in topics if each.histories)


def _with_drafts(system: System, by_operation: Mapping[str, frozenset[str]], topic: Topic) -> Topic:
    drafts = [draft for each in topic.histories for draft in _drafts(system, by_operation, each)]
    retired = retired_ids()
    left = [each for each in drafts if f"{system.name}/{topic.name}/{each.name}" not in retired]
    return evolve(topic, drafts=tuple(left))


def _drafts(
    system: System, by_operation: Mapping[str, frozenset[str]], kept: KeptHistory
) -> Iterator[Draft]:
    """Yield a draft for the first calls of each operation that can decide the history's clauses.

    A draft that the file has no clauses for is tagged with those that the whole history covers.
    """
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


def _draft(kept: KeptHistory, call: Call, covered: frozenset[str], number: int) -> Draft:
    operation = call.operation.partition("/")[2]
    name = f"{kept.name}-{operation}" + (f"-{number}" if number > 1 else "")
    of_model = kept.lineage.profile.startswith(OF_MODEL)
    origin = "behaviour of the formal model" if of_model else "random history"
    summary = f"{operation} call taken from the shrunk {origin} {kept.name}."
    return draft_of(name, call, summary, kept.decides.get(name, covered), kept.lineage)
