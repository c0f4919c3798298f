"""One search in this process, for small bounds. Tests compare `rounds` with it."""

from __future__ import annotations

from rejoin_conformance.systems.conflict_detection.exhaust.group import (
    Entry,
    Tally,
    search_group,
)
from rejoin_conformance.systems.conflict_detection.exhaust.searches import Bounds, Search
from rejoin_conformance.systems.conflict_detection.exhaust.states import initial_state


def search_alone(search: Search, bounds: Bounds) -> Tally:
    """Return the counts of a search and the traces that it keeps."""
    tally = Tally()
    versions, clients = initial_state(bounds.clients, bounds.slots)
    entries = [Entry(versions, clients, b"")]
    while entries:
        groups: dict[bytes, list[tuple[bytes, bytes]]] = {}
        for entry in entries:
            groups.setdefault(entry.versions, []).append((entry.clients, entry.trace))
        entries = []
        for group, entering in groups.items():
            counted, left = search_group(search, bounds, group, entering)
            tally.add(counted)
            entries += left
    return tally
