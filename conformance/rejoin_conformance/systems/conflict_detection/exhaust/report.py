"""The report of the searches, as data and as text for a person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.exhaust.group import Tally
from rejoin_conformance.systems.conflict_detection.exhaust.mismatches import KINDS, MISMATCHES
from rejoin_conformance.systems.conflict_detection.exhaust.searches import Bounds, Search
from rejoin_conformance.systems.conflict_detection.exhaust.traces import (
    replay,
    scenario_steps,
    tell,
)


def report_of(bounds: Bounds, tallies: Mapping[Search, Tally]) -> JsonObject:
    """What was counted in each search, and the shortest trace for each kind of mismatch.

    `failed` says whether a design in the reading `repaired` was seen to mismatch.
    """
    searches: list[Json] = [_search(bounds, search, tally) for search, tally in tallies.items()]
    failed = any(
        search.reading.name == "repaired" and sum(mismatches(tally).values())
        for search, tally in tallies.items()
    )
    return {
        "clients": bounds.clients,
        "uploads": bounds.uploads,
        "searches": searches,
        "failed": failed,
    }


def mismatches(tally: Tally) -> dict[str, int]:
    """Kind of mismatch -> how many polls; kinds that never occurred are left out."""
    return {str(KINDS[place]): tally.polls[place] for place in MISMATCHES if tally.polls[place]}


def _search(bounds: Bounds, search: Search, tally: Tally) -> JsonObject:
    kinds: dict[str, Json] = {}
    for place in MISMATCHES:
        if tally.polls[place]:
            replayed = replay(search, bounds, tally.traces[place])
            steps: list[Json] = [*scenario_steps(replayed)]
            kinds[str(KINDS[place])] = {
                "polls": tally.polls[place],
                "trace": steps,
                "told": tell(replayed),
            }
    return {
        "design": search.design,
        "reading": search.reading.name,
        "variant": search.variant,
        "states": tally.states,
        "uploads": tally.uploads,
        "polls": sum(tally.polls),
        "mismatches": kinds,
    }


def render(report: JsonObject) -> str:
    """A table with a line for each search, then the traces; equal traces are told once."""
    searches: Any = report["searches"]
    kinds = list(dict.fromkeys(kind for each in searches for kind in each["mismatches"]))
    head = ["design", "reading", "variant", "states", "uploads", "polls", "mismatches", *kinds]
    rows = [head]
    for each in searches:
        counts = [each["mismatches"].get(kind, {}).get("polls", 0) for kind in kinds]
        numbers = [each["states"], each["uploads"], each["polls"], sum(counts), *counts]
        names = [each["design"], each["reading"], each["variant"]]
        rows.append([*names, *(f"{number:,}" for number in numbers)])
    lines = [
        f"Every interleaving of {report['clients']} clients and up to {report['uploads']} uploads",
        "",
        *_table(rows),
    ]
    told: dict[tuple[str, str], list[str]] = {}
    for each in searches:
        for kind, found in each["mismatches"].items():
            title = f"{each['design']}, {each['reading']}, {each['variant']}"
            told.setdefault((kind, found["told"]), []).append(title)
    for (kind, text), titles in told.items():
        lines += ["", f"{kind}: the shortest trace in " + "; ".join(titles)]
        lines += [f"    {line}".rstrip() for line in text.splitlines()]
    return "\n".join(lines)


def _table(rows: list[list[str]]) -> list[str]:
    """Columns of equal width: three of words, then numbers."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if column < 3 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
