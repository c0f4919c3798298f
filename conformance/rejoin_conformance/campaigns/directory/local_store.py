"""Keep a campaign in a folder: `manifest.json`, and one Parquet file for each wave in `blocks/`.

Each file is written under a temporary name, flushed to disk and renamed, so that readers see only
complete files. A lock that ends with its process excludes a second driver.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from attrs import frozen

from rejoin_conformance.campaigns.directory.checksums import table_with_checksums, verified_blocks
from rejoin_conformance.campaigns.directory.rows import FinishedBlock, wave_name
from rejoin_conformance.campaigns.directory.store import BusyError, FailedWriteError, StoreError
from rejoin_conformance.kit.json_types import (
    JsonObject,
    NotStrictJsonError,
    canonical_json,
    strict_json,
)

_MANIFEST: Final = "manifest.json"
_BLOCKS: Final = "blocks"
_LOCK: Final = "lock"
_UNFINISHED: Final = ".unfinished"


@frozen
class LocalStore:
    """The campaign in a folder of this machine."""

    folder: Path

    def manifest(self) -> JsonObject | None:
        """Return the manifest, or None if there is none. Raises StoreError if it is corrupt."""
        path = self.folder / _MANIFEST
        try:
            value = strict_json(path.read_bytes())
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreError(f"{path}: {error.strerror}") from None
        except NotStrictJsonError as error:
            raise StoreError(f"{path} is not the manifest of a campaign: {error}") from None
        if not isinstance(value, dict):
            raise StoreError(f"{path} is not the manifest of a campaign")
        return value

    def begin(self, manifest: JsonObject) -> None:
        """Write the manifest of a new campaign."""
        text = canonical_json(manifest) + "\n"
        self._write(self.folder / _MANIFEST, lambda file: file.write(text.encode("ascii")))

    def waves(self) -> Iterator[Sequence[FinishedBlock]]:
        """Yield the finished blocks of each file. Raises StoreError if a file cannot be read."""
        import pyarrow.parquet as pq  # noqa: PLC0415 - optional

        manifest = self.manifest()
        for path in sorted((self.folder / _BLOCKS).glob("*.parquet")):
            try:
                with pq.ParquetFile(path) as file:
                    blocks = tuple(verified_blocks(manifest, file.iter_batches()))
            except Exception as error:  # noqa: BLE001 - corrupt bytes can cause any of them
                reason = str(error).partition("\n")[0] or type(error).__name__
                if isinstance(error, KeyError):
                    reason = f"missing column {reason}"
                raise StoreError(
                    f"{path} cannot be read ({reason}); delete the file, and run the campaign "
                    "again to redo its blocks"
                ) from None
            yield blocks

    def keep(self, blocks: Sequence[FinishedBlock]) -> None:
        """Write a finished wave under the name of its first and last block."""
        import pyarrow.parquet as pq  # noqa: PLC0415 - optional

        path = self.folder / _BLOCKS / f"{wave_name(blocks)}.parquet"
        table = table_with_checksums(self.manifest(), blocks)
        self._write(path, lambda file: pq.write_table(table, file, compression="zstd"))

    def _write(self, path: Path, write: Callable[[BinaryIO], object]) -> None:
        unfinished = path.with_name(path.name + _UNFINISHED)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with unfinished.open("wb") as file:
                write(file)
                file.flush()
                os.fsync(file.fileno())
            unfinished.rename(path)
            _bring_to_disk(path.parent)
        except OSError as error:
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)
            reason = error.strerror or str(error)
            raise FailedWriteError(
                f"{self.folder} cannot be written to: {reason}; earlier blocks are saved: "
                "fix the folder and run the same command again"
            ) from None


@contextmanager
def locked(folder: Path) -> Iterator[LocalStore]:
    """Lock a folder for this process, and yield its store. Create the folder if it is missing.

    Raises BusyError if another process has locked it. Raises StoreError if it cannot be created, or
    has other files but no campaign; then nothing in it is changed.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _refuse_other_files(folder)
        lock = (folder / _LOCK).open("ab")
    except OSError as error:
        reason = "it is a file" if folder.is_file() else error.strerror
        raise StoreError(f"{folder} cannot be used as a campaign's folder: {reason}") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BusyError(
                f"another process runs the campaign in {folder}; wait for it to end, or choose "
                "another directory"
            ) from None
        except OSError as error:
            raise StoreError(f"{folder} cannot be locked: {error.strerror}") from None
        _remove_unfinished(folder)
        yield LocalStore(folder)


def _refuse_other_files(folder: Path) -> None:
    """Raise StoreError if a folder without a manifest has files that are not a campaign's."""
    ours = {_MANIFEST, _MANIFEST + _UNFINISHED, _BLOCKS, _LOCK}
    names = {path.name for path in folder.iterdir()}
    if _MANIFEST not in names and not names <= ours:
        raise StoreError(
            f"{folder} has other files but no campaign; choose an empty or a new folder"
        )


def _remove_unfinished(folder: Path) -> None:
    """Remove the incomplete files of an ended process, and no others."""
    leftovers = [folder / (_MANIFEST + _UNFINISHED)]
    leftovers += (folder / _BLOCKS).glob(f"*.parquet{_UNFINISHED}")
    for leftover in leftovers:
        with suppress(OSError):  # nobody reads it, and it is written again
            leftover.unlink(missing_ok=True)


def _bring_to_disk(folder: Path) -> None:
    """Flush a rename to disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
