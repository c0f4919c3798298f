"""The observations of a step as text: `overwrite   B: foo=X   1 snapshot, 1 content`.

overwrite, conflict, stale, same, nothing     the finding of a poll
foo=overwrite bar=conflict                    the findings of a poll of all files
A: foo=a foo.conflict-B=b                     all files of a client; `A: nothing`
A links foo=a bar=deleted                     the links of its directory
A has foo=(A:2 B:1) or foo=#a                 its versions
A holds foo=(B:1) or foo=(B:#b)               the versions that conflict
A caches foo=3                                the number of snapshots that it caches
A made foo=0                                  the step that made its version, from 0
A opposes foo=(B:1)                           the steps that made the versions that conflict
1 snapshot, 1 content, 1 update               the remote operations of the step
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from attrs import define, evolve, field

from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.notation.asking import FOUND
from rejoin_conformance.systems.conflict_detection.notation.graphs import json_map, spelled_map
from rejoin_conformance.systems.conflict_detection.notation.snapshots import (
    Names,
    parse_id,
    spelled_id,
)
from rejoin_conformance.systems.conflict_detection.notation.story import OPERATIONS, Observation
from rejoin_conformance.systems.conflict_detection.notation.words import (
    Segment,
    spelled,
)

NOTHING: Final = "nothing"
_EXPECTED: Final = (
    "an observation: a finding, `A: foo=a`, `A links ...`, `A has ...`, `A holds ...`, "
    "`A caches ...`, `A made ...`, `A opposes ...`, or operations such as `1 snapshot, 1 content`"
)
_READS: Final = "directory_reads"
_KINDS: Final[Mapping[str, tuple[str, str]]] = {
    "snapshot": ("snapshot_uploads", "snapshot_downloads"),
    "content": ("content_uploads", "content_downloads"),
    "update": ("directory_updates", "directory_updates"),
    "read": (_READS, _READS),
}
"""Word -> the operation that it means in a change, and the one that it means in a poll."""


def is_poll(step: JsonObject) -> bool:
    """Return whether a step is a poll, of one file or of all."""
    return bool({"poll", "poll_all"} & {*step})


def report_of(segment: Segment) -> str | None:
    """Return the optional report that a segment belongs to, or None."""
    words = [token.text for token in segment.tokens[:2]]
    if words[0].isdecimal():
        return OPERATIONS
    verb = _STATES.get(words[1]) if len(words) > 1 else None
    return None if verb is None else verb[0]


@define
class Reader:
    """Reads the observations of one scenario. names: the names of its snapshots."""

    names: Names = field(factory=dict)

    def read(self, step: JsonObject, segments: Sequence[Segment]) -> tuple[Observation, bool]:
        """Return the observation of a step, and whether it includes the finding of a poll."""
        observation, found = Observation(), False
        for segment in segments:
            finding = is_poll(step) and self._finding(segment, step)
            if finding:
                if found:
                    segment.fail("one finding of a poll")
                found = True
                observation = evolve(observation, found=finding.found, each=finding.each)
            else:
                observation = self._more(observation, segment, step)
            segment.end()
        return observation, found

    def _finding(self, segment: Segment, step: JsonObject) -> Observation | None:
        """Return the finding of a poll, or None if the segment does not state one."""
        every = "poll_all" in step
        if segment.reads(NOTHING):
            return Observation(None, {} if every else None)
        if not every:
            found = next((each for each in FOUND if segment.reads(each)), None)
            return None if found is None else Observation(found)
        if [token.text for token in segment.tokens[1:2]] != ["="]:
            return None
        return Observation(each={**segment.items("a file", _one_found)})

    def _more(self, before: Observation, segment: Segment, step: JsonObject) -> Observation:
        if not segment.ended and segment.tokens[0].text.isdecimal():
            if before.costs is not None:
                segment.fail("the operations of a step once")
            return evolve(before, costs=_costs(segment, poll=is_poll(step)))
        client = segment.word(_EXPECTED)
        if segment.reads(":"):
            value: JsonObject = {} if segment.reads(NOTHING) else _items(segment, _text)
            return evolve(before, files=_with(before.files, segment, client, value))
        verb = "" if segment.ended else segment.tokens[segment.place].text
        if verb not in _STATES:
            segment.place = 0
            segment.fail(_EXPECTED)
        segment.reads(verb)
        what, value_of = _STATES[verb]
        value = (
            {}
            if segment.reads(NOTHING)
            else _items(segment, lambda each: value_of(self.names, each))
        )
        state = _with(before.states.get(what, {}), segment, client, value)
        return evolve(before, states={**before.states, what: state})


def _with(
    before: Mapping[str, JsonObject], segment: Segment, client: str, value: JsonObject
) -> dict[str, JsonObject]:
    if client in before:
        segment.place = 0
        segment.fail(f"one observation of this kind for {client!r} in each step")
    return {**before, client: value}


def _items(segment: Segment, value: Callable[[Segment], Json]) -> JsonObject:
    if segment.ended:
        segment.fail("`nothing`, or names with `=` and values")
    return {**segment.items("a file", value)}


def _text(segment: Segment) -> Json:
    return segment.word("a text")


def _one_found(segment: Segment) -> Json:
    found = next((each for each in FOUND if segment.reads(each)), None)
    return found or segment.fail(", ".join(FOUND))


def _costs(segment: Segment, *, poll: bool) -> dict[str, int]:
    costs: dict[str, int] = {_READS: 1} if poll else {}
    known = {
        f"{word}{plural}": kinds[poll] for word, kinds in _KINDS.items() for plural in ("", "s")
    }
    known |= {kind: kind for kinds in _KINDS.values() for kind in kinds}
    while True:
        count = segment.whole("how many operations")
        kind = segment.word("a kind of operation")
        if kind.rstrip(",") == OPERATIONS and count == 0:
            pass
        elif kind.rstrip(",") in known:
            costs[known[kind.rstrip(",")]] = count
        else:
            segment.place -= 1
            segment.fail("snapshots, contents, updates or reads")
        if not kind.endswith(","):
            break
    return {kind: count for kind, count in costs.items() if count}


def _link(_: Names, segment: Segment) -> Json:
    return None if segment.reads("deleted") else segment.word("a text, or `deleted`")


def _version(names: Names, segment: Segment) -> Json:
    if segment.tokens[segment.place].text == "#":
        return parse_id(names, segment).hex()
    return json_map(segment)


def _held(names: Names, segment: Segment) -> Json:
    held: JsonObject = {}
    segment.need("(", "`(`, a client, `:` and its version")
    while not segment.reads(")"):
        client = segment.word("a client, or `)`")
        segment.need(":")
        if segment.reads("none"):
            held[client] = None
        elif not segment.ended and segment.tokens[segment.place].text == "#":
            held[client] = parse_id(names, segment).hex()
        else:
            held[client] = segment.whole("a version number, `#` and a name, or `none`")
    return held


def _count(_: Names, segment: Segment) -> Json:
    return segment.whole("how many snapshots")


_STATES: Final[Mapping[str, tuple[str, Callable[[Names, Segment], Json]]]] = {
    "links": ("links", _link),
    "has": ("versions", _version),
    "holds": ("conflicts", _held),
    "caches": ("cached", _count),
    "made": ("origins", _count),
    "opposes": ("conflict_origins", _held),
}
"""Verb -> the report, and the function that reads a value of it."""
_VERBS: Final = {what: verb for verb, (what, _) in _STATES.items()}


def spelled_observation(
    step: JsonObject, observation: Observation, ids: Mapping[bytes, str]
) -> list[str]:
    """Return the segments of an observation. ids: the names of snapshots."""
    segments: list[str] = []
    if is_poll(step):
        each = observation.each
        found = " ".join(f"{spelled(path)}={what}" for path, what in (each or {}).items())
        segments.append(found or observation.found or NOTHING)
    for client, files in observation.files.items():
        segments.append(f"{_client(client)}: {_spelled_items(files, spelled)}")
    for what, state in observation.states.items():
        for client, value in state.items():
            items = _spelled_items(value, partial(_spelled_state, what, ids=ids))
            segments.append(f"{_client(client)} {_VERBS[what]} {items}")
    if observation.costs is not None:
        segments.append(_spelled_costs(observation.costs, poll=is_poll(step)))
    return segments


def _client(client: str) -> str:
    """Return a client as the first word of a segment; a bare number would count operations."""
    return f'"{client}"' if client.isdecimal() else spelled(client)


def _spelled_items(value: JsonObject, one: Callable[[Any], str]) -> str:
    return " ".join(f"{spelled(name)}={one(each)}" for name, each in value.items()) or NOTHING


def _spelled_state(what: str, value: Any, ids: Mapping[bytes, str]) -> str:
    """Return the text of one file's value in a report."""
    if what == "links":
        return "deleted" if value is None else spelled(value)
    if what == "versions":
        return spelled_map(value) if isinstance(value, dict) else _spelled_version(value, ids)
    if what in {"cached", "origins"}:
        return str(value)
    entries = (f"{spelled(client)}:{_spelled_version(each, ids)}" for client, each in value.items())
    return f"({' '.join(entries)})"


def _spelled_version(value: Any, ids: Mapping[bytes, str]) -> str:
    if value is None:
        return "none"
    return spelled_id(ids, bytes.fromhex(value)) if isinstance(value, str) else str(value)


def _spelled_costs(costs: Mapping[str, int], *, poll: bool) -> str:
    words = {kinds[poll]: word for word, kinds in _KINDS.items()}
    parts = [
        f"{count} {words[kind]}{'' if count == 1 else 's'}" if kind in words else f"{count} {kind}"
        for kind, count in sorted(costs.items(), key=lambda each: _ORDER.index(each[0]))
        if not (poll and kind == _READS and count == 1)
    ]
    if poll and not costs.get(_READS):
        parts.append("0 reads")
    return ", ".join(parts) or "0 operations"


_ORDER: Final = [
    "snapshot_downloads",
    "content_downloads",
    "content_uploads",
    "snapshot_uploads",
    "directory_updates",
    _READS,
]
