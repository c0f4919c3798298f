"""Known failures: vectors that are expected to fail. The run reports them when they pass.

A TOML file has one table for each vector:

    [[failure]]
    id = "some-system/some-topic/some-vector"
    reading = "document"                       # optional; default: every reading
    reason = "integers above 2^53 are rounded"
    link = "https://example.org/issues/12"
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from rejoin_conformance.kit.json_types import Json, JsonObject

_REQUIRED: Final = ("id", "reason", "link")
_FIELDS: Final = (*_REQUIRED, "reading")


class KnownFailuresError(Exception):
    """An invalid file of known failures. The message names the file and the fault."""


@frozen(kw_only=True)
class KnownFailure:
    """A vector that is expected to fail.

    reason: why it fails. link: where that is discussed. reading: the reading in which it fails;
    None for all readings.
    """

    id: str
    reason: str
    link: str
    reading: str | None = None

    def to_json(self) -> JsonObject:
        """Return the entry as results write it."""
        value: JsonObject = {"id": self.id, "reason": self.reason, "link": self.link}
        if self.reading is not None:
            value["reading"] = self.reading
        return value


@frozen
class KnownFailures:
    """The known failures of one file."""

    failures: tuple[KnownFailure, ...] = ()

    def of(self, vector_id: str, reading: str) -> KnownFailure | None:
        """Return the entry for a vector in a reading, or None."""
        return next(
            (
                each
                for each in self.failures
                if each.id == vector_id and each.reading in {None, reading}
            ),
            None,
        )

    def to_json(self) -> list[Json]:
        """Return the entries as results write them."""
        return [each.to_json() for each in self.failures]


def load_known_failures(path: Path) -> KnownFailures:
    """Return the known failures in a file. Raises KnownFailuresError if the file is invalid."""
    try:
        value = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise KnownFailuresError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise KnownFailuresError(f"{path}: not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise KnownFailuresError(f"{path}: {error}") from None
    entries = value.pop("failure", [])
    if value or not isinstance(entries, list):
        raise KnownFailuresError(f"{path}: only [[failure]] tables are allowed")
    failures = tuple(_entry(path, place, each) for place, each in enumerate(entries, start=1))
    seen: set[tuple[str, str | None]] = set()
    for each in failures:
        if (each.id, each.reading) in seen:
            raise KnownFailuresError(f"{path}: {each.id} is listed twice")
        seen.add((each.id, each.reading))
    return KnownFailures(failures)


def refuse_unknown(path: Path, known: KnownFailures, ids: Collection[str]) -> None:
    """Raise KnownFailuresError for the first entry whose vector is not in `ids`."""
    for each in known.failures:
        if each.id not in ids:
            raise KnownFailuresError(
                f"{path}: the corpus has no vector {each.id!r}; remove the entry"
            )


def _entry(path: Path, place: int, value: Any) -> KnownFailure:
    if not isinstance(value, dict):
        raise KnownFailuresError(f"{path}: failure {place} is not a table")
    for name in value:
        if name not in _FIELDS:
            raise KnownFailuresError(f"{path}: failure {place} has the unknown field {name!r}")
    for name in _FIELDS:
        if name in _REQUIRED and name not in value:
            raise KnownFailuresError(f"{path}: failure {place} has no {name}")
        if not isinstance(value.get(name, ""), str):
            raise KnownFailuresError(f"{path}: failure {place}: {name} must be a string")
    return KnownFailure(
        id=value["id"],
        reason=value["reason"],
        link=value["link"],
        reading=value.get("reading"),
    )
