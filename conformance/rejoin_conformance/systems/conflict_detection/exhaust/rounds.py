"""The searches, with one round for each upload. A piece of work is one group of states.

A round takes all states that enter groups, collects the states of each group, searches each group,
and yields the states after its uploads. The counts and the kept traces depend neither on the
distribution of the work nor on its order.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from rejoin_conformance.contract.spread import Row, Spread
from rejoin_conformance.kit.json_types import canonical_json, strict_json
from rejoin_conformance.systems.conflict_detection.exhaust.group import Tally, search_group
from rejoin_conformance.systems.conflict_detection.exhaust.searches import Bounds, Search
from rejoin_conformance.systems.conflict_detection.exhaust.states import initial_state

_LENGTH: Final = struct.Struct(">I")


def search_all(
    searches: Sequence[Search], bounds: Bounds, spread: Spread
) -> Mapping[Search, Tally]:
    """Run searches side by side and return the counts of each.

    A row is a state that enters a group. Its key is the search, by its place in the sequence, and
    the versions of the state. Its value is the clients and the trace. A message is the tally of one
    search.
    """
    tallies = {search: Tally() for search in searches}
    versions, clients = initial_state(bounds.clients, bounds.slots)
    first = [(bytes([place]) + versions, _packed(clients, b"")) for place in range(len(searches))]
    count = bounds.uploads + 1
    rounds = spread.rounds(partial(_search_rows, searches, bounds), first, count)
    spread.progress(0, count, _so_far(tallies))
    for number, messages in enumerate(rounds, 1):
        for message in messages:
            tallies[searches[message[0]]].add(_tally(message[1:].decode("ascii")))
        spread.progress(number, count, _so_far(tallies))
    return tallies


def _so_far(tallies: Mapping[Search, Tally]) -> str:
    states = sum(tally.states for tally in tallies.values())
    polls = sum(sum(tally.polls) for tally in tallies.values())
    return f"{states:,} states, {polls:,} polls"


def _search_rows(
    searches: Sequence[Search], bounds: Bounds, rows: Iterator[tuple[bytes, bytes]]
) -> Iterator[Row]:
    """Search all groups; yield the states after uploads, then one message for each search."""
    tallies: dict[int, Tally] = {}
    for key, group in groupby(rows, key=itemgetter(0)):
        search, versions = key[0], key[1:]
        entries = (_unpacked(value) for _, value in group)
        tally, left = search_group(searches[search], bounds, versions, entries)
        tallies.setdefault(search, Tally()).add(tally)
        for entry in left:
            yield key[:1] + entry.versions, _packed(entry.clients, entry.trace)
    for search, tally in tallies.items():
        yield None, bytes([search]) + _tally_text(tally).encode("ascii")


def _packed(clients: bytes, trace: bytes) -> bytes:
    return _LENGTH.pack(len(clients)) + clients + trace


def _unpacked(value: bytes) -> tuple[bytes, bytes]:
    (length,) = _LENGTH.unpack_from(value)
    start = _LENGTH.size
    return value[start : start + length], value[start + length :]


def _tally_text(tally: Tally) -> str:
    return canonical_json(
        {
            "states": tally.states,
            "uploads": tally.uploads,
            "polls": list(tally.polls),
            "traces": {str(place): trace.hex() for place, trace in tally.traces.items()},
        }
    )


def _tally(text: str) -> Tally:
    value = strict_json(text)
    assert isinstance(value, dict)
    fields: dict[str, Any] = value
    traces = {int(place): bytes.fromhex(trace) for place, trace in fields["traces"].items()}
    return Tally(fields["states"], fields["uploads"], fields["polls"], traces)
