"""Read a results file, finished or interrupted. Every fault is a ResultsError."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from rejoin_conformance.adapters.results.records import FORMAT, Key, key_of
from rejoin_conformance.adapters.runner.verdict import VERDICTS
from rejoin_conformance.kit.json_types import JsonObject, NotStrictJsonError, strict_json

_RECORD_TEXTS: Final = ("id", "reading", "operation", "level")


class ResultsError(Exception):
    """A file without the wanted results. The message is one line with the reason."""


@frozen(kw_only=True)
class Results:
    """The content of a results file.

    records: the last record of each vector and reading, in the order of their first record.
    footer: None if the run was interrupted.
    whole: the length of all complete lines in bytes; the last line can be incomplete.
    """

    configuration: JsonObject
    records: Mapping[Key, Mapping[str, Any]]
    footer: Mapping[str, Any] | None
    whole: int


def read_results(path: Path) -> Results:
    """Return the results in a file.

    Ignores an incomplete last line. Raises ResultsError if the file cannot be read, has no header,
    or has an invalid line.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ResultsError(f"{path}: {error.strerror}") from None
    whole = data.rfind(b"\n") + 1
    lines = data[:whole].splitlines()
    if not lines:
        raise ResultsError(f"{path}: the file has no results")
    values = [_line(path, place, line) for place, line in enumerate(lines, start=1)]
    first = values[0]
    if first.get("type") != "header" or not isinstance(first.get("configuration"), dict):
        raise ResultsError(f"{path}: line 1 is not the header of a results file")
    if first.get("format") != FORMAT:
        raise ResultsError(f"{path}: the format is not {FORMAT}; run `rejoin run --results` again")
    footer = values[-1] if values[-1].get("type") == "footer" else None
    records: dict[Key, Mapping[str, Any]] = {}
    for place, value in enumerate(values[1 : len(values) - (footer is not None)], start=2):
        if not _is_record(value):
            raise ResultsError(f"{path}: line {place} is not a record")
        records[key_of(value)] = value
    return Results(
        configuration=first["configuration"], records=records, footer=footer, whole=whole
    )


def _line(path: Path, place: int, line: bytes) -> dict[str, Any]:
    try:
        value = strict_json(line)
    except NotStrictJsonError as error:
        raise ResultsError(f"{path}: line {place}: {error}") from None
    if not isinstance(value, dict):
        raise ResultsError(f"{path}: line {place} is not an object")
    return value


def _is_record(value: Mapping[str, Any]) -> bool:
    clauses = value.get("clauses")
    return (
        value.get("type") == "vector"
        and all(isinstance(value.get(name), str) for name in _RECORD_TEXTS)
        and value.get("verdict") in VERDICTS
        and isinstance(clauses, list)
        and all(isinstance(clause, str) for clause in clauses)
        and isinstance(value.get("explanation", ""), str)
    )
