"""What a scenario observes after an action: how it is read and written; see `scenario_text`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NoReturn

from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.phrases import Kind
from rejoin_conformance.systems.conflict_detection.actions import (
    polled_by,
)
from rejoin_conformance.systems.conflict_detection.fields import CLASSIFICATION, FOUND
from rejoin_conformance.systems.conflict_detection.kinds import KINDS
from rejoin_conformance.systems.conflict_detection.reports import COSTS, REPORTS
from rejoin_conformance.systems.conflict_detection.reports import OPERATIONS as COUNTS
from rejoin_conformance.systems.conflict_detection.segments import (
    WORDS,
    Segment,
    items,
    spelled_items,
    whole,
    word,
)
from rejoin_conformance.systems.conflict_detection.story import (
    FILES,
    Seen,
)

_VERBS: Final[Mapping[str, str]] = {":": FILES, **{e.verb: name for name, e in REPORTS.items()}}
"""Verb of an observation -> the report."""
_OBSERVED: Final = "an observation: a finding, `A: foo=a`, {}, or operations such as {}".format(
    ", ".join(f"`A {each.verb} ...`" for each in REPORTS.values()), "`1 snapshot, 1 content`"
)
_COST_WORDS: Final = {
    "snapshot": ("snapshot_uploads", "snapshot_downloads"),
    "content": ("content_uploads", "content_downloads"),
    "update": ("directory_updates", "directory_updates"),
    "read": ("directory_reads", "directory_reads"),
}
"""Word -> the operation that it means in a change, and the one that it means in a poll."""


def fail_at(text: Segment, place: int, expected: str) -> NoReturn:
    """Raise NotationError at a token of a segment."""
    text.place = place
    text.fail(expected)


def report_of(text: Segment) -> str:
    """Return the report that an observation belongs to, or nothing."""
    name = COUNTS if text.text_at(0).isdecimal() else _VERBS.get(text.text_at(1), "")
    return "" if name == FILES else name


def observe(seen: Seen, text: Segment, step: JsonObject) -> None:
    """Add an observation to those of an action."""
    polls, every = polled_by(step) is not None, "poll_all" in step
    if polls and (text.text_at(0) in (*FOUND, "nothing") or (every and text.text_at(1) == "=")):
        if "found" in seen:
            text.fail("one finding of a poll")
        nothing = text.takes("nothing")
        seen["found"] = None if nothing or every else CLASSIFICATION.read(text)
        seen["each"] = {} if nothing or not every else items(text, "a file", CLASSIFICATION.read)
    elif text.next.kind == "bare" and text.next.text.isdecimal():
        if COUNTS in seen:
            text.fail("the operations of a step once")
        seen[COUNTS] = _read_costs(text, poll=polls)
    else:
        client, verb = word(text, _OBSERVED), text.text_at(1)
        name = _VERBS.get(verb) or fail_at(text, 0, _OBSERVED)
        text.take()
        if client in seen.setdefault(name, {}):
            fail_at(text, 0, f"one observation of this kind for {client!r} in each step")
        if text.at_end:
            text.fail("`nothing`, or names with `=` and values")
        nothing = text.takes("nothing")
        seen[name][client] = {} if nothing else items(text, "a file", _kind_of(name).read)


def _kind_of(report: str) -> Kind:
    """Return the kind of the value of a file."""
    return REPORTS[report].value if report in REPORTS else KINDS["text"]


def _read_costs(text: Segment, *, poll: bool) -> dict[str, int]:
    costs = {"directory_reads": 1} if poll else {}
    known = {name: pair[poll] for each, pair in _COST_WORDS.items() for name in (each, f"{each}s")}
    known |= {kind: kind for kind in COSTS}
    more = True
    while more:
        count, kind = whole(text, "how many operations"), word(text, "a kind of operation")
        more, kind = kind.endswith(","), kind.rstrip(",")
        if kind in known:
            costs[known[kind]] = count
        elif kind != COUNTS or count:
            text.refuse("snapshots, contents, updates or reads")
    return {kind: count for kind, count in costs.items() if count}


def spelled_observations(step: JsonObject, seen: Seen) -> Iterator[str]:
    """Yield the text of each observation."""
    polls = polled_by(step) is not None
    if polls:
        yield spelled_items(seen.get("each", {}), str, "") or seen["found"] or "nothing"
    for verb, name in _VERBS.items():
        for client, value in seen.get(name, {}).items():
            who = f'"{client}"' if client.isdecimal() else WORDS.spelled(client)
            texts = {file: _kind_of(name).write(each, None) for file, each in value.items()}
            told = spelled_items(texts, str, "nothing")
            yield f"{who}: {told}" if name == FILES else f"{who} {verb} {told}"
    if COUNTS in seen:
        yield _spelled_costs(seen[COUNTS], poll=polls)


def _spelled_costs(costs: Mapping[str, int], *, poll: bool) -> str:
    words = {pair[poll]: each for each, pair in _COST_WORDS.items()}
    parts = [
        f"{costs[kind]} {words.get(kind, kind)}{'s' * (kind in words and costs[kind] != 1)}"
        for kind in COSTS
        if kind in costs and (kind, costs[kind], poll) != ("directory_reads", 1, True)
    ]
    parts += ["0 reads"] if poll and not costs.get("directory_reads") else []
    return ", ".join(parts) or "0 operations"
