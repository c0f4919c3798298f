"""Short functions for the actions of clients: each takes a folder and returns a new one."""

from __future__ import annotations

from functools import reduce
from typing import TypeVar

from rejoin import conflict_detection as cd

V = TypeVar("V")

SNAPSHOTS = cd.SnapshotDesign(cd.REPAIRED)
MAPS = cd.MapDesign(cd.REPAIRED)
LITERAL_SNAPSHOTS = cd.SnapshotDesign(cd.LITERAL)

STALE = cd.Classification.STALE


def folder_of(design: cd.Design[V], nicknames: str) -> cd.Folder[V]:
    """Return a folder with one client for each letter."""
    return reduce(cd.add_client, nicknames, cd.Folder(design))


def edits(folder: cd.Folder[V], *changes: tuple[str, str], path: str = "foo") -> cd.Folder[V]:
    """Return the folder after edits (client, text), one after the other."""
    for nickname, text in changes:
        folder = cd.edit(folder, nickname, path, text.encode()).folder
    return folder


def polls(folder: cd.Folder[V], *pairs: str, path: str = "foo") -> cd.Folder[V]:
    """Return the folder after polls, each given as two letters: who polls whom."""
    for pair in pairs:
        folder = cd.poll(folder, pair[0], pair[1], path).folder
    return folder


def outcome(folder: cd.Folder[V], pair: str, path: str = "foo") -> cd.Outcome[V]:
    """Return the outcome of one poll."""
    return cd.poll(folder, pair[0], pair[1], path)


def found(folder: cd.Folder[V], pair: str, path: str = "foo") -> cd.Classification | None:
    """Return the classification of one poll."""
    return outcome(folder, pair, path).classification


def in_sync(design: cd.Design[V], nicknames: str, text: str = "X") -> cd.Folder[V]:
    """Return a folder whose clients all have version 1 of `foo`; each knows that the others do."""
    folder = edits(folder_of(design, nicknames), (nicknames[0], text))
    pairs = [a + b for a in nicknames for b in nicknames if a != b]
    return polls(folder, *pairs, *pairs)


def files(folder: cd.Folder[V], nickname: str) -> dict[str, str]:
    """Return the files that a client's user sees, as text."""
    return {
        name: content.decode()
        for name, content in cd.local_files(cd.client_named(folder, nickname)).items()
    }


def foo(folder: cd.Folder[V], nickname: str) -> cd.LocalFile[V]:
    """Return the file `foo` of a client."""
    return cd.file_of(cd.client_named(folder, nickname), "foo")


def directory(folder: cd.Folder[V], nickname: str) -> cd.Directory:
    """Return a client's own directory."""
    return cd.read_directory(
        folder.grid, cd.read_capability(cd.client_named(folder, nickname).write_capability)
    )
