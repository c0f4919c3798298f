"""Results kept in a file, so that an interrupted run continues where it stopped.

The file has a header that says what the results depend on, then one JSON object on each line. A
line that an interruption cut off is ignored.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from attrs import field, frozen

from rejoin_conformance.kit.json_types import (
    JsonObject,
    NotStrictJsonError,
    canonical_json,
    strict_json,
)


class KeptResultsError(Exception):
    """A file of results that cannot be used: one line with the file and what to do."""


@frozen(eq=False)
class KeptLines:
    """A file of results. lines: the results in it, as data."""

    path: Path
    lines: list[Any] = field(factory=list)

    def add(self, values: Iterable[JsonObject]) -> None:
        """Append results to the file."""
        new = [*values]
        with self.path.open("a", encoding="utf-8", newline="\n") as file:
            file.writelines(f"{canonical_json(each)}\n" for each in new)
        self.lines.extend(new)

    def malformed(self) -> KeptResultsError:
        """Return the error for a line that is not a result."""
        return KeptResultsError(f"{self.path}: a line that is not a result. Delete the file")


def kept_lines(path: Path, header: JsonObject) -> KeptLines:
    """Return the results in a file; start the file and its folder if there is none.

    Raises KeptResultsError if the file cannot be read, or has another header.
    """
    start = f"{canonical_json(header)}\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.write_text(start, encoding="utf-8", newline="\n")
        first, *lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    except (OSError, ValueError) as error:
        raise KeptResultsError(f"{path}: {error}. Choose another folder") from None
    if first != start:
        raise KeptResultsError(
            f"{path}: the results of other code, other vectors or other options. Delete the file, "
            "or choose another folder"
        )
    whole = [line for line in lines if line.endswith("\n")]
    kept = KeptLines(path)
    try:
        kept.lines.extend(strict_json(line) for line in whole)
    except NotStrictJsonError:
        raise kept.malformed() from None
    if len(whole) < len(lines):  # a new line must not continue the one that was cut off
        path.write_text("".join([first, *whole]), encoding="utf-8", newline="\n")
    return kept
