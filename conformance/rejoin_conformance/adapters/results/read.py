"""Read a results file, finished or interrupted. Every fault is a ResultsError."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from attrs import frozen

from rejoin_conformance.adapters.results.records import (
    FORMAT,
    Footer,
    Header,
    Key,
    Line,
    Record,
    digest_of_records,
    read_line,
)
from rejoin_conformance.kit.errors import ExpectedError
from rejoin_conformance.kit.json_forms import MalformedError
from rejoin_conformance.kit.json_types import JsonObject, NotStrictJsonError, strict_json

_NO_HEADER: Final = "line 1 is not the header of a results file"


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
    lines = [
        _line(path, place, line) for place, line in enumerate(data[:whole].splitlines(), start=1)
    ]
    if not lines:
        raise ResultsError(f"{path}: the file has no results")
    first, last = lines[0], lines[-1]
    if not isinstance(first, Header):
        raise ResultsError(f"{path}: {_NO_HEADER}")
    if first.format != FORMAT:
        raise ResultsError(f"{path}: the format is not {FORMAT}; run `rejoin run --results` again")
    footer = last if isinstance(last, Footer) else None
    records: dict[Key, Record] = {}
    for place, line in enumerate(lines[1 : len(lines) - (footer is not None)], start=2):
        if not isinstance(line, Record):
            raise ResultsError(f"{path}: line {place} is not a record")
        records[line.key] = line
    if footer is not None and footer.digest != digest_of_records(records.values()):
        raise ResultsError(
            f"{path}: the records do not match the digest in the last line: the file was changed "
            "after the run; run `rejoin run --results` again"
        )
    return Results(configuration=first.configuration, records=records, footer=footer, whole=whole)


def _line(path: Path, place: int, line: bytes) -> Line:
    try:
        return read_line(strict_json(line))
    except MalformedError as error:
        fault = _NO_HEADER if place == 1 else f"line {place}: {error}"
        raise ResultsError(f"{path}: {fault}") from None
    except NotStrictJsonError as error:
        fault = f"{_NO_HEADER} (line 1: {error})" if place == 1 else f"line {place}: {error}"
        raise ResultsError(f"{path}: {fault}") from None
