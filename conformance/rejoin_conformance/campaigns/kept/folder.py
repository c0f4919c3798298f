"""Keep results in a folder: a folder for each table, with a Parquet file for each slice of work.

Each file is written under a temporary name, flushed to disk and renamed, so that readers see only
complete files. The file of `blocks` comes last. A lock that ends with its process excludes a second
driver.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rejoin_conformance.campaigns.kept.store import (
    CAMPAIGN,
    CAMPAIGNS,
    Store,
    StoreError,
    UnusableNowError,
    first_line,
    header_in,
    require_tables,
)
from rejoin_conformance.campaigns.tables import (
    BLOCKS,
    TABLES,
    Tables,
    arrow_schema,
    columns_of,
    narrow,
    wide_batch,
)
from rejoin_conformance.kit.errors import Interrupted
from rejoin_conformance.kit.files import open_input
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.text import counted

if TYPE_CHECKING:
    import pyarrow as pa

SLICE_SECONDS: Final = 30
"""The seconds of work that an interruption can lose, at most."""

_LOCK: Final = "lock"
_UNFINISHED: Final = ".unfinished"


class Folder(Store):
    """The results in a folder of this machine."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self.path = path
        self._waiting: list[pa.RecordBatch] = []
        self._since = time.monotonic()

    def header(self) -> JsonObject | None:
        """Return the header, or None if there is none. Raises StoreError if it is corrupt."""
        paths = sorted(self._files(CAMPAIGNS))
        if not paths:
            if any(self._files(BLOCKS)):
                raise StoreError(
                    f"{self.path / CAMPAIGNS} is missing, which says what the blocks belong to; "
                    "restore it, or choose another directory"
                )
            return None
        return header_in(_table_in(paths[0]), str(paths[0]))

    def parts(self) -> Iterator[tuple[str, Mapping[str, pa.Table]]]:
        """Yield the tables of each file of `blocks`, the latest attempt first."""
        paths = [(path.stem.rpartition("-")[2], path) for path in self._files(BLOCKS)]
        for _, path in sorted(paths, reverse=True):
            beside = {table: self.path / table / path.name for table in TABLES}
            yield (
                str(path),
                {table: _table_in(each) for table, each in beside.items() if each.exists()},
            )

    def done(self) -> str:
        """Return how much is finished, in a few words."""
        done: dict[int, int] = {}
        for path in self._files(BLOCKS):
            rows = _table_in(path)
            done |= zip(rows["block"].to_pylist(), rows["histories"].to_pylist(), strict=True)
        header: Any = self.header()
        if header is not None and header["kind"] == CAMPAIGN:
            return f"{sum(done.values()):,} of {header['plan']['histories']:,} histories"
        return counted(sum(done.values()), "finished piece")

    def _files(self, table: str) -> Iterator[Path]:
        return (self.path / table).glob("*.parquet")

    def add(self, block: int, tables: Tables) -> None:
        """Keep a block. It is written with others, after some seconds or by `flush`."""
        self._waiting.append(wide_batch(self.campaign, self.attempt, block, tables))
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
        name = f"{pc.min(blocks['block']).as_py():010}-{blocks.num_rows}-{self.attempt}"
        for table in TABLES:  # `blocks` comes last
            rows = narrow(wide, table)
            if rows.num_rows:
                self.write(table, rows, name)

    def write(self, table: str, rows: pa.Table, name: str) -> None:
        """Write a file of a table."""
        import pyarrow.parquet as pq  # noqa: PLC0415 - optional

        path = self.path / table / f"{name}.parquet"
        unfinished = path.with_name(path.name + _UNFINISHED)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with unfinished.open("wb") as file:
                pq.write_table(rows, file, compression="zstd")
                file.flush()
                os.fsync(file.fileno())
            unfinished.rename(path)
            handle = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(handle)  # so that the new name is on disk
            finally:
                os.close(handle)
        except OSError as error:
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)
            reason = error.strerror or str(error)
            raise UnusableNowError(
                f"{self.path} cannot be written to: {reason}; earlier blocks are saved: "
                "fix the folder and run the same command again"
            ) from None


@contextmanager
def kept_work(path: Path, header: JsonObject) -> Iterator[Folder]:
    """Lock a folder, and yield its store for the work of a header. Create it if it is missing.

    At the end of the `with` block, the blocks that wait are written; an interruption then says how
    much the folder keeps. Raises UnusableNowError if another process has locked it. Raises
    StoreError if it has other work, cannot be created, or has other files but no results; then
    nothing in it is changed.
    """
    require_tables()
    try:
        path.mkdir(parents=True, exist_ok=True)
        names = {each.name for each in path.iterdir()}
        if CAMPAIGNS not in names and not names <= {_LOCK, *TABLES}:
            raise StoreError(
                f"{path} has other files but no campaign; choose an empty or a new folder"
            )
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK  # a pipe does not block
        lock = os.fdopen(os.open(path / _LOCK, flags, 0o666), "ab")
    except OSError as error:
        reason = "it is a file" if path.is_file() else error.strerror
        how = "used as a campaign's folder" if path.exists() else "created"
        raise StoreError(f"{path} cannot be {how}: {reason}") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UnusableNowError(
                f"another process runs the campaign in {path}; wait for it to end, or choose "
                "another directory"
            ) from None
        except OSError as error:
            raise StoreError(f"{path} cannot be locked: {error.strerror}") from None
        for table in (CAMPAIGNS, *TABLES):  # of a process that ended: nobody reads them
            for leftover in (path / table).glob(f"*.parquet{_UNFINISHED}"):
                with suppress(OSError):
                    leftover.unlink(missing_ok=True)
        folder = Folder(path)
        folder.begin(header)
        try:
            yield folder
        except KeyboardInterrupt:
            folder.flush()
            raise Interrupted(f"{path} keeps {folder.done()}") from None
        finally:
            folder.flush()


def _table_in(path: Path) -> pa.Table:
    """Return the table in a file. Raises StoreError if it cannot be read.

    The name of a file of `blocks` has the number of its rows, because no checksum covers them.
    """
    require_tables()
    import pyarrow.parquet as pq  # noqa: PLC0415 - optional

    schema = arrow_schema(columns_of(path.parent.name))
    try:
        with open_input(path) as opened, pq.ParquetFile(opened) as file:  # its name may be no text
            # A corrupt size can take all memory. In a thread of Arrow's, that aborts the process.
            table: pa.Table = file.read(use_threads=False)
    except Exception as error:  # noqa: BLE001 - corrupt bytes can cause any of them
        raise _unreadable(path, first_line(error)) from None
    if table.schema.remove_metadata() != schema:
        raise _unreadable(path, "its columns are not those of the table")
    if path.parent.name == BLOCKS and path.stem.split("-")[1:2] != [str(table.num_rows)]:
        raise _unreadable(path, f"it has {table.num_rows} rows, unlike the number in its name")
    return table


def _unreadable(path: Path, reason: str) -> StoreError:
    if path.parent.name == CAMPAIGNS:
        return StoreError(f"{path} is corrupt ({reason}); choose another directory")
    return StoreError(
        f"{path} cannot be read ({reason}); delete {path.parent.parent / BLOCKS / path.name}, and "
        "run the command again to redo its blocks"
    )
