"""States of the exhaustive search in the form that the plain enumeration uses."""

from __future__ import annotations

from rejoin import conflict_detection as cd
from rejoin_conformance.systems.conflict_detection.exhaust.searches import (
    SEARCHES,
    Bounds,
    Search,
)
from rejoin_conformance.systems.conflict_detection.exhaust.states import NONE, Own, Versions
from rejoin_conformance.systems.conflict_detection.exhaust.traces import Replayed, version_name
from support.conflict_detection_enumeration import State


def search_of(design: str, reading: str, variant: str) -> Search:
    """Return the search with these names."""
    assert reading in cd.READINGS
    (search,) = (
        each
        for each in SEARCHES
        if (each.design, each.reading.name, each.variant) == (design, reading, variant)
    )
    return search


def state_in_words(
    search: Search, bounds: Bounds, versions: Versions, clients: tuple[Own, ...]
) -> State:
    """Return the state with names instead of numbers."""

    def named(bits: int) -> tuple[str, ...]:
        slots = range(bounds.slots)
        return tuple(sorted(version_name(bounds, each) for each in slots if bits >> each & 1))

    def form(version: int) -> object:
        entries = versions.forms[version]
        assert entries is not None
        if search.design == "snapshots":
            return tuple(sorted(version_name(bounds, each) for each in entries))
        numbers = zip(bounds.nicknames, entries, strict=True)
        return tuple(sorted((nickname, number) for nickname, number in numbers if number != NONE))

    made = sorted(
        (version_name(bounds, version), named(versions.follows[version]), form(version))
        for version in range(bounds.slots)
        if versions.forms[version] is not None
    )
    return (
        tuple(made),
        tuple(
            (
                None if own.current == NONE else version_name(bounds, own.current),
                named(own.behind),
                tuple(
                    (bounds.nicknames[other], version_name(bounds, version))
                    for other, version in enumerate(own.held)
                    if version != NONE
                ),
            )
            for own in clients
        ),
    )


def steps_in_words(replayed: Replayed) -> tuple[str, ...]:
    """Return the steps of a trace with the names that the plain enumeration uses."""
    nicknames = replayed.bounds.nicknames
    return tuple(
        " ".join(
            (
                nicknames[each.step.client],
                f"{each.step.kind}s",
                *(nicknames[other] for other in each.step.others),
            )
        )
        for each in replayed.happened
    )
