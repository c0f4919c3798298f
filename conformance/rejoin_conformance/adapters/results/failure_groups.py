"""The failures of a run in the order in which to read them; equal ones are one group."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from rejoin_conformance.adapters.results.records import Record
from rejoin_conformance.adapters.results.suspicion import Suspect
from rejoin_conformance.contract.vector import TIERS, tier_of


@frozen
class FailureGroup:
    """Failures of one operation with the same explanation. first: the one to read."""

    first: Record
    others: tuple[Record, ...]


def in_reading_order(
    failures: Iterable[Record], suspected: Sequence[Suspect]
) -> tuple[Record, ...]:
    """Return the failures, the most telling ones first.

    Tier `core` comes first, then vectors of few clauses, then those of suspected clauses.
    """
    ranks = {each.clause: rank for rank, each in enumerate(suspected)}
    return tuple(sorted(failures, key=lambda each: _place(each, ranks)))


def first_to_read(failures: Iterable[Record], suspected: Sequence[Suspect]) -> Record | None:
    """Return the failure to begin with: the most telling one of the most suspected clause.

    failures: in reading order.
    """
    clause = suspected[0].clause if suspected else None
    return next((each for each in failures if clause in each.clauses), None)


def grouped(failures: Iterable[Record]) -> tuple[FailureGroup, ...]:
    """Return the failures in groups, in the order of the first failure of each."""
    groups: dict[tuple[str, ...], list[Record]] = {}
    for each in failures:
        kind = (each.operation, each.verdict, each.fault, each.explanation)
        groups.setdefault(kind, []).append(each)
    return tuple(FailureGroup(first, tuple(others)) for first, *others in groups.values())


def _place(each: Record, ranks: Mapping[str, int]) -> tuple[int, int, int, str, str]:
    rank = min((ranks.get(clause, len(ranks)) for clause in each.clauses), default=len(ranks))
    return TIERS.index(tier_of(each.id)), len(each.clauses), rank, *each.key
