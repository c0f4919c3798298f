"""Write a results file as the run goes, and take up one that was interrupted.

Each record is handed to the system as soon as its verdict is known, so that a run that is killed
loses at most the line it was writing. A finished file of the same configuration is replaced: its
adapter may have been mended since. A file of another configuration is never touched.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from rejoin_conformance.adapters.results.read import ResultsError, read_results
from rejoin_conformance.adapters.results.records import Key, header
from rejoin_conformance.kit.json_types import JsonObject, canonical_json

_NAMES: Final[Mapping[str, str]] = {
    "suite": "the version of the suite",
    "command": "the adapter's command",
    "adapter": "the adapter's hello",
    "selection": "the choice of vectors",
    "corpus": "the corpus",
    "timeout_ms": "the time limit",
    "known_failures": "the known failures",
}


class ResultsFile:
    """A results file that is being written; a context manager.

    done: what an interrupted run of the same configuration has left in it.
    """

    def __init__(
        self, path: Path, configuration: JsonObject, volatile: JsonObject, *, fresh: bool = False
    ) -> None:
        """Open or take up a file; with `fresh`, whatever it holds is discarded.

        Raises ResultsError where it cannot be written, is being written by another run, or holds
        results of another configuration.
        """
        self._path = path
        self.done: Mapping[Key, Mapping[str, Any]] = {}
        try:
            self._file = path.open("ab")
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise ResultsError(f"{path}: another run is writing it") from None
        except OSError as error:
            raise ResultsError(f"{path}: {error.strerror}") from None
        try:
            whole = 0 if fresh else self._take_up(path, configuration)
            os.ftruncate(self._file.fileno(), whole)
            if not whole:
                self.write(header(configuration, volatile))
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

    def write(self, value: JsonObject) -> None:
        """Add a line and hand it to the system; ResultsError where it takes no more."""
        try:
            self._file.write(canonical_json(value).encode("ascii") + b"\n")
            self._file.flush()
        except OSError as error:
            raise ResultsError(f"{self._path}: {error.strerror}") from None

    def _take_up(self, path: Path, configuration: JsonObject) -> int:
        """How many bytes of the file stay; sets `done`."""
        if b"\n" not in path.read_bytes():
            if _is_torn_header(path):
                return 0
            raise ResultsError(f"{path}: it holds something else than results")
        results = read_results(path)
        other = _differences(results.configuration, configuration)
        if other:
            raise ResultsError(
                f"{path} holds results of another run: {', '.join(other)} differ; "
                "name another file, or discard it with --fresh"
            )
        if results.footer is not None:
            return 0
        self.done = results.records
        return results.whole


def _is_torn_header(path: Path) -> bool:
    """Whether the file is empty or the beginning of a header."""
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
