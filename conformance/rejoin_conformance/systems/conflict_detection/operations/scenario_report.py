"""The report of each step of a scenario."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from attrs import asdict, define, field

from rejoin import conflict_detection as cd
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.schemas import TEXT, any_of, hex_of, integer, map_of, nullable, record
from rejoin_conformance.systems.conflict_detection.operations.fields import (
    CLASSIFICATION,
    VERSION_MAP,
)

V = TypeVar("V")

REPORTS: Final = (
    "operations",
    "links",
    "versions",
    "conflicts",
    "cached",
    "origins",
    "conflict_origins",
)
"""The optional fields of the report, besides the classification and the files."""

_COUNT: Final = integer(0)


def _per_file_schema(schema: JsonObject) -> JsonObject:
    """Return the schema of client -> path or file name -> a value of the given schema."""
    return map_of(map_of(schema))


STEP_REPORT: Final = record(
    {"classification": nullable(CLASSIFICATION), "files": _per_file_schema(TEXT)},
    {
        "classifications": map_of(CLASSIFICATION),
        "operations": record(
            {
                "content_uploads": _COUNT,
                "snapshot_uploads": _COUNT,
                "directory_updates": _COUNT,
                "snapshot_downloads": _COUNT,
                "content_downloads": _COUNT,
                "directory_reads": _COUNT,
                "total": _COUNT,
            }
        ),
        "links": _per_file_schema(nullable(TEXT)),
        "versions": _per_file_schema(any_of(hex_of(32), VERSION_MAP)),
        "conflicts": _per_file_schema(map_of(any_of(hex_of(32), nullable(_COUNT)))),
        "cached": _per_file_schema(_COUNT),
        "origins": _per_file_schema(_COUNT),
        "conflict_origins": _per_file_schema(map_of(_COUNT)),
    },
)
"""The report of a step.

files: client -> file name -> text, conflict files included.
classifications: path -> classification, for a step that polls all files.
operations: the number of remote operations of the step, by kind. `total` does not count the reading
    of directories.
links: client -> path -> the text of the version that the client's directory links, null for a
    deletion.
versions: client -> path -> the client's current version: a snapshot's ID, or a version map.
conflicts: client -> path -> other client -> the version that conflicts: a snapshot's ID, or the
    entry of the conflict version map, null if there is none.
cached: client -> path -> the number of cached snapshots.
origins: client -> path -> the index of the step that made the client's current version. An
    implementation can report it whatever the form of its versions.
conflict_origins: client -> path -> other client -> the index of the step that made the version that
    conflicts.
"""


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
                    self.step.setdefault((path, _key(file.version)), number)

    def of(self, path: str, version: object) -> int:
        """Return the step that made a version."""
        return self.step[path, _key(version)]


def _key(version: object) -> object:
    """Return a version as a key: a snapshot's ID, or the entries of a version map but zeros."""
    if isinstance(version, Mapping):
        return frozenset(entry for entry in version.items() if entry[1])
    return version


def report(outcome: cd.Outcome[V], wanted: frozenset[str], origins: Origins) -> JsonObject:
    """Return the report of one step. wanted: its optional fields."""
    folder, found = outcome.folder, outcome.classification
    said: JsonObject = {
        "classification": None if found is None else found.value,
        "files": {name: _texts(client) for name, client in sorted(folder.clients.items())},
    }
    if "operations" in wanted:
        said["operations"] = {
            **asdict(outcome.operations),
            "total": cd.total(outcome.operations),
        }
    if "links" in wanted:
        said["links"] = {
            name: _links(folder, client) for name, client in sorted(folder.clients.items())
        }
    for what, describe in (
        ("versions", _version),
        ("conflicts", _conflicts),
        ("cached", _cached),
    ):
        if what in wanted:
            said[what] = {
                name: _per_file(client, describe) for name, client in sorted(folder.clients.items())
            }
    if "origins" in wanted:
        said["origins"] = {
            name: {
                path: origins.of(path, file.version)
                for path, file in sorted(client.files.items())
                if file.version is not None
            }
            for name, client in sorted(folder.clients.items())
        }
    if "conflict_origins" in wanted:
        said["conflict_origins"] = {
            name: {
                path: {
                    other: origins.of(path, conflict.version)
                    for conflict in file.conflicts
                    for other in sorted(conflict.nicknames)
                }
                for path, file in sorted(client.files.items())
                if file.conflicts
            }
            for name, client in sorted(folder.clients.items())
        }
    return said


def text_of_content(content: bytes) -> str:
    """Return a file's content as the text of a scenario."""
    return content.decode("utf-8", "surrogatepass")


def _texts(client: cd.Client[V]) -> JsonObject:
    return {name: text_of_content(content) for name, content in cd.local_files(client).items()}


def _links(folder: cd.Folder[V], client: cd.Client[V]) -> JsonObject:
    entries = cd.read_directory(folder.grid, cd.read_capability(client.write_capability)).entries
    return {path: _linked_text(folder, entry) for path, entry in sorted(entries.items())}


def _linked_text(folder: cd.Folder[V], entry: cd.Entry) -> str | None:
    content = entry.capability
    if entry.version_map is None and content is not None:
        snapshot = cd.find(folder.grid.objects, content)
        content = snapshot.content if isinstance(snapshot, cd.Snapshot) else None
    return None if content is None else text_of_content(cd.fetch_content(folder.grid, content))


def _per_file(client: cd.Client[V], describe: Callable[[cd.LocalFile[V]], Json]) -> JsonObject:
    described = {path: describe(file) for path, file in sorted(client.files.items())}
    return {path: value for path, value in described.items() if value is not None}


def _version(file: cd.LocalFile[V]) -> Json:
    version: object = file.version
    if isinstance(version, bytes):
        return version.hex()
    return dict(sorted(version.items())) if isinstance(version, Mapping) else None


def _conflicts(file: cd.LocalFile[V]) -> Json:
    held: JsonObject = {}
    for conflict in file.conflicts:
        version: object = conflict.version
        for nickname in conflict.nicknames:
            if isinstance(version, bytes):
                held[nickname] = version.hex()
            elif isinstance(version, Mapping):
                held[nickname] = file.conflict_version_map.get(nickname)
    return dict(sorted(held.items())) or None


def _cached(file: cd.LocalFile[V]) -> Json:
    return len(file.cache.snapshots) or None
