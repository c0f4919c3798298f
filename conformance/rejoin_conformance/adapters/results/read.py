"""Read a results file, finished or torn; every fault is one ResultsError."""

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
    """A file that does not hold results, or not those that are wanted: one line on why."""


@frozen(kw_only=True)
class Results:
    """What a results file holds.

    records: the last record of each vector and reading, in the order of their first appearance.
    footer: None where the run was interrupted.
    whole: how many bytes of the file are whole lines; a torn last line is not among them.
    """

    configuration: JsonObject
    records: Mapping[Key, Mapping[str, Any]]
    footer: Mapping[str, Any] | None
    whole: int


def read_results(path: Path) -> Results:
    """The results in a file.

    Raises ResultsError where the file cannot be read, has no header, or has a broken line that is
    not its torn last one.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ResultsError(f"{path}: {error.strerror}") from None
    whole = data.rfind(b"\n") + 1
    lines = data[:whole].splitlines()
    if not lines:
        raise ResultsError(f"{path}: it holds no results")
    values = [_line(path, place, line) for place, line in enumerate(lines, start=1)]
    first = values[0]
    if first.get("type") != "header" or not isinstance(first.get("configuration"), dict):
        raise ResultsError(f"{path}: its first line is not the header of results")
    if first.get("format") != FORMAT:
        raise ResultsError(f"{path}: its format is not {FORMAT}")
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
