"""Scenarios of many clients, uploads, files and long names and texts."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.drafting import accepted
from rejoin_conformance.contract.recipe_drafting import EDGES, joined, repeated, with_fields
from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.snapshots import snapshot_id

SCENARIO: Final = "conflict-detection/scenario"
DESIGNS: Final = ("snapshots", "version-maps")


def drafts() -> tuple[Draft, ...]:
    """Return clients in conflict, uploads, files and texts."""
    return (
        *(_clients(count, design) for count in (9, 17, 33) for design in DESIGNS),
        _clients(65, "snapshots"),
        *(_uploads(count) for count in (65, 257, 1025)),
        *(_uploads_by_maps(count) for count in (65, 1025)),
        *(_files(count, design) for count in (17, 65, 257) for design in DESIGNS),
        _offline(33),
        _texts_of_each_length(),
        *_long_texts(),
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


_NO_OPERATIONS: Final[JsonObject] = {
    "content_downloads": 0,
    "content_uploads": 0,
    "directory_reads": 0,
    "directory_updates": 0,
    "snapshot_downloads": 0,
    "snapshot_uploads": 0,
    "total": 0,
}


def _operations(**counts: int) -> JsonObject:
    """Return the operations of a step. The total does not count reads of directories."""
    total = sum(count for name, count in counts.items() if name != "directory_reads")
    return {**_NO_OPERATIONS, **counts, "total": total}


def _uploads(count: int) -> Draft:
    """Return uploads of A, all of which B fetches in one poll."""
    upload = _operations(content_uploads=1, snapshot_uploads=1, directory_updates=1)
    first = _operations(
        directory_reads=1, snapshot_downloads=1, content_downloads=1, directory_updates=1
    )
    poll = _operations(
        directory_reads=1, snapshot_downloads=count, content_downloads=1, directory_updates=1
    )
    return accepted(
        SCENARIO,
        f"{count}-uploads",
        f"A poll fetches the snapshots of {count:,} uploads.",
        "CD-WALK-STOP CD-COST-TOTAL CD-COST-LOCAL CD-SNAPSHOT-EDIT",
        given={
            "design": "snapshots",
            "clients": ["A", "B"],
            "steps": [
                {"client": "A", "edit": "start"},
                {"client": "B", "poll": "A"},
                repeated(count, {"client": "A", "edit": "text <i>"}),
                {"client": "B", "poll": "A"},
            ],
            "report": ["operations"],
        },
        output={
            "steps": [
                _step({"A": {"foo": "start"}, "B": {}}, None, upload),
                _step({"A": {"foo": "start"}, "B": {"foo": "start"}}, "overwrite", first),
                repeated(
                    count, _step({"A": {"foo": "text <i>"}, "B": {"foo": "start"}}, None, upload)
                ),
                _step(_both(f"text {count - 1}"), "overwrite", poll),
            ]
        },
        recipe=True,
    )


def _both(text: str) -> JsonObject:
    return {"A": {"foo": text}, "B": {"foo": text}}


def _step(files: JsonObject, found: str | None, operations: JsonObject) -> JsonObject:
    return {"classification": found, "files": files, "operations": operations}


def _uploads_by_maps(count: int) -> Draft:
    """Return uploads of A in the design of version maps; A's number counts them."""
    return accepted(
        SCENARIO,
        f"{count}-uploads-by-maps",
        f"The version map of a client counts its {count:,} uploads.",
        "CD-MAP-UPLOAD CD-MAP-OVERWRITE",
        given={
            "design": "version-maps",
            "clients": ["A", "B"],
            "steps": [
                repeated(count, {"client": "A", "edit": "text <i>"}),
                {"client": "B", "poll": "A"},
            ],
            "report": ["versions"],
        },
        output={
            "steps": [
                repeated(
                    count,
                    {
                        "classification": None,
                        "files": {"A": {"foo": "text <i>"}, "B": {}},
                        "versions": {"A": {"foo": {"A": {"$number": "<i+1>"}}}, "B": {}},
                    },
                ),
                {
                    "classification": "overwrite",
                    "files": _both(f"text {count - 1}"),
                    "versions": {"A": {"foo": {"A": count}}, "B": {"foo": {"A": count}}},
                },
            ]
        },
        readings=("repaired",),
        recipe=True,
    )


def _files(count: int, design: str) -> Draft:
    """Return a client that joins with many files. Another one polls all of them."""
    files = with_fields(repeated(count, ["f<i:4>", "text <i>"]))
    found = with_fields(repeated(count, ["f<i:4>", "overwrite"]))
    snapshots = count if design == "snapshots" else 0
    joining = _operations(content_uploads=count, snapshot_uploads=snapshots, directory_updates=1)
    polling = _operations(
        directory_reads=1,
        content_downloads=count,
        snapshot_downloads=snapshots,
        directory_updates=1,
    )
    return accepted(
        SCENARIO,
        f"{count}-files-{design}",
        f"A client joins with {count} files, and a poll of all files takes each of them.",
        "CD-LOCAL-MERGE-ROOTS CD-POLL-ALL-ORDER CD-COST-COMBINED CD-OVERWRITE-APPLY",
        given={
            "design": design,
            "clients": ["B"],
            "steps": [{"client": "A", "join": files}, {"client": "B", "poll_all": "A"}],
            "report": ["operations", "links"],
        },
        output={
            "steps": [
                {
                    "classification": None,
                    "files": {"A": files, "B": {}},
                    "links": {"A": files, "B": {}},
                    "operations": joining,
                },
                {
                    "classification": None,
                    "classifications": found,
                    "files": {"A": files, "B": files},
                    "links": {"A": files, "B": files},
                    "operations": polling,
                },
            ]
        },
        level="should",
        recipe=True,
    )


def _offline(count: int) -> Draft:
    """Return a client that changes many files offline and uploads each of them once."""
    names = [f"f{place:02}" for place in range(count)]
    files: dict[str, str] = {}
    steps: list[JsonObject] = [{"client": "A", "offline": True}]
    reports: list[Json] = [_offline_step(files, {}, _NO_OPERATIONS)]
    for text in ("draft", "text"):
        for name in names:
            files[name] = f"{text} {name}"
            steps.append({"client": "A", "file": name, "edit": files[name]})
            reports.append(_offline_step(files, {}, _NO_OPERATIONS))
    back = _operations(content_uploads=count, snapshot_uploads=count, directory_updates=1)
    steps.append({"client": "A", "online": True})
    reports.append(_offline_step(files, files, back))
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


def _offline_step(
    files: dict[str, str], links: dict[str, str], operations: JsonObject
) -> JsonObject:
    return {
        "classification": None,
        "files": {"A": {**files}},
        "links": {"A": {**links}},
        "operations": operations,
    }


def _texts_of_each_length() -> Draft:
    texts = [("0123456789abcdef" * 257)[:length] for length in EDGES]
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


def _long_texts() -> tuple[Draft, ...]:
    """Return conflicts over a long text, with long nicknames, and under long and deep paths."""
    return (
        _conflict("text-of-65544-characters", "a text of 65,544 characters", text=_LONG_TEXT),
        _conflict(
            "path-of-4097-characters",
            "a path of 4,097 characters",
            path="0123456789abcdef" * 256 + "x",
        ),
        _conflict(
            "path-of-1025-components", "a path of 1,025 components", path="/".join(["d"] * 1025)
        ),
        _conflict(
            "nicknames-of-513-characters",
            "nicknames of 513 characters that differ in the last one",
            nicknames=("n" * 512 + "A", "n" * 512 + "B"),
        ),
    )


_LONG_TEXT: Final = joined(repeated(8193, "<i:8>"))


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
