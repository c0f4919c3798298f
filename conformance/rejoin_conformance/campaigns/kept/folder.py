"""Keep results in a folder: `manifest.json`, and one Parquet file for each group in `blocks/`.

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

from rejoin_conformance.campaigns.kept.store import (
    BusyError,
    FailedWriteError,
    Row,
    StoreError,
    group_name,
    object_in,
    rows_in,
    table_of,
)
from rejoin_conformance.kit.json_types import JsonObject, canonical_json

_HEADER: Final = "manifest.json"
_ROWS: Final = "blocks"
_LOCK: Final = "lock"
_UNFINISHED: Final = ".unfinished"


@frozen
class Folder:
    """The results in a folder of this machine."""

    path: Path

    def header(self) -> JsonObject | None:
        """Return the header, or None if there is none. Raises StoreError if it is corrupt."""
        path = self.path / _HEADER
        try:
            return object_in(path.read_bytes(), str(path))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreError(f"{path}: {error.strerror}") from None

    def begin(self, header: JsonObject) -> None:
        """Write the header of new work."""
        text = f"{canonical_json(header)}\n".encode("ascii")
        self._write(self.path / _HEADER, lambda file: file.write(text))

    def rows(self) -> Iterator[Sequence[Row]]:
        """Yield the rows of each file. Raises StoreError if a file cannot be read."""
        import pyarrow.parquet as pq  # noqa: PLC0415 - optional

        header = self.header()
        for path in sorted((self.path / _ROWS).glob("*.parquet")):
            try:
                with pq.ParquetFile(path) as file:
                    rows = tuple(rows_in(header, file.iter_batches()))
            except Exception as error:  # noqa: BLE001 - corrupt bytes can cause any of them
                reason = str(error).partition("\n")[0] or type(error).__name__
                if isinstance(error, KeyError):
                    reason = f"missing column {reason}"
                raise StoreError(
                    f"{path} cannot be read ({reason}); delete the file, and run the command "
                    "again to redo its blocks"
                ) from None
            yield rows

    def add(self, rows: Sequence[Row]) -> None:
        """Write a group of rows under the name of its first and last number."""
        import pyarrow.parquet as pq  # noqa: PLC0415 - optional

        path = self.path / _ROWS / f"{group_name(rows)}.parquet"
        table = table_of(self.header(), rows)
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
                f"{self.path} cannot be written to: {reason}; earlier blocks are saved: "
                "fix the folder and run the same command again"
            ) from None


@contextmanager
def locked(path: Path) -> Iterator[Folder]:
    """Lock a folder for this process, and yield its store. Create the folder if it is missing.

    Raises BusyError if another process has locked it. Raises StoreError if it cannot be created, or
    has other files but no results; then nothing in it is changed.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        names = {each.name for each in path.iterdir()}
        if _HEADER not in names and not names <= {_HEADER + _UNFINISHED, _ROWS, _LOCK}:
            raise StoreError(
                f"{path} has other files but no campaign; choose an empty or a new folder"
            )
        lock = (path / _LOCK).open("ab")
    except OSError as error:
        reason = "it is a file" if path.is_file() else error.strerror
        raise StoreError(f"{path} cannot be used as a campaign's folder: {reason}") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BusyError(
                f"another process runs the campaign in {path}; wait for it to end, or choose "
                "another directory"
            ) from None
        except OSError as error:
            raise StoreError(f"{path} cannot be locked: {error.strerror}") from None
        leftovers = (path / _ROWS).glob(f"*.parquet{_UNFINISHED}")
        for leftover in (path / (_HEADER + _UNFINISHED), *leftovers):  # of a process that ended
            with suppress(OSError):  # nobody reads it, and it is written again
                leftover.unlink(missing_ok=True)
        yield Folder(path)


def _bring_to_disk(folder: Path) -> None:
    """Flush a rename to disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
