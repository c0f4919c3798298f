"""Keep results in a file: a line with the header, then a line for each row.

A line that an interruption cut off is ignored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import frozen

from rejoin_conformance.campaigns.kept.store import (
    FailedWriteError,
    Row,
    StoreError,
    begin_or_go_on,
    object_in,
)
from rejoin_conformance.kit.json_types import JsonObject, canonical_json


@frozen
class Lines:
    """The results in a file."""

    path: Path

    def header(self) -> JsonObject | None:
        """Return the header, or None if there is no file. Raises StoreError."""
        lines = self._lines()
        return object_in(lines[0], f"{self.path}, line 1") if lines else None

    def begin(self, header: JsonObject) -> None:
        """Start the file and its folder."""
        self._write("w", header)

    def rows(self) -> Iterator[Sequence[Row]]:
        """Yield all rows as one group. Raises StoreError if a line is not an object."""
        lines = self._lines()
        yield [
            object_in(line, f"{self.path}, line {number}; delete the file: the line")
            for number, line in enumerate(lines[1:], start=2)
        ]

    def add(self, rows: Sequence[Row]) -> None:
        """Append rows to the file."""
        self._write("a", *rows)

    def _lines(self) -> list[str]:
        """Return the complete lines, and remove an incomplete one."""
        try:
            text = self.path.read_text(encoding="utf-8")
            whole = text[: text.rfind("\n") + 1]
            if whole != text:  # a new line must not continue the one that was cut off
                self.path.write_text(whole, encoding="utf-8", newline="\n")
        except FileNotFoundError:
            return []
        except (OSError, ValueError) as error:
            raise StoreError(f"{self.path}: {error}; choose another folder") from None
        return whole.splitlines()

    def _write(self, mode: str, *values: JsonObject) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open(mode, encoding="utf-8", newline="\n") as file:
                file.writelines(f"{canonical_json(each)}\n" for each in values)
        except OSError as error:
            raise FailedWriteError(f"{self.path} cannot be written to: {error.strerror}") from None


def lines_of(path: Path, header: JsonObject) -> Lines:
    """Return the store in a file; start the file if there is none.

    Raises StoreError if the file cannot be read, or has results of other work.
    """
    store = Lines(path)
    begin_or_go_on(store, header, str(path))
    return store
