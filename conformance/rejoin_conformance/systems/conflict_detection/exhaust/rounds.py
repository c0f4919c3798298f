"""The searches, with one round for each upload. A piece of work is one group of states.

A round takes all states that enter groups, collects the states of each group, searches each group,
and yields the states after its uploads. The counts and the kept traces depend neither on the
distribution of the work nor on its order.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.spread import Row, Spread
from rejoin_conformance.systems.conflict_detection.exhaust.group import Tally, search_group
from rejoin_conformance.systems.conflict_detection.exhaust.searches import Bounds, Search
from rejoin_conformance.systems.conflict_detection.exhaust.states import NOTHING


def search_all(
    searches: Sequence[Search], bounds: Bounds, spread: Spread
) -> Mapping[Search, Tally]:
    """Run searches side by side and return the counts of each.

    A row is a state that enters a group. Its key is the search, by its place in the sequence, and
    the versions of the state. Its value is the own states of the clients, and the trace. A message
    is the tally of one search.
    """
    tallies = {search: Tally() for search in searches}
    nobody = _packed([[NOTHING] * bounds.clients, ""])
    first = [(bytes([place]), nobody) for place in range(len(searches))]
    count = bounds.uploads + 1
    rounds = spread.rounds(partial(_search_rows, searches, bounds), first, count)
    spread.progress(0, count, _so_far(tallies))
    for number, messages in enumerate(rounds, 1):
        for message in messages:
            tallies[searches[message[0]]].add(_tally(message[1:]))
        spread.progress(number, count, _so_far(tallies))
    return tallies


def _so_far(tallies: Mapping[Search, Tally]) -> str:
    states = sum(tally.states for tally in tallies.values())
    polls = sum(tally.polls.total() for tally in tallies.values())
    return f"{states:,} states, {polls:,} polls"


def _search_rows(
    searches: Sequence[Search], bounds: Bounds, rows: Iterator[tuple[bytes, bytes]]
) -> Iterator[Row]:
    """Search all groups; yield the states after uploads, then one message for each search."""
    tallies: dict[int, Tally] = {}
    for key, group in groupby(rows, key=itemgetter(0)):
        entries = (json.loads(value) for _, value in group)
        states = ((tuple(owns), bytes.fromhex(trace)) for owns, trace in entries)
        tally, left = search_group(searches[key[0]], bounds, states)
        tallies.setdefault(key[0], Tally()).add(tally)
        for (versions, owns), trace in left.items():
            yield key[:1] + versions.encode(), _packed([owns, trace.hex()])
    for place, tally in tallies.items():
        counts = [
            [*pair, polls, pair in tally.traces and tally.traces[pair].hex()]
            for pair, polls in tally.polls.items()
        ]
        yield None, bytes([place]) + _packed([tally.states, tally.uploads, counts])


def _packed(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("ascii")


def _tally(message: bytes) -> Tally:
    states, uploads, counts = json.loads(message)
    polls, traces = Counter[Any](), {}
    for expected, found, number, trace in counts:
        pair = cd.Classification(expected), cd.Classification(found)
        polls[pair] = number
        if trace is not False:
            traces[pair] = bytes.fromhex(trace)
    return Tally(states, uploads, polls, traces)
