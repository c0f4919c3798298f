"""Write a results file while a run proceeds, and resume an interrupted one.

Each record is written as soon as its verdict is known, so a killed run loses at most one line. A
finished file of the same configuration is replaced, because its adapter may have been fixed since.
A file of another configuration is never changed.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from rejoin_conformance.adapters.results.read import ResultsError, read_results
from rejoin_conformance.adapters.results.records import Header, Key, Line, Record, line_of
from rejoin_conformance.kit.json_types import JsonObject, canonical_json

_NAMES: Final[Mapping[str, str]] = {
    "suite": "the version of the suite",
    "command": "the adapter's command",
    "adapter": "the adapter's hello",
    "selection": "the selected vectors",
    "corpus": "the corpus",
    "timeout_ms": "the time limit",
    "known_failures": "the known failures",
    "allow_restarts": "--allow-restarts",
}


class ResultsFile:
    """A results file that is being written. A context manager.

    done: the records of an interrupted run of the same configuration.
    """

    def __init__(
        self, path: Path, configuration: JsonObject, volatile: JsonObject, *, fresh: bool = False
    ) -> None:
        """Open a file, or resume an interrupted one. fresh: whether to discard its content.

        Raises ResultsError if the file cannot be written, another run is writing it, or it has
        results of another configuration.
        """
        self._path = path
        self.done: Mapping[Key, Record] = {}
        try:
            self._file = path.open("ab")
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise ResultsError(
                f"{path}: another run is writing this file; wait for it or choose another file"
            ) from None
        except OSError as error:
            raise ResultsError(f"{path}: {error.strerror}") from None
        try:
            whole = 0 if fresh else self._take_up(path, configuration)
            os.ftruncate(self._file.fileno(), whole)
            if not whole:
                self.write(Header(configuration, volatile))
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> ResultsFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._file.close()

    def write(self, line: Line) -> None:
        """Write a line. Raises ResultsError if the system cannot write it."""
        try:
            self._file.write(canonical_json(line_of(line)).encode("ascii") + b"\n")
            self._file.flush()
        except OSError as error:
            raise ResultsError(f"{self._path}: {error.strerror}") from None

    def _take_up(self, path: Path, configuration: JsonObject) -> int:
        """Return the number of bytes of the file to keep, and set `done`."""
        if b"\n" not in path.read_bytes():
            if _is_torn_header(path):
                return 0
            raise ResultsError(f"{path}: not a results file; choose another file")
        results = read_results(path)
        other = _differences(results.configuration, configuration)
        if other:
            raise ResultsError(
                f"{path} has results of another run ({', '.join(other)} differ); "
                "choose another file, or discard its content with --fresh"
            )
        if results.footer is not None:
            return 0
        self.done = results.records
        return results.whole


def _is_torn_header(path: Path) -> bool:
    """Return whether the file is empty or the beginning of a header."""
    start = b'{"configuration":'
    held = path.read_bytes()[: len(start)]
    return start.startswith(held)


def _differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    names: Iterable[str] = sorted(set(one) | set(other))
    return [
        _NAMES.get(name, name)
        for name in names
        if canonical_json(one.get(name)) != canonical_json(other.get(name))
    ]
