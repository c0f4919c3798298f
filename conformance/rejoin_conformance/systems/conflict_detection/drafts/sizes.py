"""Topic `sizes`: the quantities beyond common buffers that text cannot state.

These are hashes of long contents and of many parents, files that pile up, and very long names.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Unpack

from rejoin_conformance.contract.drafting import EDGES, More, accepted, in_hex, joined, repeated
from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.recipe import expand
from rejoin_conformance.systems.conflict_detection.snapshots import (
    content_id,
    encoded_snapshot,
    snapshot_id,
)
from rejoin_conformance.systems.conflict_detection.story import FILES, Observed, Seen, Story

SCENARIO: Final = "conflict-detection/scenario"
SNAPSHOT_ID: Final = "conflict-detection/snapshot-id"
_SIXTEEN: Final = "0123456789abcdef"


def _identified(
    name: str, summary: str, clauses: str, content: Json, parents: list[bytes]
) -> Draft:
    """Return the question for the ID of a snapshot. content: hex, or its recipe."""
    held = bytes.fromhex(str(expand(content)))
    return accepted(
        SNAPSHOT_ID,
        name,
        summary,
        clauses,
        given={"content": content, "parents": [parent.hex() for parent in parents]},
        output={
            "content_id": content_id(held).hex(),
            "encoded": encoded_snapshot(held, parents).hex(),
            "id": snapshot_id(held, parents).hex(),
        },
        recipe=not isinstance(content, str),
    )


def _of_parents(count: int) -> Draft:
    return _identified(
        f"{count}-parents",
        f"The ID of a snapshot covers all of its {count:,} parents, in their order.",
        "CD-SNAPSHOT-ID CD-SNAPSHOT-ENCODING CD-SNAPSHOT-PARENT-ORDER",
        b"text".hex(),
        [bytes.fromhex(f"{place:064x}") for place in range(count, 0, -1)],
    )


def _scenario(
    name: str,
    summary: str,
    clauses: str,
    given: JsonObject,
    observed: Iterable[Observed],
    **more: Unpack[More],
) -> Draft:
    """Return a scenario from its actions with what is observed after each."""
    pairs, story = [*observed], Story.of(given)
    first: JsonObject = {"design": given["design"], "clients": given["clients"]}
    return accepted(
        SCENARIO,
        name,
        summary,
        clauses,
        given={**first, "steps": [step for step, _ in pairs], **given},
        output={"steps": [story.take(step, seen) for step, seen in pairs]},
        **more,
    )


def _clients(count: int, design: str) -> Draft:
    """Return clients that make a file each. The first polls all others and resolves."""
    first, *others = names = [f"C{place:02}" for place in range(count)]
    held, pairs = {"foo": first}, [_edit(name, "foo", name) for name in names]
    for name in others:
        held = {**held, f"foo.conflict-{name}": name}
        seen: Seen = {"found": "conflict", FILES: {first: held}}
        pairs.append(({"client": first, "poll": name}, seen))
    pairs.append(({"client": first, "resolve": [*others], "text": "all"}, {}))
    overwritten: Seen = {"found": "overwrite", FILES: {names[-1]: {"foo": "all"}}}
    pairs.append(({"client": names[-1], "poll": first}, overwritten))
    return _scenario(
        f"{count}-clients-in-conflict-{design}",
        f"A client resolves the conflicts of its file with those of {count - 1} others.",
        "CD-CONFLICT-FILE-PER-CLIENT CD-RESOLVE-SEVERAL CD-CLASSIFY-CONFLICT",
        {"design": design, "clients": [*names]},
        pairs,
        readings=() if design == "snapshots" else ("repaired",),
    )


def _edit(client: str, path: str, text: Json) -> Observed:
    named: JsonObject = {} if path == "foo" else {"file": path}
    return {"client": client, **named, "edit": text}, {}


def _offline(count: int) -> Draft:
    """Return a client that changes many files offline and uploads each of them once."""
    names = [f"f{place:02}" for place in range(count)]
    links = {"A": {name: f"text {name}" for name in names}}
    uploads = dict.fromkeys(("content_uploads", "snapshot_uploads"), count)
    return _scenario(
        f"{count}-files-offline",
        f"A client that comes back uploads one version of each of {count} files.",
        "CD-OFFLINE-ONE-UPLOAD CD-COST-COMBINED",
        {"design": "snapshots", "clients": ["A"], "report": ["operations", "links"]},
        (
            ({"client": "A", "offline": True}, {}),
            *(_edit("A", name, f"{text} {name}") for text in ("draft", "text") for name in names),
            (
                {"client": "A", "online": True},
                {"links": links, "operations": {**uploads, "directory_updates": 1}},
            ),
        ),
        level="should",
    )


def _texts_of_each_length() -> Draft:
    versions: list[bytes] = []
    pairs: list[Observed] = []
    for length in EDGES:
        text = (_SIXTEEN * 257)[:length]
        versions.append(snapshot_id(text.encode(), versions[-1:]))
        step, _ = _edit("A", "foo", text)
        pairs.append((step, {"versions": {"A": {"foo": versions[-1].hex()}}}))
    return _scenario(
        "texts-of-each-length",
        "The ID of a version covers texts of each length next to a power of two up to 4,096.",
        "CD-SNAPSHOT-ID CD-SNAPSHOT-EDIT",
        {"design": "snapshots", "clients": ["A"], "report": ["versions"]},
        pairs,
    )


def _conflict(
    name: str,
    what: str,
    *,
    path: str = "foo",
    text: Json = "text",
    nicknames: tuple[str, str] = ("A", "B"),
) -> Draft:
    """Return a conflict over a path. text: the text of the first client."""
    first, second = nicknames
    both: JsonObject = {path: "other", f"{path}.conflict-{first}": text}
    steps: list[JsonObject] = [
        {"client": first, "file": path, "edit": text},
        {"client": second, "file": path, "edit": "other"},
        {"client": second, "file": path, "poll": first},
    ]
    return _scenario(
        name,
        f"A conflict is over {what}.",
        "CD-PATH CD-NICKNAME CD-CONFLICT-FILE-NAME CD-CONFLICT-APPLY",
        {"design": "snapshots", "clients": [first, second]},
        zip(steps, ({}, {}, {"found": "conflict", FILES: {second: both}}), strict=True),
        recipe=not isinstance(text, str),
    )


TOPIC: Final = Topic(
    "sizes",
    "",
    (
        *(_of_parents(count) for count in (9, 17, 33, 65, 257, 1025)),
        _identified(
            "content-of-65544-bytes",
            "The ID of a snapshot covers all bytes of a content of 65,544 bytes.",
            "CD-SNAPSHOT-CONTENT-ID CD-SNAPSHOT-ID",
            in_hex(repeated(8193, "<i:8>")),
            [],
        ),
        *(_clients(count, each) for count in (9, 17, 33) for each in ("snapshots", "version-maps")),
        _clients(65, "snapshots"),
        _offline(33),
        _texts_of_each_length(),
        _conflict(
            "text-of-65544-characters",
            "a text of 65,544 characters",
            text=joined(repeated(8193, "<i:8>")),
        ),
        _conflict(
            "path-of-4097-characters", "a path of 4,097 characters", path=_SIXTEEN * 256 + "x"
        ),
        _conflict(
            "path-of-1025-components", "a path of 1,025 components", path="/".join(["d"] * 1025)
        ),
        _conflict(
            "nicknames-of-513-characters",
            "nicknames of 513 characters that differ in the last one",
            nicknames=("n" * 512 + "A", "n" * 512 + "B"),
        ),
    ),
)
"""The computed vectors of the topic."""
