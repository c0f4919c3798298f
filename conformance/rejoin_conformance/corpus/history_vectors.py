"""Make drafts of what nobody wrote: the operations that a random history comes to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from rejoin_conformance.contract.history import Call
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import Draft, Lineage, Topic

CLAUSE: Final = "clause:"
"""What the coverage keys of decided clauses begin with."""


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
