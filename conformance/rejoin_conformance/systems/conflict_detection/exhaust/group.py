"""Search all states with the same versions, from the states right after the last upload.

Within such a group, polls lead from state to state. Uploads lead out of the group. So a group can
be searched alone, breadth first, if the states that enter it and their traces are known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from attrs import define, field, frozen

from rejoin_conformance.systems.conflict_detection.exhaust.mismatches import MISMATCHES, PAIRS
from rejoin_conformance.systems.conflict_detection.exhaust.moves import Moves
from rejoin_conformance.systems.conflict_detection.exhaust.searches import Bounds, Search
from rejoin_conformance.systems.conflict_detection.exhaust.states import (
    NONE,
    Own,
    pack_own,
    pack_versions,
    unpack_clients,
    unpack_versions,
)
from rejoin_conformance.systems.conflict_detection.exhaust.steps import (
    edit_code,
    poll_code,
    resolve_code,
)


class Entry(NamedTuple):
    """A state right after an upload, with the first of the shortest traces to it.

    versions, clients: the two parts of the state, packed.
    """

    versions: bytes
    clients: bytes
    trace: bytes


@define
class Tally:
    """The counts of some groups of one search.

    polls: place of a pair of classifications -> the number of polls with this pair.
    traces: place of a mismatch -> the first of the shortest traces that end with it.
    """

    states: int = 0
    uploads: int = 0
    polls: list[int] = field(factory=lambda: [0] * len(PAIRS))
    traces: dict[int, bytes] = field(factory=dict)

    def add(self, other: Tally) -> None:
        """Add another tally's counts to this one's."""
        self.states += other.states
        self.uploads += other.uploads
        self.polls = [ours + theirs for ours, theirs in zip(self.polls, other.polls, strict=True)]
        for place, trace in other.traces.items():
            self.keep(place, trace)

    def keep(self, place: int, trace: bytes) -> None:
        """Keep a trace if it ranks before the current one."""
        kept = self.traces.get(place)
        if kept is None or _rank(trace) < _rank(kept):
            self.traces[place] = trace


def _rank(trace: bytes) -> tuple[int, bytes]:
    return len(trace), trace


@frozen
class _Leaving:
    """An upload by one client, which does not depend on the others: the step and its result."""

    code: int
    versions: bytes
    own: bytes


class _Clients:
    """The states of single clients in this group, numbered in the order of their first occurrence.

    A state of the group is then a tuple of small integers, and the result of a step is a look-up.
    """

    def __init__(self, moves: Moves, bounds: Bounds) -> None:
        self._moves = moves
        self._bounds = bounds
        self._numbers: dict[tuple[int, Own], int] = {}
        self._owns: list[Own] = []
        self._polls: dict[tuple[int, int, int], tuple[int, int]] = {}
        self._leaving: dict[int, tuple[_Leaving, ...]] = {}
        self.linked: list[int] = []
        self.packed: list[bytes] = []

    def number(self, client: int, own: Own) -> int:
        """Return the number of a client's state. Equal states of two clients differ in number."""
        number = self._numbers.get((client, own))
        if number is None:
            number = self._numbers[client, own] = len(self._owns)
            self._owns.append(own)
            self.linked.append(self._moves.linked(client, own))
            self.packed.append(pack_own(own))
        return number

    def poll(self, client: int, number: int, other: int, theirs: int) -> tuple[int, int]:
        """Return the place of the pair of classifications, and the client's state afterwards."""
        known = self._polls.get((number, other, theirs))
        if known is None:
            place, own = self._moves.poll(client, self._owns[number], other, theirs)
            known = self._polls[number, other, theirs] = (place, self.number(client, own))
        return known

    def leaving(self, client: int, number: int) -> tuple[_Leaving, ...]:
        """Return all uploads that the client can make, in the order of their bytes."""
        known = self._leaving.get(number)
        if known is None:
            known = self._leaving[number] = tuple(
                sorted(self._uploads(client, self._owns[number]), key=lambda each: each.code)
            )
        return known

    def _uploads(self, client: int, own: Own) -> Iterator[_Leaving]:
        versions, after = self._moves.upload(client, own)
        yield _Leaving(edit_code(client), pack_versions(versions), pack_own(after))
        for others in self._moves.removable(own):
            versions, after = self._moves.upload(client, own, others)
            code = resolve_code(self._bounds, client, sum(1 << other for other in others))
            yield _Leaving(code, pack_versions(versions), pack_own(after))


