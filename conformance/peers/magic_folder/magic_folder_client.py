"""One client of magic-folder: its own database, cache, state machines, uploader and downloader.

Everything runs in this process and at once: the state machines are synchronous, the clock stands
still, and the grid is a dict. The files are real files in a temporary folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from magic_folder.config import MagicFolderConfig, SQLite3DatabaseLocation
from magic_folder.downloader import (
    LocalMagicFolderFilesystem,
    RemoteScannerService,
    RemoteSnapshotCacheService,
)
from magic_folder.magic_file import MagicFileFactory
from magic_folder.snapshot import create_local_author
from magic_folder.status import FolderStatus, IStatus
from magic_folder.uploader import LocalSnapshotCreator, LocalSnapshotService, UploaderService
from magic_folder.util.capabilities import Capability, random_dircap
from magic_folder.util.file import get_pathinfo
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock, Cooperator
from twisted.python.failure import Failure
from twisted.python.filepath import FilePath
from zope.interface import implementer

from magic_folder_grid import Grid, GridClient, Participant, Participants


class MagicFolderError(Exception):
    """magic-folder's own code failed, or waits for something that never happens."""


@implementer(IStatus)
class Status:
    """Receives what magic-folder reports of its work. It keeps the errors."""

    def __init__(self) -> None:
        self.errors: list[str] = []

    def error_occurred(self, _folder: str, message: str) -> None:
        """Keep an error."""
        self.errors.append(message)

    def __getattr__(self, name: str) -> Any:
        return lambda *_arguments, **_named: None


def done(deferred: Any) -> Any:
    """Return the result of a deferred, which must be there. Raises its failure."""
    if not isinstance(deferred, Deferred):
        return deferred
    results: list[Any] = []
    deferred.addBoth(results.append)
    if not results:
        raise MagicFolderError("magic-folder still waits after it has all that it asked for")
    if isinstance(results[0], Failure):
        results[0].raiseException()
    return results[0]


class MagicFolderClient:
    """A client with an empty folder."""

    def __init__(self, grid: Grid, nickname: str, home: Path) -> None:
        self._grid = grid
        grid.directories[nickname] = {}
        self.nickname = nickname
        self.folder = home / "folder"
        for name in ("folder", "stash", "staging"):
            (home / name).mkdir(parents=True)
        root, stash = FilePath(str(self.folder)), FilePath(str(home / "stash"))
        author = create_local_author(nickname)
        self.config = MagicFolderConfig.initialize(
            "folder",
            SQLite3DatabaseLocation.memory(),
            author,
            stash,
            random_dircap(readonly=True),
            random_dircap(),
            root,
            1,
            None,
        )
        self.status = Status()
        status = FolderStatus("folder", self.status)
        self.tahoe = GridClient(grid)
        at_once = Cooperator(
            terminationPredicateFactory=lambda: lambda: False, scheduler=lambda step: step()
        )
        creator = LocalSnapshotCreator(self.config, author, stash, root, self.tahoe, at_once)
        local = LocalSnapshotService(self.config, creator, status)
        uploader = UploaderService(self.config, status, self.tahoe)
        self.cache = RemoteSnapshotCacheService.from_config(self.config, self.tahoe)
        self._factory = MagicFileFactory(
            self.config,
            self.tahoe,
            status,
            local,
            uploader,
            Participant(grid, nickname, is_self=True),
            self.cache,
            LocalMagicFolderFilesystem(root, FilePath(str(home / "staging"))),
            synchronous=True,
        )
        self._participants = Participants()
        self.scanner = RemoteScannerService.from_config(
            Clock(),
            "folder",
            self.config,
            self._participants,
            self._factory,
            self.cache,
            self.status,
        )
        local.startService()
        uploader.startService()

    def path(self, relpath: str) -> Path:
        """Return the path of a file."""
        return self.folder / relpath

    def changed(self, relpath: str) -> None:
        """Let magic-folder notice that a file has changed, as its scanner does."""
        path = FilePath(str(self.path(relpath)))
        self.status.errors.clear()
        file = self._factory.magic_file_for(path)
        file.create_update()
        done(file.when_idle())
        self._refuse_errors()

    def remove_empty_folders(self) -> None:
        """Remove the folders without files, as a user does."""
        for path in sorted(self.folder.rglob("*"), reverse=True):
            if path.is_dir() and not any(path.iterdir()):
                path.rmdir()

    def is_conflict_file(self, relpath: str) -> bool:
        """Return whether magic-folder takes a name for that of a conflict file, and ignores it."""
        return bool(self.config.is_conflict_marker(FilePath(str(self.path(relpath)))))

    def poll(self, other: str, relpath: str | None) -> None:
        """Poll another client, for one file or for all."""
        self.status.errors.clear()
        self._participants.listed = [Participant(self._grid, other, is_self=False, only=relpath)]
        done(self.scanner._poll_collective())  # noqa: SLF001 - poll_once hides its errors
        self._refuse_errors()

    def _refuse_errors(self) -> None:
        if self.status.errors:
            raise MagicFolderError(self.status.errors[0])

    def version(self, relpath: str) -> str | None:
        """Return the capability of the client's version of a file, or None if it has none."""
        try:
            return str(self.config.get_remotesnapshot(relpath).danger_real_capability_string())
        except KeyError:
            return None

    def versions(self) -> dict[str, str]:
        """Return file -> capability of the client's version."""
        pairs = self.config.get_all_snapshot_paths_and_caps()
        return {path: cap.danger_real_capability_string() for path, cap in pairs}

    def take(self, relpath: str, cap: str) -> None:
        """Make a snapshot the client's version of a file, as if it had downloaded it."""
        snapshot = done(self.cache.get_snapshot_from_capability(Capability.from_string(cap)))
        self.path(relpath).write_bytes(b"taken")
        state = get_pathinfo(FilePath(str(self.path(relpath)))).state
        self.config.store_downloaded_snapshot(relpath, snapshot, state)

    def conflicts(self, relpath: str) -> dict[str, str]:
        """Return other client -> capability of its version that conflicts."""
        return {
            each.author_name: each.snapshot_cap.danger_real_capability_string()
            for each in self.config.list_conflicts_for(relpath)
        }

    def files(self) -> dict[str, bytes]:
        """Return name -> content of all files of the folder."""
        return {
            path.relative_to(self.folder).as_posix(): path.read_bytes()
            for path in sorted(self.folder.rglob("*"))
            if path.is_file()
        }
