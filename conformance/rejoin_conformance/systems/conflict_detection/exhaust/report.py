"""`rejoin exhaust conflict-detection`: the searches, and their report as data and as text.

A search has one round for each upload. A piece of work is one group of states. A round takes all
states that enter groups, collects the states of each group, searches each group, and yields the
states after its uploads. The counts and the kept traces depend neither on the distribution of the
work nor on its order.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.spread import Row, Spread
from rejoin_conformance.contract.system import Bound, ExhaustiveCheck
from rejoin_conformance.kit.dag_drawing import Drawing
from rejoin_conformance.kit.document import Block, Code, Heading, Table
from rejoin_conformance.kit.document_text import document_text
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.text import counted
from rejoin_conformance.systems.conflict_detection.actions import FOO
from rejoin_conformance.systems.conflict_detection.exhaust.group import Tally, search_group
from rejoin_conformance.systems.conflict_detection.exhaust.searches import (
    KINDS,
    NOTHING,
    SEARCHES,
    Bounds,
    Search,
    take,
)
from rejoin_conformance.systems.conflict_detection.ground_truth import dag_of
from rejoin_conformance.systems.conflict_detection.pictures import clients_at, happened, map_notes
from rejoin_conformance.systems.conflict_detection.run import new_run


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


def report_of(bounds: Bounds, tallies: Mapping[Search, Tally]) -> JsonObject:
    """Return the counts of each search, with the shortest trace for each kind of mismatch.

    `failed` is true if a search in the reading `repaired` has a mismatch.
    """
    searches: list[Json] = [_search(bounds, search, tally) for search, tally in tallies.items()]
    failed = any(
        search.reading.name == "repaired" and tally.mismatches()
        for search, tally in tallies.items()
    )
    return {
        "clients": bounds.clients,
        "uploads": bounds.uploads,
        "searches": searches,
        "failed": failed,
    }


def _search(bounds: Bounds, search: Search, tally: Tally) -> JsonObject:
    kinds: JsonObject = {}
    for pair, kind in KINDS.items():
        if tally.polls[pair]:
            steps, text = replayed(bounds, search, tally.traces[pair])
            kinds[kind] = {"polls": tally.polls[pair], "trace": [*steps], "text": text}
    return {
        "design": search.design,
        "reading": search.reading.name,
        "variant": search.variant,
        "states": tally.states,
        "uploads": tally.uploads,
        "polls": tally.polls.total(),
        "mismatches": kinds,
    }


def replayed(bounds: Bounds, search: Search, trace: bytes) -> tuple[list[JsonObject], str]:
    """Return the steps of a trace as those of a scenario, and its text.

    The text has the result of each step, the versions, and all clients at the end.
    """
    run = new_run(search.design, search.reading, bounds.clients)
    lines: list[str] = []
    for number, code in enumerate(trace, 1):
        taken = take(run, bounds.steps[code])
        lines.append(f"{number:>3}  {happened(run, taken)}")
    truth = run.truth(FOO)
    drawing = Drawing(FOO, dag_of(truth), dict(enumerate(truth.names)), map_notes(truth))
    lines += ["", *drawing.text().splitlines(), "", *clients_at(run, FOO)]
    steps = [{name: each for name, each in step.items() if name != "file"} for step in run.steps]
    return steps, "\n".join(lines)


def render(report: JsonObject) -> str:
    """Return the report as text: a table with a line for each search, then each trace once."""
    return document_text([*_blocks(report)])


def _blocks(searched: Any) -> Iterator[Block]:
    clients, searches = counted(searched["clients"], "client"), searched["searches"]
    uploads = counted(searched["uploads"], "upload")
    yield Heading(f"Every interleaving of {clients} and up to {uploads}")
    kinds = [*dict.fromkeys(kind for each in searches for kind in each["mismatches"])]
    rows: list[list[str]] = []
    titles: dict[tuple[str, str], list[str]] = {}
    for each in searches:
        names, found = [each[name] for name in ("design", "reading", "variant")], each["mismatches"]
        counts = [found.get(kind, {}).get("polls", 0) for kind in kinds]
        numbers = [each["states"], each["uploads"], each["polls"], sum(counts), *counts]
        rows.append([*names, *(f"{number:,}" for number in numbers)])
        for kind in found:
            titles.setdefault((kind, found[kind]["text"]), []).append(", ".join(names))
    head = ["design", "reading", "variant", "states", "uploads", "polls", "mismatches", *kinds]
    yield Table(head, rows, frozenset(range(3, len(head))))
    for (kind, text), listed in titles.items():
        yield Heading(f"{kind}: the shortest trace in {'; '.join(listed)}")
        yield Code(text)


def _run(bounds: Mapping[str, int], spread: Spread) -> JsonObject:
    chosen = Bounds(bounds["clients"], bounds["uploads"])
    return report_of(chosen, search_all(SEARCHES, chosen, spread))


EXHAUSTIVE: Final = ExhaustiveCheck(
    summary="Compare every poll with the follows relation.",
    description=(
        "The command enumerates every interleaving of edits, polls and resolutions. It covers both "
        "designs, all rules that the document prints, and both variants of the versions that a "
        "client links. Every edit is uploaded at once, so no poll meets an unsaved change."
    ),
    bounds=(
        Bound(name="clients", summary="Number of clients.", default=3, minimum=1, maximum=5),
        Bound(
            name="uploads",
            summary="Number of uploads: edits and resolutions together.",
            default=4,
            minimum=0,
            maximum=6,
        ),
    ),
    run=_run,
    render=render,
)
