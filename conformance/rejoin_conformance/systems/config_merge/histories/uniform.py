"""Draw events one by one, all kinds equally likely, as a baseline for the profiles.

No event depends on earlier events, and nothing makes a race or a late merge more likely.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rejoin_conformance.kit.draw import Draw
from rejoin_conformance.systems.config_merge.histories import events as ev
from rejoin_conformance.systems.config_merge.histories.drawn_history import (
    DICT_PATHS,
    ELEMENTS,
    EXTREMES,
    SCALAR_PATHS,
    SET_PATHS,
)
from rejoin_conformance.systems.config_merge.histories.injections import KINDS

FEWEST: Final = 45
MOST: Final = 55
"""The range of the number of events. A default history has as many events on average."""

_PATHS: Final[tuple[ev.Path, ...]] = (*SCALAR_PATHS, *SET_PATHS, *DICT_PATHS)


def uniform_events(draw: Draw, clients: int) -> tuple[ev.Event, ...]:
    """Return the events of a history."""
    return tuple(draw.pick(_EVENTS)(draw, clients) for _ in range(draw.between(FEWEST, MOST)))


def _edit(draw: Draw, clients: int) -> ev.Event:
    changes = tuple(draw.pick(_CHANGES)(draw) for _ in range(draw.between(1, 3)))
    return ev.Edit(draw.below(clients), changes)


def _push(draw: Draw, clients: int) -> ev.Event:
    return ev.Push(draw.below(clients), delete=draw.chance(1, 2), delayed=draw.chance(1, 2))


def _fetch(draw: Draw, clients: int) -> ev.Event:
    client = draw.below(clients)
    return ev.Fetch(client, draw.below(1 << 16) if draw.chance(1, 2) else 0)


def _resolve(draw: Draw, clients: int) -> ev.Event:
    return ev.Resolve(draw.below(clients))


def _inject(draw: Draw, _clients: int) -> ev.Event:
    return ev.Inject(draw.pick(tuple(KINDS)), draw.below(64), draw.below(1 << 16))


def _partition(draw: Draw, clients: int) -> ev.Event:
    return ev.Partition(draw.between(1, (1 << clients) - 2))


def _heal(_draw: Draw, _clients: int) -> ev.Event:
    return ev.Heal()


def _deliver(_draw: Draw, _clients: int) -> ev.Event:
    return ev.Deliver()


def _assign(draw: Draw) -> ev.Change:
    return ev.Assign(draw.pick(_PATHS), draw.pick((*ELEMENTS, *EXTREMES)))


def _remove(draw: Draw) -> ev.Change:
    return ev.Remove(draw.pick(_PATHS))


def _add(draw: Draw) -> ev.Change:
    return ev.Add(draw.pick(_PATHS), draw.pick(ELEMENTS))


def _discard(draw: Draw) -> ev.Change:
    return ev.Discard(draw.pick(_PATHS), draw.pick(ELEMENTS))


_EVENTS: Final[tuple[Callable[[Draw, int], ev.Event], ...]] = (
    _edit,
    _push,
    _fetch,
    _resolve,
    _inject,
    _partition,
    _heal,
    _deliver,
)
"""Every kind of event."""

_CHANGES: Final[tuple[Callable[[Draw], ev.Change], ...]] = (_assign, _remove, _add, _discard)
"""Every kind of change."""
