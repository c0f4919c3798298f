"""A results file: read it, finished or interrupted, and write it while a run proceeds.

Each record is written as soon as its verdict is known, so a killed run loses at most one line. A
finished file of the same configuration is replaced, because its adapter may have been fixed since.
A file of another configuration is never changed. Every fault is a ResultsError.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from attrs import frozen

from rejoin_conformance.adapters.results.records import (
    FORMAT,
    Footer,
    Header,
    Key,
    Line,
    Record,
    digest_of_records,
    line_of,
    read_line,
)
from rejoin_conformance.kit.errors import ExpectedError
from rejoin_conformance.kit.json_forms import MalformedError
from rejoin_conformance.kit.json_types import (
    JsonObject,
    NotStrictJsonError,
    canonical_json,
    strict_json,
)

_NO_HEADER: Final = "line 1 is not the header of a results file"
_BEGINNING: Final = b'{"configuration":'
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


class ResultsError(ExpectedError):
    """A file without the wanted results. The message is one line with the reason."""


@frozen(kw_only=True)
class Results:
    """The content of a results file.

    records: the last record of each vector and reading, in the order of their first record.
    footer: None if the run was interrupted.
    whole: the length of all complete lines in bytes; the last line can be incomplete.
    """

    configuration: JsonObject
    records: Mapping[Key, Record]
    footer: Footer | None
    whole: int


def read_results(path: Path) -> Results:
    """Return the results in a file.

    Ignores an incomplete last line. Raises ResultsError if the file cannot be read, has no header,
    has an invalid line, or has records that do not match its footer.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ResultsError(f"{path}: {error.strerror}") from None
    whole = data.rfind(b"\n") + 1
    lines = [_line(path, place, line) for place, line in enumerate(data[:whole].splitlines(), 1)]
    if not lines:
        raise ResultsError(f"{path}: the file has no results")
    first, last = lines[0], lines[-1]
    if not isinstance(first, Header):
        raise ResultsError(f"{path}: {_NO_HEADER}")
    if first.format != FORMAT:
        raise ResultsError(f"{path}: the format is not {FORMAT}; run `rejoin run --output` again")
    footer = last if isinstance(last, Footer) else None
    records: dict[Key, Record] = {}
    for place, line in enumerate(lines[1 : len(lines) - (footer is not None)], start=2):
        if not isinstance(line, Record):
            raise ResultsError(f"{path}: line {place} is not a record")
        records[line.key] = line
    if footer is not None and footer.digest != digest_of_records(records.values()):
        raise ResultsError(
            f"{path}: the records do not match the digest in the last line: the file was changed "
            "after the run; run `rejoin run --output` again"
        )
    return Results(configuration=first.configuration, records=records, footer=footer, whole=whole)


def _line(path: Path, place: int, line: bytes) -> Line:
    try:
        return read_line(strict_json(line))
    except (MalformedError, NotStrictJsonError) as error:
        fault = f"line {place}: {error}"
        if place == 1:
            fault = _NO_HEADER + (f" ({fault})" if isinstance(error, NotStrictJsonError) else "")
        raise ResultsError(f"{path}: {fault}") from None


@frozen
class ResultsFile:
    """A results file that is being written.

    done: the records of an interrupted run of the same configuration.
    """

    path: Path
    done: Mapping[Key, Record]
    _file: IO[bytes]

    def write(self, line: Line) -> None:
        """Write a line. Raises ResultsError if the system cannot write it."""
        try:
            self._file.write(canonical_json(line_of(line)).encode("ascii") + b"\n")
            self._file.flush()
        except OSError as error:
            raise ResultsError(f"{self.path}: {error.strerror}") from None


@contextmanager
def writing_results(
    path: Path, configuration: JsonObject, volatile: JsonObject, *, fresh: bool = False
) -> Iterator[ResultsFile]:
    """Open a file, or resume an interrupted one. fresh: whether to discard its content.

    Raises ResultsError if the file cannot be written, another run is writing it, or it has results
    of another configuration.
    """
    try:
        opened = path.open("ab")
    except OSError as error:
        raise ResultsError(f"{path}: {error.strerror}") from None
    with opened:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            why = "another run is writing this file; wait for it or choose another file"
            raise ResultsError(f"{path}: {why}") from None
        before = None if fresh else _interrupted(path, configuration)
        os.ftruncate(opened.fileno(), 0 if before is None else before.whole)
        results = ResultsFile(path, {} if before is None else before.records, opened)
        if before is None:
            results.write(Header(configuration, volatile))
        yield results


def _interrupted(path: Path, configuration: JsonObject) -> Results | None:
    """Return the results of an interrupted run; None if there are none to keep."""
    data = path.read_bytes()
    if b"\n" not in data:
        if _BEGINNING.startswith(data[: len(_BEGINNING)]):
            return None
        raise ResultsError(f"{path}: not a results file; choose another file")
    results = read_results(path)
    one, other = results.configuration, configuration
    differ = [
        _NAMES.get(name, name)
        for name in sorted({*one, *other})
        if canonical_json(one.get(name)) != canonical_json(other.get(name))
    ]
    if differ:
        raise ResultsError(
            f"{path} has results of another run ({', '.join(differ)} differ); "
            "choose another file, or discard its content with --fresh"
        )
    return results if results.footer is None else None
