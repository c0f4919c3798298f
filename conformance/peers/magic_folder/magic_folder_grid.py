"""A grid in memory: the only part of Tahoe-LAFS that magic-folder's own code is given.

A capability names its object by a hash, as Tahoe-LAFS does. Every answer is there at once.
"""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any, BinaryIO

from magic_folder.participants import IParticipant, IWriteableParticipant, SnapshotEntry
from magic_folder.util.capabilities import Capability
from twisted.internet.defer import succeed
from zope.interface import implementer


def capability(kind: str, data: bytes) -> Any:
    """Return the capability of an object. kind: `CHK` for a file, `DIR2-CHK` for a directory."""
    digest = hashlib.sha256(kind.encode() + data).digest()
    key, integrity = (
        base64.b32encode(part).decode().lower().rstrip("=") for part in (digest[:16], digest)
    )
    return Capability.from_string(f"URI:{kind}:{key}:{integrity}:1:1:{len(data)}")


class Grid:
    """Objects by capability, and each client's directory: file -> capability of a snapshot."""

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}
        self.directories: dict[str, dict[str, Any]] = {}

    def store(self, kind: str, data: bytes) -> Any:
        """Store an object and return its capability."""
        cap = capability(kind, data)
        self.objects[cap.danger_real_capability_string()] = data
        return cap

    def read(self, cap: Any) -> bytes:
        """Return the object of a capability."""
        return self.objects[cap.danger_real_capability_string()]


class GridClient:
    """The methods of magic-folder's Tahoe client that snapshots need."""

    def __init__(self, grid: Grid) -> None:
        self._grid = grid
        self.downloaded: list[str] = []

    def create_immutable(self, producer: Any) -> Any:
        """Store a file, given as bytes or as a body producer of Twisted."""
        data = producer if isinstance(producer, bytes) else producer._inputFile.read()  # noqa: SLF001
        return succeed(self._grid.store("CHK", data))

    def create_immutable_directory(self, children: Any) -> Any:
        """Store a directory."""
        data = json.dumps(children, sort_keys=True).encode()
        return succeed(self._grid.store("DIR2-CHK", data))

    def directory_data(self, cap: Any) -> Any:
        """Return the children of a directory."""
        self.downloaded.append(cap.danger_real_capability_string())
        return succeed({"children": json.loads(self._grid.read(cap))})

    def download_file(self, cap: Any) -> Any:
        """Return the bytes of a file."""
        return succeed(self._grid.read(cap))

    def stream_capability(self, cap: Any, file: BinaryIO) -> Any:
        """Write the bytes of a file into another one."""
        file.write(self._grid.read(cap))
        return succeed(None)


@implementer(IParticipant, IWriteableParticipant)
class Participant:
    """A client as magic-folder sees it: its directory in the grid.

    only: the one file to show, or None for all.
    """

    def __init__(self, grid: Grid, name: str, *, is_self: bool, only: str | None = None) -> None:
        self._grid = grid
        self.name = name
        self.is_self = is_self
        self._only = only

    def files(self) -> Any:
        """Return the entries of the directory."""
        entries = self._grid.directories[self.name].items()
        return succeed(
            {
                path: SnapshotEntry(cap, {"version": 1})
                for path, cap in entries
                if self._only in {None, path}
            }
        )

    def update_snapshot(self, relpath: str, cap: Any) -> Any:
        """Link a snapshot in the directory."""
        self._grid.directories[self.name][relpath] = cap
        return succeed(None)


class Participants:
    """The clients that a poll looks at."""

    def __init__(self) -> None:
        self.listed: list[Participant] = []

    def list(self) -> Any:
        """Return the clients."""
        return succeed(self.listed)
