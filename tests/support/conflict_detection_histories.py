"""Short ways to say what clients do, for tests: each takes a folder and returns a new one."""

from __future__ import annotations

from functools import reduce
from typing import TypeVar

from rejoin.conflict_detection.clients import (
    Folder,
    LocalFile,
    Outcome,
    add_client,
    client_named,
    file_of,
    local_files,
)
from rejoin.conflict_detection.definitions import Classification
from rejoin.conflict_detection.designs import Design
from rejoin.conflict_detection.directories_and_polling import poll
from rejoin.conflict_detection.grid import Directory, read_capability, read_directory
from rejoin.conflict_detection.local_changes import edit
from rejoin.conflict_detection.map_design import MapDesign
from rejoin.conflict_detection.reading import LITERAL, REPAIRED, Reading
from rejoin.conflict_detection.snapshot_design import SnapshotDesign

V = TypeVar("V")

SNAPSHOTS = SnapshotDesign(REPAIRED)
MAPS = MapDesign(REPAIRED)
LITERAL_SNAPSHOTS = SnapshotDesign(LITERAL)
LITERAL_MAPS = MapDesign(LITERAL)

OVERWRITE, CONFLICT, STALE, SAME = (
    Classification.OVERWRITE,
    Classification.CONFLICT,
    Classification.STALE,
    Classification.SAME,
)


def folder_of(design: Design[V], nicknames: str) -> Folder[V]:
    """A folder with one client for each letter."""
    return reduce(add_client, nicknames, Folder(design))


def snapshots_of(nicknames: str, reading: Reading = REPAIRED) -> Folder[bytes]:
    return folder_of(SnapshotDesign(reading), nicknames)


def edits(folder: Folder[V], *changes: tuple[str, str], path: str = "foo") -> Folder[V]:
    """Edits (client, text), one after the other."""
    for nickname, text in changes:
        folder = edit(folder, nickname, path, text.encode()).folder
    return folder


def polls(folder: Folder[V], *pairs: str, path: str = "foo") -> Folder[V]:
    """Polls, each given as two letters: who polls whom."""
    for pair in pairs:
        folder = poll(folder, pair[0], pair[1], path).folder
    return folder


def outcome(folder: Folder[V], pair: str, path: str = "foo") -> Outcome[V]:
    """The outcome of one poll."""
    return poll(folder, pair[0], pair[1], path)


def found(folder: Folder[V], pair: str, path: str = "foo") -> Classification | None:
    """The classification of one poll."""
    return outcome(folder, pair, path).classification


def in_sync(design: Design[V], nicknames: str, text: str = "X") -> Folder[V]:
    """All clients have the first version of `foo` and have seen that the others have it."""
    folder = edits(folder_of(design, nicknames), (nicknames[0], text))
    pairs = [a + b for a in nicknames for b in nicknames if a != b]
    return polls(folder, *pairs, *pairs)


def files(folder: Folder[V], nickname: str) -> dict[str, str]:
    """What a client's user sees, as text."""
    return {
        name: content.decode()
        for name, content in local_files(client_named(folder, nickname)).items()
    }


def foo(folder: Folder[V], nickname: str) -> LocalFile[V]:
    """The file `foo` as a client has it."""
    return file_of(client_named(folder, nickname), "foo")


def directory(folder: Folder[V], nickname: str) -> Directory:
    """A client's own directory."""
    return read_directory(
        folder.grid, read_capability(client_named(folder, nickname).write_capability)
    )
