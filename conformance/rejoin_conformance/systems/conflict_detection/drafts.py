"""The vectors of conflict detection that are computed: hashes of many parents, files that pile up.

`vectors/conflict-detection/*.txt` has all others.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.conflict_detection.snapshots import (
    content_id,
    encoded_snapshot,
    snapshot_id,
)
from rejoin_conformance.systems.conflict_detection.story import FILES, Observed, Seen, Story


def _of_parents(count: int) -> Draft:
    """Return the question for the ID of a snapshot with many parents."""
    parents = [bytes.fromhex(f"{place:064x}") for place in range(count, 0, -1)]
    return Draft(
        operation="conflict-detection/snapshot-id",
        name=f"{count}-parents",
        summary=f"The ID of a snapshot covers all of its {count:,} parents, in their order.",
        clauses=("CD-SNAPSHOT-ID", "CD-SNAPSHOT-ENCODING", "CD-SNAPSHOT-PARENT-ORDER"),
        input={"content": b"text".hex(), "parents": [parent.hex() for parent in parents]},
        output={
            "content_id": content_id(b"text").hex(),
            "encoded": encoded_snapshot(b"text", parents).hex(),
            "id": snapshot_id(b"text", parents).hex(),
        },
    )


def _scenario(
    name: str,
    summary: str,
    clauses: str,
    given: JsonObject,
    observed: Iterable[Observed],
    **more: Any,
) -> Draft:
    """Return a scenario from its actions with what is observed after each. more: other fields."""
    pairs, story = [*observed], Story.of(given)
    first: JsonObject = {"design": given["design"], "clients": given["clients"]}
    return Draft(
        operation="conflict-detection/scenario",
        name=name,
        summary=summary,
        clauses=tuple(clauses.split()),
        input={**first, "steps": [step for step, _ in pairs], **given},
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


def _edit(client: str, path: str, text: str) -> Observed:
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


def topics() -> tuple[Topic, ...]:
    """Return the computed vectors of the topic `sizes`, whose notes are in the text."""
    designs = ("snapshots", "version-maps")
    drafts = (
        *(_of_parents(count) for count in (9, 17, 33, 65, 257, 1025)),
        *(_clients(count, design) for count in (9, 17, 33) for design in designs),
        _clients(65, "snapshots"),
        _offline(33),
    )
    return (Topic("sizes", "", drafts),)
