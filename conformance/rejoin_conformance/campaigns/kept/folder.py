"""Keep results in a folder: a folder for each table, with a Parquet file for each slice of work.

Each file is written under a temporary name, flushed to disk and renamed, so that readers see only
complete files. The file of `blocks` comes last. A lock that ends with its process excludes a second
driver.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attrs import define, field

from rejoin_conformance.campaigns.kept.store import (
    Block,
    BusyError,
    FailedWriteError,
    StoreError,
    header_in,
    header_table,
    intact_blocks,
    latest_attempts,
    new_attempt,
    require_tables,
)
from rejoin_conformance.campaigns.tables import (
    BLOCKS,
    TABLES,
    Tables,
    arrow_schema,
    keys_of,
    narrow,
    sealed,
    wide_batch,
)
from rejoin_conformance.kit.json_types import JsonObject

if TYPE_CHECKING:
    import pyarrow as pa

SLICE_SECONDS: Final = 30
"""The seconds of work that an interruption can lose, at most."""

_CAMPAIGNS: Final = "campaigns"
_LOCK: Final = "lock"
_UNFINISHED: Final = ".unfinished"


@define
class Folder:
    """The results in a folder of this machine.

    attempt: the name of this run, in every row that it writes.
    """

    path: Path
    attempt: str = field(init=False, factory=new_attempt)
    _waiting: list[pa.RecordBatch] = field(init=False, factory=list)
    _since: float = field(init=False, factory=time.monotonic)

    @cached_property
    def campaign(self) -> str:
        """The ID of the work, which does not change while the store is in use."""
        return str((self.header() or {})["campaign"])

    def header(self) -> JsonObject | None:
        """Return the header, or None if there is none. Raises StoreError if it is corrupt."""
        paths = sorted((self.path / _CAMPAIGNS).glob("*.parquet"))
        if not paths:
            if any((self.path / BLOCKS).glob("*.parquet")):
                raise StoreError(
                    f"{self.path / _CAMPAIGNS} is missing, which says what the blocks belong to; "
                    "restore it, or choose another directory"
                )
            return None
        return header_in(_table_in(paths[0]), str(paths[0]))

    def begin(self, header: JsonObject) -> None:
        """Write the header of new work."""
        import pyarrow as pa  # noqa: PLC0415 - optional

        table = pa.table(header_table(header), schema=arrow_schema(_CAMPAIGNS))
        self._write(self.path / _CAMPAIGNS / f"{header['campaign']}.parquet", table)

    def blocks(self) -> Iterator[Block]:
        """Yield every finished block once. Raises StoreError if a file is not intact."""
        header = self.header()
        commits = {
            path: _commits_in(path) for path in sorted((self.path / BLOCKS).glob("*.parquet"))
        }
        latest = latest_attempts(key for each in commits.values() for key in keys_of(each))
        for path, own in commits.items():
            found = {BLOCKS: own}
            for table in TABLES:
                beside = self.path / table / path.name
                if table != BLOCKS and beside.exists():
                    found[table] = _table_in(beside)
            assert header is not None, "a folder with blocks has a header"
            yield from intact_blocks(str(header["campaign"]), found, str(path), latest)

    def add(self, block: int, tables: Tables) -> None:
        """Keep a block. It is written with others, after some seconds or by `flush`."""
        name = self.campaign
        self._waiting.append(wide_batch(name, self.attempt, block, sealed(name, block, tables)))
        if time.monotonic() > self._since + SLICE_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write the blocks that wait."""
        import pyarrow as pa  # noqa: PLC0415 - optional

        batches, self._waiting = self._waiting, []
        if batches:
            self.add_wide(pa.Table.from_batches(batches))
        self._since = time.monotonic()

    def add_wide(self, wide: pa.Table) -> None:
        """Write the blocks in a wide table, completely or not at all."""
        import pyarrow.compute as pc  # noqa: PLC0415 - optional

        blocks = narrow(wide, BLOCKS)
        first = pc.min(blocks["block"]).as_py()
        name = f"{first:010}-{blocks.num_rows}-{self.attempt}.parquet"
        for table in TABLES:  # `blocks` comes last
            rows = narrow(wide, table)
            if rows.num_rows:
                self._write(self.path / table / name, rows)

    def _write(self, path: Path, table: pa.Table) -> None:
        import pyarrow.parquet as pq  # noqa: PLC0415 - optional

        unfinished = path.with_name(path.name + _UNFINISHED)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with unfinished.open("wb") as file:
                pq.write_table(table, file, compression="zstd")
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

    At the end of the `with` block, the blocks that wait are written. Raises BusyError if another
    process has locked it. Raises StoreError if it cannot be created, or has other files but no
    results; then nothing in it is changed.
    """
    require_tables()
    try:
        path.mkdir(parents=True, exist_ok=True)
        names = {each.name for each in path.iterdir()}
        if _CAMPAIGNS not in names and not names <= {_LOCK, *TABLES}:
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
        for table in (_CAMPAIGNS, *TABLES):  # of a process that ended: nobody reads them
            for leftover in (path / table).glob(f"*.parquet{_UNFINISHED}"):
                with suppress(OSError):
                    leftover.unlink(missing_ok=True)
        folder = Folder(path)
        try:
            yield folder
        finally:
            folder.flush()


def _commits_in(path: Path) -> pa.Table:
    """Return the rows of a file of `blocks`. Raises StoreError if they are not as its name says."""
    table = _table_in(path)
    if path.stem.split("-")[1:2] != [str(table.num_rows)]:
        raise _unreadable(path, f"it has {table.num_rows} rows, unlike the number in its name")
    return table


def _table_in(path: Path) -> pa.Table:
    """Return the table in a file. Raises StoreError if it cannot be read."""
    require_tables()
    import pyarrow.parquet as pq  # noqa: PLC0415 - optional

    schema = arrow_schema(path.parent.name)
    try:
        with path.open("rb") as opened, pq.ParquetFile(opened) as file:  # its name may be no text
            table: pa.Table = file.read()
    except Exception as error:  # noqa: BLE001 - corrupt bytes can cause any of them
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise _unreadable(path, reason) from None
    if table.schema.remove_metadata() != schema:
        raise _unreadable(path, "its columns are not those of the table")
    return table


def _unreadable(path: Path, reason: str) -> StoreError:
    if path.parent.name == _CAMPAIGNS:
        return StoreError(f"{path} is corrupt ({reason}); choose another directory")
    return StoreError(
        f"{path} cannot be read ({reason}); delete {path.parent.parent / BLOCKS / path.name}, and "
        "run the command again to redo its blocks"
    )


def _bring_to_disk(folder: Path) -> None:
    """Flush a rename to disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
