"""Search all states with the same versions, from the states right after the last upload.

Within such a group, polls lead from state to state. Uploads lead out of the group. So a group can
be searched alone, breadth first, if the states that enter it and their traces are known. The result
of a step is computed once, on the reference, after the first trace that needs it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from attrs import define, field

from rejoin_conformance.systems.conflict_detection.exhaust.searches import (
    KINDS,
    Bounds,
    Key,
    Pair,
    Search,
    can_take,
    forked,
    linked_by,
    own_of,
    take,
    versions_of,
)
from rejoin_conformance.systems.conflict_detection.run import Run, new_run

Owns: TypeAlias = tuple[Key, ...]
"""The own states of all clients."""
_Level: TypeAlias = dict[tuple[int, ...], bytes]
"""State -> the first of the shortest traces to it. A state has the number of each own state."""


@define
class Tally:
    """The counts of some groups of one search.

    polls: pair of classifications -> the number of polls with this pair.
    traces: pair of a mismatch -> the first of the shortest traces that end with it.
    """

    states: int = 0
    uploads: int = 0
    polls: Counter[Pair] = field(factory=Counter)
    traces: dict[Pair, bytes] = field(factory=dict)

    def add(self, other: Tally) -> None:
        """Add another tally's counts to this one's."""
        self.states += other.states
        self.uploads += other.uploads
        self.polls.update(other.polls)
        for pair, trace in other.traces.items():
            self.traces[pair] = min(self.traces.get(pair, trace), trace, key=_rank)

    def mismatches(self) -> Mapping[str, int]:
        """Return kind of mismatch -> number of polls, without kinds that never occurred."""
        return {kind: self.polls[pair] for pair, kind in KINDS.items() if self.polls[pair]}


def _rank(trace: bytes) -> tuple[int, bytes]:
    return len(trace), trace


class _Results:
    """The results of the steps of single clients in this group, as look-ups.

    owns: number -> the own state of a client. Equal ones of two clients differ in number.
    linked: number -> the version that such a client links, or None.
    """

    def __init__(self, search: Search, bounds: Bounds) -> None:
        self.owns: list[Key] = []
        self.linked: list[str | None] = []
        self._bounds = bounds
        self._runs = {b"": new_run(search.design, search.reading, bounds.clients)}
        self._numbers: dict[tuple[int, Key], int] = {}
        self._polls: dict[tuple[int, int, str | None], tuple[Pair, int]] = {}
        self._leaving: dict[int, list[tuple[bytes, Key, Key]]] = {}

    def number(self, client: int, own: Key, trace: bytes) -> int:
        """Return the number of a client's own state. trace: to a state in which it has this one."""
        number = self._numbers.get((client, own))
        if number is None:
            number = self._numbers[client, own] = len(self.owns)
            self.owns.append(own)
            self.linked.append(linked_by(self._run(trace), self._bounds.nicknames[client]))
        return number

    def poll(
        self, client: int, number: int, other: int, theirs: str | None, trace: bytes
    ) -> tuple[Pair, int]:
        """Return the pair of classifications, and the number of the client's own state after it.

        number: of its own state before. theirs: what the other client links. trace: to the end of
        the poll.
        """
        known = self._polls.get((number, other, theirs))
        if known is None:
            run = forked(self._run(trace[:-1]))
            (polled,) = take(run, self._bounds.steps[trace[-1]]).polled
            self._runs[trace] = run
            after = self.number(client, own_of(run, self._bounds.nicknames[client]), trace)
            known = ((polled.expected, polled.found), after)
            self._polls[number, other, theirs] = known
        return known

    def leaving(self, client: int, number: int, trace: bytes) -> list[tuple[bytes, Key, Key]]:
        """Return all uploads of a client: byte of the step, the versions, its own state.

        number: of its own state before. trace: to the state before.
        """
        known = self._leaving.get(number)
        if known is None:
            known = self._leaving[number] = [*self._uploads(client, self._run(trace))]
        return known

    def _uploads(self, client: int, run: Run[Any]) -> Iterator[tuple[bytes, Key, Key]]:
        nickname = self._bounds.nicknames[client]
        for place, step in enumerate(self._bounds.steps):
            if step["client"] == nickname and can_take(run, self._bounds, step):
                after = forked(run)
                take(after, step)
                yield bytes((place,)), versions_of(after), own_of(after, nickname)

    def _run(self, trace: bytes) -> Run[Any]:
        """Return the state to which a trace leads."""
        run = self._runs.get(trace)
        if run is None:
            run = self._runs[trace] = forked(self._run(trace[:-1]))
            take(run, self._bounds.steps[trace[-1]])
        return run


def search_group(
    search: Search, bounds: Bounds, entries: Iterable[tuple[Owns, bytes]]
) -> tuple[Tally, dict[tuple[Key, Owns], bytes]]:
    """Search every state of a group and every step from it.

    entries: (own states, trace) of the states that enter the group; a state can occur with several
    traces. Returns the counts, and the states that enter other groups from here: versions and own
    states -> the first of the shortest traces.
    """
    results = _Results(search, bounds)
    waiting = _by_length(entries, results)
    polls = _polls(bounds)
    tally = Tally()
    left: dict[tuple[Key, Owns], bytes] = {}
    seen: set[tuple[int, ...]] = set()
    level: _Level = {}
    length = min(waiting, default=0)
    while waiting or level:
        for state, trace in waiting.pop(length, {}).items():
            if state not in seen:
                level[state] = min(trace, level.get(state, trace))
        seen.update(level)
        ordered = sorted((trace, state) for state, trace in level.items())
        level = {}
        for trace, state in ordered:
            for client, other, code in polls:
                theirs = results.linked[state[other]]
                if theirs is None:
                    continue
                longer = trace + code
                pair, after = results.poll(client, state[client], other, theirs, longer)
                tally.polls[pair] += 1
                if pair in KINDS and pair not in tally.traces:
                    tally.traces[pair] = longer
                if after != state[client]:
                    found = (*state[:client], after, *state[client + 1 :])
                    if found not in seen and found not in level:
                        level[found] = longer
            tally.uploads += _leave(results, state, trace, left)
        length += 1
    tally.states = len(seen)
    return tally, left


def _leave(
    results: _Results, state: tuple[int, ...], trace: bytes, left: dict[tuple[Key, Owns], bytes]
) -> int:
    """Add the states after every upload from a state to `left`; return the number of uploads."""
    count = 0
    owns = tuple(results.owns[number] for number in state)
    for client, number in enumerate(state):
        for code, versions, own in results.leaving(client, number, trace):
            count += 1
            found = versions, (*owns[:client], own, *owns[client + 1 :])
            longer = trace + code
            left[found] = min(left.get(found, longer), longer, key=_rank)
    return count


def _polls(bounds: Bounds) -> list[tuple[int, int, bytes]]:
    """Return (client, other, byte of the step) for all polls, in the order of their bytes."""
    place = bounds.nicknames.index
    return [
        (place(str(step["client"])), place(str(step["poll"])), bytes((code,)))
        for code, step in enumerate(bounds.steps)
        if "poll" in step
    ]


def _by_length(entries: Iterable[tuple[Owns, bytes]], results: _Results) -> dict[int, _Level]:
    """Return length of the trace -> state -> the first of its traces of that length."""
    waiting: dict[int, _Level] = {}
    for owns, trace in entries:
        state = tuple(results.number(client, own, trace) for client, own in enumerate(owns))
        at_length = waiting.setdefault(len(trace), {})
        at_length[state] = min(trace, at_length.get(state, trace))
    return waiting
