"""Topic `sizes`: the quantities beyond common buffers that text cannot state.

These are hashes of long contents and of many parents, files that pile up, and very long names.
"""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.drafting import EDGES, accepted, in_hex, joined, repeated
from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.recipe import expand
from rejoin_conformance.systems.conflict_detection.reports import COSTS
from rejoin_conformance.systems.conflict_detection.snapshots import (
    content_id,
    encoded_snapshot,
    snapshot_id,
)

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


def _clients(count: int, design: str) -> Draft:
    """Return clients that make a file each. The first polls all others and resolves."""
    names = [f"C{place:02}" for place in range(count)]
    first, others = names[0], names[1:]
    files: dict[str, dict[str, str]] = {name: {} for name in names}
    steps: list[JsonObject] = []
    reports: list[Json] = []

    def take(step: JsonObject, found: str | None) -> None:
        steps.append(step)
        shown: JsonObject = {name: {**files[name]} for name in names}
        reports.append({"classification": found, "files": shown})

    for name in names:
        files[name]["foo"] = name
        take({"client": name, "edit": name}, None)
    for name in others:
        files[first][f"foo.conflict-{name}"] = name
        take({"client": first, "poll": name}, "conflict")
    files[first] = {"foo": "all"}
    take({"client": first, "resolve": [*others], "text": "all"}, None)
    files[names[-1]]["foo"] = "all"
    take({"client": names[-1], "poll": first}, "overwrite")
    return accepted(
        SCENARIO,
        f"{count}-clients-in-conflict-{design}",
        f"A client resolves the conflicts of its file with those of {count - 1} others.",
        "CD-CONFLICT-FILE-PER-CLIENT CD-RESOLVE-SEVERAL CD-CLASSIFY-CONFLICT",
        given={"design": design, "clients": [*names], "steps": [*steps]},
        output={"steps": reports},
        readings=() if design == "snapshots" else ("repaired",),
    )


def _offline(count: int) -> Draft:
    """Return a client that changes many files offline and uploads each of them once."""
    names = [f"f{place:02}" for place in range(count)]
    files: dict[str, str] = {}
    steps: list[JsonObject] = [{"client": "A", "offline": True}]
    none: JsonObject = dict.fromkeys([*COSTS, "total"], 0)
    back = none | {"content_uploads": count, "snapshot_uploads": count}
    back |= {"directory_updates": 1, "total": 2 * count + 1}
    reports: list[Json] = []

    def report(links: dict[str, str], operations: JsonObject) -> None:
        shown: JsonObject = {"classification": None, "files": {"A": {**files}}}
        reports.append({**shown, "links": {"A": {**links}}, "operations": operations})

    report({}, none)
    for text in ("draft", "text"):
        for name in names:
            files[name] = f"{text} {name}"
            steps.append({"client": "A", "file": name, "edit": files[name]})
            report({}, none)
    steps.append({"client": "A", "online": True})
    report(files, back)
    return accepted(
        SCENARIO,
        f"{count}-files-offline",
        f"A client that comes back uploads one version of each of {count} files.",
        "CD-OFFLINE-ONE-UPLOAD CD-COST-COMBINED",
        given={
            "design": "snapshots",
            "clients": ["A"],
            "steps": [*steps],
            "report": ["operations", "links"],
        },
        output={"steps": reports},
        level="should",
    )


def _texts_of_each_length() -> Draft:
    texts = [(_SIXTEEN * 257)[:length] for length in EDGES]
    versions: list[bytes] = []
    for text in texts:
        versions.append(snapshot_id(text.encode(), versions[-1:]))
    return accepted(
        SCENARIO,
        "texts-of-each-length",
        "The ID of a version covers texts of each length next to a power of two up to 4,096.",
        "CD-SNAPSHOT-ID CD-SNAPSHOT-EDIT",
        given={
            "design": "snapshots",
            "clients": ["A"],
            "steps": [{"client": "A", "edit": text} for text in texts],
            "report": ["versions"],
        },
        output={
            "steps": [
                {
                    "classification": None,
                    "files": {"A": {"foo": text}},
                    "versions": {"A": {"foo": version.hex()}},
                }
                for text, version in zip(texts, versions, strict=True)
            ]
        },
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
    moments: tuple[tuple[JsonObject, str | None], ...] = (
        ({}, None),
        ({path: "other"}, None),
        (both, "conflict"),
    )
    return accepted(
        SCENARIO,
        name,
        f"A conflict is over {what}.",
        "CD-PATH CD-NICKNAME CD-CONFLICT-FILE-NAME CD-CONFLICT-APPLY",
        given={
            "design": "snapshots",
            "clients": [first, second],
            "steps": [
                {"client": first, "file": path, "edit": text},
                {"client": second, "file": path, "edit": "other"},
                {"client": second, "file": path, "poll": first},
            ],
        },
        output={
            "steps": [
                {"classification": found, "files": {first: {path: text}, second: files}}
                for files, found in moments
            ]
        },
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
