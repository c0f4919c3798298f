"""Keep a campaign in a folder: `manifest.json` and one Parquet file a wave below `blocks/`.

A file is written under a temporary name, brought to the disk and renamed, so that whoever reads
finds whole files alone. A lock that ends with its process keeps a second driver out.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from attrs import frozen

from rejoin_conformance.campaigns.directory.rows import (
    FinishedBlock,
    blocks_of,
    table_of,
    wave_name,
)
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
        """The manifest, or None where there is none. Raises StoreError where it is broken."""
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
        """Keep the manifest of a new campaign."""
        text = canonical_json(manifest) + "\n"
        self._write(self.folder / _MANIFEST, lambda file: file.write(text.encode("ascii")))

    def waves(self) -> Iterator[Sequence[FinishedBlock]]:
        """The finished blocks, file by file. Raises StoreError for a file that cannot be read."""
        import pyarrow as pa  # noqa: PLC0415 - optional
        import pyarrow.parquet as pq  # noqa: PLC0415 - optional

        for path in sorted((self.folder / _BLOCKS).glob("*.parquet")):
            try:
                blocks = tuple(blocks_of(pq.ParquetFile(path).iter_batches()))
            except (OSError, pa.ArrowException, KeyError, TypeError, ValueError) as error:
                reason = str(error).partition("\n")[0]
                if isinstance(error, KeyError):
                    reason = f"there is no {reason}"
                raise StoreError(
                    f"{path} cannot be read ({reason}); remove it, and its blocks are done again"
                ) from None
            yield blocks

    def keep(self, blocks: Sequence[FinishedBlock]) -> None:
        """Keep a finished wave under the name of its first and last block."""
        import pyarrow.parquet as pq  # noqa: PLC0415 - optional

        path = self.folder / _BLOCKS / f"{wave_name(blocks)}.parquet"
        table = table_of(blocks)
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
                f"{self.folder} cannot be written to: {reason}; "
                "what was finished before is kept: mend it and give the same command again"
            ) from None


@contextmanager
def locked(folder: Path) -> Iterator[LocalStore]:
    """The folder, made where it is missing, for this process alone.

    Raises BusyError while another process has it, StoreError where it cannot be made, and where it
    holds other files and no campaign; nothing is changed in it then.
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
            raise BusyError(f"another process runs the campaign in {folder}") from None
        except OSError as error:
            raise StoreError(f"{folder} cannot be locked: {error.strerror}") from None
        _remove_unfinished(folder)
        yield LocalStore(folder)


def _refuse_other_files(folder: Path) -> None:
    """A folder without a manifest may hold what a campaign leaves there, and nothing else."""
    ours = {_MANIFEST, _MANIFEST + _UNFINISHED, _BLOCKS, _LOCK}
    names = {path.name for path in folder.iterdir()}
    if _MANIFEST not in names and not names <= ours:
        raise StoreError(
            f"{folder} holds no campaign, but other files; name an empty or a new folder"
        )


def _remove_unfinished(folder: Path) -> None:
    """Remove what was half written when a process ended; other files are nobody's business."""
    leftovers = [folder / (_MANIFEST + _UNFINISHED)]
    leftovers += (folder / _BLOCKS).glob(f"*.parquet{_UNFINISHED}")
    for leftover in leftovers:
        with suppress(OSError):  # it is never read, and written anew
            leftover.unlink(missing_ok=True)


def _bring_to_disk(folder: Path) -> None:
    """Make a rename last, too."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