def search_group(
    search: Search, bounds: Bounds, versions: bytes, entries: Iterable[tuple[bytes, bytes]]
) -> tuple[Tally, list[Entry]]:
    """Search every state of a group and every step from it.

    versions: the versions of the group, packed. entries: (clients, trace) of the states that enter
    the group; a state can occur with several traces. Returns the counts, and the states that enter
    other groups from here, each once.
    """
    moves = Moves(search, bounds, unpack_versions(versions))
    clients = _Clients(moves, bounds)
    waiting = _by_length(entries, bounds, clients)
    polls = _polls(bounds)
    tally = Tally()
    mismatching = frozenset(MISMATCHES)
    left: dict[tuple[bytes, bytes], bytes] = {}
    seen: set[tuple[int, ...]] = set()
    level: dict[tuple[int, ...], bytes] = {}
    length = min(waiting, default=0)
    while waiting or level:
        _merge(level, waiting.pop(length, {}), seen)
        seen.update(level)
        ordered = sorted((trace, state) for state, trace in level.items())
        level = {}
        for trace, state in ordered:
            for client, other, code in polls:
                theirs = clients.linked[state[other]]
                if theirs == NONE:
                    continue
                place, after = clients.poll(client, state[client], other, theirs)
                tally.polls[place] += 1
                if place in mismatching and place not in tally.traces:
                    tally.traces[place] = trace + code
                if after != state[client]:
                    found = (*state[:client], after, *state[client + 1 :])
                    if found not in seen and found not in level:
                        level[found] = trace + code
            if moves.may_upload:
                tally.uploads += _leave(clients, state, trace, left)
        length += 1
    tally.states = len(seen)
    return tally, [Entry(*state, trace) for state, trace in left.items()]


def _leave(
    clients: _Clients,
    state: tuple[int, ...],
    trace: bytes,
    left: dict[tuple[bytes, bytes], bytes],
) -> int:
    """Add the states after every upload from a state to `left`; return the number of uploads."""
    count = 0
    packed = [clients.packed[number] for number in state]
    for client, number in enumerate(state):
        before, behind = b"".join(packed[:client]), b"".join(packed[client + 1 :])
        for leaving in clients.leaving(client, number):
            count += 1
            found = (leaving.versions, before + leaving.own + behind)
            longer = trace + bytes((leaving.code,))
            kept = left.get(found)
            if kept is None or _rank(longer) < _rank(kept):
                left[found] = longer
    return count


def _polls(bounds: Bounds) -> list[tuple[int, int, bytes]]:
    """Return (client, other, byte of the step) for all polls, in the order of their bytes."""
    return [
        (client, other, bytes((poll_code(bounds, client, other),)))
        for client in range(bounds.clients)
        for other in range(bounds.clients)
        if other != client
    ]


def _by_length(
    entries: Iterable[tuple[bytes, bytes]], bounds: Bounds, clients: _Clients
) -> dict[int, dict[tuple[int, ...], bytes]]:
    """Return length of the trace -> state -> the first of its traces of that length."""
    waiting: dict[int, dict[tuple[int, ...], bytes]] = {}
    for packed, trace in entries:
        owns = unpack_clients(packed, bounds.clients)
        state = tuple(clients.number(client, own) for client, own in enumerate(owns))
        at_length = waiting.setdefault(len(trace), {})
        at_length[state] = min(trace, at_length.get(state, trace))
    return waiting


def _merge(
    level: dict[tuple[int, ...], bytes],
    entering: dict[tuple[int, ...], bytes],
    seen: set[tuple[int, ...]],
) -> None:
    """Add the states that enter the group to the states reached by polls."""
    for state, trace in entering.items():
        if state not in seen:
            level[state] = min(trace, level.get(state, trace))
