"""The report of the searches as data."""

from __future__ import annotations

from collections.abc import Mapping

from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.exhaust.group import Tally
from rejoin_conformance.systems.conflict_detection.exhaust.mismatches import KINDS, MISMATCHES
from rejoin_conformance.systems.conflict_detection.exhaust.searches import Bounds, Search
from rejoin_conformance.systems.conflict_detection.exhaust.traces import (
    replay,
    replayed_text,
    scenario_steps,
)


def report_of(bounds: Bounds, tallies: Mapping[Search, Tally]) -> JsonObject:
    """Return the counts of each search, with the shortest trace for each kind of mismatch.

    `failed` is true if a search in the reading `repaired` has a mismatch.
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
    """Return kind of mismatch -> number of polls, without kinds that never occurred."""
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
                "text": replayed_text(replayed),
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
