"""A results file: read it, finished or interrupted, and write it while a run proceeds.

Each record is written as soon as its verdict is known, so a killed run loses at most one line. Each
line has the digest of itself and of all lines before it, so a changed, lost, added or exchanged
line is noticed. A finished file of the same configuration is replaced, because its adapter may have
been fixed since. A file of another configuration is never changed. Every fault is a ResultsError.

Whoever reads a file gets no character that a terminal, a page or an XML file cannot take.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Final

from attrs import define, field, frozen

from rejoin_conformance.adapters.results.configuration import Configuration
from rejoin_conformance.adapters.results.records import (
    FORMAT,
    Footer,
    Header,
    Key,
    Line,
    Record,
    line_of,
    read_line,
)
from rejoin_conformance.kit.errors import ExpectedError
from rejoin_conformance.kit.files import read_input
from rejoin_conformance.kit.json_forms import MalformedError
from rejoin_conformance.kit.json_types import (
    JsonObject,
    NotStrictJsonError,
    canonical_json,
    strict_json,
)
from rejoin_conformance.kit.text import escaped

_NO_HEADER: Final = "line 1 is not the header of a results file"
_AGAIN: Final = "run `rejoin run --output` again"
_BEGINNING: Final = b'{"chain":"'
_DIGEST: Final = re.compile(rb'\{"chain":"[0-9a-f]{32}",')
_NOT_RESULTS: Final = "not a results file; choose another file"
_MOST_BYTES: Final = 1024**3
"""The maximum size of a results file."""


class ResultsError(ExpectedError):
    """A file without the wanted results. The message is one line with the reason."""


class LostResultsError(ResultsError):
    """Somebody removed, replaced or changed the file while the run wrote it."""

    code = 3


@frozen(kw_only=True)
class Results:
    """The content of a results file.

    records: the last record of each vector and reading, in the order of their first record.
    footer: None if the run was interrupted.
    whole: the length of all complete lines in bytes; the last line can be incomplete. chain: the
        digest in the last complete line.
    """

    configuration: Configuration
    records: Mapping[Key, Record]
    footer: Footer | None
    whole: int = 0
    chain: str = ""


def chained(before: str, line: JsonObject) -> str:
    """Return the digest that a line gets. before: that of the line before it; empty for none."""
    data = f"{before}\n{canonical_json(line)}".encode("ascii")
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def read_results(path: Path) -> Results:
    """Return the results in a file.

    Ignores an incomplete last line. Raises ResultsError if the file cannot be read, is not a
    results file, or has any line that the run did not write.
    """
    try:
        data = read_input(path, _MOST_BYTES)
    except OSError as error:
        raise ResultsError(f"{path}: {error.strerror}") from None
    whole = data.rfind(b"\n") + 1
    first, *texts = data[:whole].split(b"\n")[:-1] or [b""]
    try:
        return _results(first, texts, whole)
    except ValueError as error:
        raise ResultsError(f"{path}: {error}") from None


def _results(first: bytes, texts: list[bytes], whole: int) -> Results:
    value, chain = _object(1, first, "")
    if value.get("type") != "header":
        raise ValueError(_NO_HEADER if whole else "the file has no results")
    if value.get("format") != FORMAT:
        raise ValueError(f"the format is not {FORMAT}; {_AGAIN}")
    header = _line(1, value)
    assert isinstance(header, Header), "its type is header"
    records: dict[Key, Record] = {}
    footer = None
    for place, text in enumerate(texts, start=2):
        value, chain = _object(place, text, chain)
        line = _line(place, value)
        if footer is not None or isinstance(line, Header):
            raise ValueError(f"line {place} is not a record")
        if isinstance(line, Footer):
            footer = line
        else:
            records[line.key] = line
    return Results(
        configuration=header.configuration,
        records=records,
        footer=footer,
        whole=whole,
        chain=chain,
    )


def _object(place: int, text: bytes, before: str) -> tuple[JsonObject, str]:
    """Return a line without its digest, and the digest. Raises ValueError if it is wrong."""
    try:
        value = strict_json(text)
    except NotStrictJsonError as error:
        why = f"{_NO_HEADER} ({error})" if place == 1 else f"line {place}: {error}"
        raise ValueError(why) from None
    if not isinstance(value, dict) or (place == 1 and "chain" not in value):
        raise ValueError(_NO_HEADER if place == 1 else f"line {place} is not a record")
    chain = value.pop("chain", None)
    if chain != chained(before, value):
        why = "was changed, or a line before it is missing"
        raise ValueError(f"line {place} {why}; {_AGAIN}")
    return value, chain


def _line(place: int, value: JsonObject) -> Line:
    try:
        return read_line(escaped(value))
    except MalformedError as error:
        raise ValueError(f"line {place}: {error}") from None


@define
class ResultsFile:
    """A results file that is being written.

    done: the records of an interrupted run of the same configuration. chain: the digest in the last
    line so far. replaces: whether it had results of a whole run, which are lost.
    """

    path: Path
    done: Mapping[Key, Record]
    chain: str = field(repr=False)
    _file: IO[bytes] = field(repr=False)
    _length: int = field(default=0, repr=False)
    replaces: bool = False

    def write(self, line: Line) -> None:
        """Write a line. Raises ResultsError if the system cannot write it."""
        value = line_of(line)
        self.chain = chained(self.chain, value)
        text = canonical_json({"chain": self.chain, **value})
        try:
            self._file.write(text.encode("ascii") + b"\n")
            self._file.flush()
        except OSError as error:
            raise ResultsError(f"{self.path}: {error.strerror}") from None
        self._length += len(text) + 1
        self._refuse_lost()

    def _refuse_lost(self) -> None:
        """Raise LostResultsError if the path no longer names the file as this run wrote it."""
        with suppress(OSError):
            named = self.path.stat()
            same = os.path.samestat(named, os.fstat(self._file.fileno()))
            if same and named.st_size == self._length:
                return
        why = "another program removed, replaced or changed this file while the run wrote it"
        raise LostResultsError(f"{self.path}: {why}; run the same command again")

    def refuse_another(self, record: Record) -> None:
        """Raise ResultsError if a case that is asked again has another answer than before."""
        before = self.done.get(record.key)
        if before is not None and _answer(before) != _answer(record):
            name = f"{record.id} [{record.reading}]"
            raise ResultsError(
                f"{self.path}: the adapter now answers {name} otherwise than in this file; discard "
                "the file with --fresh"
            )


def _answer(record: Record) -> JsonObject:
    value: Any = escaped(line_of(record))
    return {name: value.get(name) for name in ("verdict", "fault", "observed")}


@contextmanager
def writing_results(
    path: Path, configuration: Configuration, volatile: JsonObject, *, fresh: bool = False
) -> Iterator[ResultsFile]:
    """Open a file, or resume an interrupted one. fresh: whether to discard previous results.

    Raises ResultsError if the file cannot be written, another run is writing it, or it has results
    of another configuration, or anything that is not results.
    """
    if path.exists() and not path.is_file():
        raise ResultsError(f"{path}: not a regular file; choose another file")
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
        _refuse_others(path)
        before = None if fresh else _interrupted(path, configuration)
        whole = before is None and not fresh and path.stat().st_size > 0
        os.ftruncate(opened.fileno(), 0 if before is None else before.whole)
        if before is None:
            results = ResultsFile(path, {}, "", opened, replaces=whole)
            results.write(Header(configuration, volatile))
        else:
            results = ResultsFile(path, before.records, before.chain, opened, before.whole)
        yield results


def _refuse_others(path: Path) -> None:
    """Raise ResultsError if a file is not empty and does not begin as a results file does."""
    with path.open("rb") as file:
        data = file.read(len(_BEGINNING) + 34)
    torn = len(data) < len(_BEGINNING) + 34 and b"\n" not in data
    if not _DIGEST.match(data) and not (torn and data.startswith(_BEGINNING[: len(data)])):
        raise ResultsError(f"{path}: {_NOT_RESULTS}")


def _interrupted(path: Path, configuration: Configuration) -> Results | None:
    """Return the results of an interrupted run; None if there are none to keep."""
    with path.open("rb") as file:
        if not file.readline(_MOST_BYTES).endswith(b"\n"):
            return None
    results = read_results(path)
    differ = results.configuration.differences(configuration)
    if differ:
        raise ResultsError(
            f"{path} has results of another run (not the same: {', '.join(differ)}); "
            "choose another file, or discard its content with --fresh"
        )
    return results if results.footer is None else None
