"""The reports of a step of a scenario: what each says of a client, its schema, and its text.

A links foo=a   A has foo=#a   A caches foo=2
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from attrs import define, field, frozen

from rejoin import conflict_detection as cd
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.locations import table, text_beside
from rejoin_conformance.kit.phrases import Kind, Scanner
from rejoin_conformance.kit.schemas import (
    TEXT,
    any_of,
    hex_of,
    integer,
    map_of,
    nullable,
    one_of_texts,
    record,
)
from rejoin_conformance.systems.conflict_detection.fields import FOUND, read_map, spelled_map
from rejoin_conformance.systems.conflict_detection.ground_truth import key_of
from rejoin_conformance.systems.conflict_detection.kinds import text_of
from rejoin_conformance.systems.conflict_detection.segments import WORDS, whole, word
from rejoin_conformance.systems.conflict_detection.snapshots import read_id

OPERATIONS: Final = "operations"
"""The report that counts the operations of a step. All others tell the state of clients."""
_COUNT: Final = integer(0)


@define
class Origins:
    """The step that made each version: the first one after which a client had it.

    step: (path, version) -> the index of the step. Versions are equal if their snapshots' IDs are
        equal, or their version maps without entries of 0.
    """

    step: dict[tuple[str, object], int] = field(factory=dict)

    def note(self, folder: cd.Folder[Any], number: int) -> None:
        """Note the versions that clients have after the step of this number."""
        for client in folder.clients.values():
            for path, file in client.files.items():
                if file.version is not None:
                    self.step.setdefault((path, key_of(file.version)), number)

    def of(self, path: str, version: Any) -> int:
        """Return the step that made a version."""
        return self.step[path, key_of(version)]


# What the reports tell of one client.

Tells: TypeAlias = Callable[[cd.Folder[Any], cd.Client[Any], Origins], JsonObject]


def _links(folder: cd.Folder[Any], client: cd.Client[Any], _: Origins) -> JsonObject:
    entries = cd.read_directory(folder.grid, cd.read_capability(client.write_capability)).entries
    return {path: _linked_text(folder, entry) for path, entry in sorted(entries.items())}


def _linked_text(folder: cd.Folder[Any], entry: cd.Entry) -> str | None:
    content = entry.capability
    if entry.version_map is None and content is not None:
        snapshot = cd.find(folder.grid.objects, content)
        content = snapshot.content if isinstance(snapshot, cd.Snapshot) else None
    return None if content is None else text_of(cd.fetch_content(folder.grid, content))


def _of_each_file(
    describe: Callable[[str, cd.LocalFile[Any], Origins], Json],
) -> Tells:
    """Return a report that tells one value of each file, if the file has it."""

    def told(_: cd.Folder[Any], client: cd.Client[Any], origins: Origins) -> JsonObject:
        files = sorted(client.files.items())
        described = {path: describe(path, file, origins) for path, file in files}
        return {path: value for path, value in described.items() if value is not None}

    return told


def _version(_path: str, file: cd.LocalFile[Any], _: Origins) -> Json:
    version = file.version
    return (
        version.hex() if isinstance(version, bytes) else version and dict(sorted(version.items()))
    )


def _conflicts(_path: str, file: cd.LocalFile[Any], _: Origins) -> Json:
    held: JsonObject = {
        nickname: conflict.version.hex()
        if isinstance(conflict.version, bytes)
        else file.conflict_version_map.get(nickname)
        for conflict in file.conflicts
        if conflict.version is not None
        for nickname in conflict.nicknames
    }
    return dict(sorted(held.items())) or None


def _origin(path: str, file: cd.LocalFile[Any], origins: Origins) -> Json:
    return None if file.version is None else origins.of(path, file.version)


def _conflict_origins(path: str, file: cd.LocalFile[Any], origins: Origins) -> Json:
    return {
        other: origins.of(path, conflict.version)
        for conflict in file.conflicts
        for other in sorted(conflict.nicknames)
    } or None


# How the reports are written and read.


def _count_kind(expected: str) -> Kind:
    return Kind(
        schema=_COUNT,
        read=lambda text: whole(text, expected),
        write=lambda value, _: str(value),
    )


def _spelled_version(value: Any) -> str:
    if value is None or isinstance(value, int):
        return "none" if value is None else str(value)
    return spelled_map(value) if isinstance(value, Mapping) else "#" + (value or '""')


def _read_held(text: Scanner) -> Json:
    held: JsonObject = {}
    if not text.takes("("):
        text.fail("`(`, a client, `:` and its version")
    while not text.takes(")"):
        client = word(text, "a client, or `)`")
        text.need(":")
        if text.takes("none"):
            held[client] = None
        elif text.would_take("#"):
            held[client] = read_id(text).hex()
        else:
            held[client] = whole(text, "a version number, `#` and a name, or `none`")
    return held


def _held_kind(schema: JsonObject) -> Kind:
    return Kind(
        schema=map_of(schema),
        read=_read_held,
        write=lambda held, _: "({})".format(
            " ".join(f"{WORDS.spelled(who)}:{_spelled_version(each)}" for who, each in held.items())
        ),
    )


@frozen
class Report:
    """A report of the state of clients that a scenario can ask for.

    verb: its text after the client. tells: (folder, client, origins) -> file -> value. value: the
    kind of a value. words: its description. summary: what a scenario without it cannot tell.
    instead: the report that tells the same without an encoding of versions, or nothing.
    """

    verb: str
    tells: Tells
    value: Kind
    words: str
    summary: str
    instead: str = ""


_TELLS: Final[Mapping[str, tuple[Tells, Kind]]] = {
    "links": (
        _links,
        Kind(
            schema=nullable(TEXT),
            read=lambda text: None if text.takes("deleted") else word(text, "a text, or `deleted`"),
            write=lambda value, _: "deleted" if value is None else WORDS.spelled(value),
        ),
    ),
    "versions": (
        _of_each_file(_version),
        Kind(
            schema=any_of(hex_of(32), map_of({"type": "integer"})),
            read=lambda text: read_id(text).hex() if text.would_take("#") else read_map(text),
            write=lambda value, _: _spelled_version(value),
        ),
    ),
    "conflicts": (_of_each_file(_conflicts), _held_kind(any_of(hex_of(32), nullable(_COUNT)))),
    "cached": (
        _of_each_file(lambda _path, file, _: len(file.cache.snapshots) or None),
        _count_kind("how many snapshots"),
    ),
    "origins": (_of_each_file(_origin), _count_kind("the index of a step")),
    "conflict_origins": (_of_each_file(_conflict_origins), _held_kind(_COUNT)),
}
REPORTS: Final[Mapping[str, Report]] = {
    name: Report(verb, *_TELLS[name], **told) for name, verb, told in table(text_beside(__name__))
}
"""The reports of the state of clients, by the name of their field."""

COSTS: Final[Mapping[str, str]] = {
    "content_uploads": "The number of contents that are uploaded.",
    "snapshot_uploads": "The number of snapshots that are uploaded.",
    "directory_updates": "1 if the step writes or removes links of its client, or else 0.",
    "snapshot_downloads": "The number of snapshots that are downloaded.",
    "content_downloads": "The number of contents that are downloaded.",
    "directory_reads": "The number of times that a directory is read.",
}
"""The kinds of remote operations, each with its description."""


def _said(schema: JsonObject, words: str) -> JsonObject:
    return {"description": words, **schema}


def report_schema() -> JsonObject:
    """Return the schema of the report of a step."""
    counts = {name: _said(_COUNT, words) for name, words in COSTS.items()}
    found = one_of_texts(*FOUND)
    return record(
        {
            "classification": _said(
                nullable(found),
                "The decision of a poll of one file; null if it finds nothing, or in other steps.",
            ),
            "files": _said(map_of(map_of(TEXT)), "Client -> name of a file in its folder -> text."),
        },
        {
            "classifications": _said(
                map_of(found),
                "File that the other client links -> the decision about it. Every poll of all "
                "files has this field, without files if the client is offline; no other step has "
                "it.",
            ),
            OPERATIONS: _said(
                record({**counts, "total": _said(_COUNT, "The sum, without `directory_reads`.")}),
                "The storage operations of the step.",
            ),
            **{
                name: _said(map_of(map_of(each.value.schema(None))), each.words)
                for name, each in REPORTS.items()
            },
        },
    )
