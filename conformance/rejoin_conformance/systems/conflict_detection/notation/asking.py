"""The questions on graphs and version maps: a function that reads and one that writes each.

An `ask` function takes the statements of a question. It returns the fields of the input except the
graph, and the remaining segments, which state the answer. A `render` function is its inverse.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from attrs import frozen

from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.notation.graphs import json_map, spelled_map
from rejoin_conformance.systems.conflict_detection.notation.words import (
    GAP,
    Segment,
    Statement,
    spelled,
    spelled_list,
)

FOUND: Final = ("overwrite", "conflict", "stale", "same")

Asked: TypeAlias = tuple[JsonObject, Sequence[Segment]]


@frozen
class Answer:
    """A field of an output.

    read: returns the value in a segment, or None if the segment states another field.
    write: returns the text of a value.
    """

    field: str
    read: Callable[[Segment], Json]
    write: Callable[[Any], str]


def _found(segment: Segment) -> Json:
    for found in FOUND:
        if segment.reads(found):
            return found
    return None


def list_after(field: str, word: str) -> Answer:
    """Return the answer that is a list of snapshots after a word."""

    def read(segment: Segment) -> Json:
        return [*segment.words("a snapshot")] if segment.reads(word) else None

    return Answer(field, read, lambda names: f"{word} {spelled_list(names)}")


CLASSIFICATION: Final = Answer("classification", _found, str)
MAP: Final = Answer("map", json_map, spelled_map)
KEPT: Final = Answer("kept", lambda segment: [*segment.words("a snapshot")], spelled_list)
YES_OR_NO: Final = Answer(
    "follows",
    lambda segment: True if segment.reads("yes") else False if segment.reads("no") else None,
    lambda value: "yes" if value else "no",
)


def ask_follows(asked: Sequence[Statement]) -> Asked:
    """Read `d follows a`."""
    segment, *rest = _only(asked)
    later = segment.word("a version")
    segment.need("follows")
    earlier = segment.word("a version")
    segment.end()
    return {"later": later, "earlier": earlier}, rest


def ask_ours(asked: Sequence[Statement]) -> Asked:
    """Read `ours b   theirs c`, with versions or with version maps, and perhaps with a cache."""
    segments = list(_only(asked))
    fields: JsonObject = {}
    ours = segments.pop(0)
    ours.need("ours")
    local = None if ours.reads("none") else _version_or_map(ours)
    ours.end()
    if segments and segments[0].reads("cached"):
        fields["cached"] = [*segments.pop(0).words("a snapshot")]
    if not segments:
        ours.fail("`theirs` and a version, after two spaces")
    theirs = segments.pop(0)
    theirs.need("theirs")
    remote = _version_or_map(theirs)
    theirs.end()
    return {**fields, "local": local, "remote": remote}, segments


def _version_or_map(segment: Segment) -> Json:
    if not segment.ended and segment.tokens[segment.place].text == "(":
        return json_map(segment)
    return segment.word("a version, or a version map such as `(A:3 B:2)`")


def ask_clients(asked: Sequence[Statement]) -> Asked:
    """Read `clients A=e B=c`."""
    segment, *rest = _only(asked)
    segment.need("clients")
    currents = segment.items("a client", lambda each: each.word("a snapshot"))
    return {"currents": {**currents}}, rest


def ask_garbage(asked: Sequence[Statement]) -> Asked:
    """Read `renewed a b until 5; kept at 4`."""
    renewals: list[Json] = []
    *renewed, (now, *rest) = asked
    for segments in renewed:
        segment = _only([segments])[0]
        segment.need("renewed", "`renewed`, snapshots, `until` and a time")
        links = _links(segment)
        renewals.append({"links": links, "until": segment.whole("a time")})
        segment.end()
    if not now.reads("kept", "at"):
        now.fail("`renewed ...`, or `kept at` and a time")
    time = now.whole("a time")
    now.end()
    return {"renewals": renewals, "now": time}, rest


def _links(segment: Segment) -> list[Json]:
    if segment.reads("nothing", "until"):
        return []
    links: list[Json] = [segment.word("a snapshot")]
    while not segment.reads("until"):
        links.append(segment.word("a snapshot, or `until` and a time"))
    return links


def ask_join(asked: Sequence[Statement]) -> Asked:
    """Read `join (A:1) (B:2)`."""
    segment, *rest = _only(asked)
    segment.need("join")
    maps: list[Json] = []
    if not segment.reads("nothing"):
        maps.append(json_map(segment))
        while not segment.ended:
            maps.append(json_map(segment))
    segment.end()
    return {"maps": maps}, rest


def ask_upload(asked: Sequence[Statement]) -> Asked:
    """Read `A uploads from (A:1)   resolving B=(B:2)`."""
    segment, *rest = _only(asked)
    nickname = segment.word("a nickname")
    segment.need("uploads")
    segment.need("from")
    value: JsonObject = {"nickname": nickname, "local": json_map(segment)}
    segment.end()
    if rest and rest[0].reads("resolving"):
        held = rest.pop(0)
        value["removed"] = {} if held.reads("nobody") else {**held.items("a nickname", json_map)}
        held.end()
    return value, rest


def _only(asked: Sequence[Statement]) -> Statement:
    if len(asked) > 1:
        asked[1][0].fail("nothing after the question")
    return asked[0]


def _none_or(value: Json) -> str:
    if isinstance(value, dict):
        return spelled_map(value)
    return "none" if value is None else spelled(str(value))


def render_follows(value: Any) -> list[str]:
    """Return the text that `ask_follows` reads."""
    return [f"{spelled(value['later'])} follows {spelled(value['earlier'])}"]


def render_ours(value: Any) -> list[str]:
    """Return the text that `ask_ours` reads."""
    parts = [f"ours {_none_or(value['local'])}"]
    if "cached" in value:
        parts.append(f"cached {spelled_list(value['cached'])}")
    return [GAP.join([*parts, f"theirs {_none_or(value['remote'])}"])]


def render_clients(value: Any) -> list[str]:
    """Return the text that `ask_clients` reads."""
    items = (f"{spelled(name)}={spelled(each)}" for name, each in value["currents"].items())
    return [f"clients {' '.join(items)}"]


def render_garbage(value: Any) -> list[str]:
    """Return the text that `ask_garbage` reads."""
    renewed = (
        f"renewed {' '.join(map(spelled, each['links'])) or 'nothing'} until {each['until']}"
        for each in value["renewals"]
    )
    return [*renewed, f"kept at {value['now']}"]


def render_join(value: Any) -> list[str]:
    """Return the text that `ask_join` reads."""
    return [f"join {' '.join(map(spelled_map, value['maps'])) or 'nothing'}"]


def render_upload(value: Any) -> list[str]:
    """Return the text that `ask_upload` reads."""
    text = f"{spelled(value['nickname'])} uploads from {spelled_map(value['local'])}"
    if "removed" not in value:
        return [text]
    removed = (f"{spelled(name)}={spelled_map(each)}" for name, each in value["removed"].items())
    return [f"{text}{GAP}resolving {' '.join(removed) or 'nobody'}"]
