"""A small campaign and its finished blocks, for the tests of campaign directories."""

from __future__ import annotations

from collections.abc import Mapping

from rejoin_conformance.campaigns.kept.store import Block
from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Plan
from rejoin_conformance.campaigns.tables import BLOCKS, Row
from support.kept_campaigns import at_its_time

PLAN = Plan(
    system="history-merge",
    profile="tiny",
    readings=("document",),
    seed=1,
    histories=4 * BLOCK_SIZE,
)


def block_of(
    number: int, violations: int = 1, *, plan: Plan = PLAN, **more: Mapping[str, int]
) -> Block:
    """Return what a worker finds in one block: some violations of one law. more: other counts."""
    reading = plan.readings[0]
    counts: Mapping[str, Mapping[str, int]] = {
        "checked": {"a-law": 3},
        "vacuous": {"a-law": 1},
        "violated": {"a-law a kind": violations} if violations else {},
        "coverage": {"shape:width:2": number + 1},
        "cases": {"shape:width:2": 1},
        **more,
    }
    found: list[Row] = [
        {"reading": reading, "kind": kind, "name": name, "count": count}
        for kind, those in counts.items()
        for name, count in those.items()
    ]
    broken: list[Row] = [
        {
            "index": number * BLOCK_SIZE + place,
            "reading": reading,
            "law": "a-law",
            "kind": "a kind",
            "detail": f"seen at {place}",
            "evidence": "{}",
            "history": "{}" if place < 3 else None,
        }
        for place in range(violations)
    ]
    first, size = number * BLOCK_SIZE, len(plan.indices(number))
    row = {"first": first, "histories": size, "digest": f"{number:064x}"}
    tables = {
        "counts": found,
        "violations": broken,
        "quarantine": [],
        BLOCKS: [row],
    }
    return number, at_its_time(number, tables)
