"""One result file as one column of a report: the implementation and its results.

A result file may come from anywhere, and the adapter wrote most of it. Do not trust any value to
have a shape that `read_results` does not check.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from attrs import evolve, frozen

from rejoin_conformance.adapters.results.failure_groups import FailureGroup, grouped
from rejoin_conformance.adapters.results.file import Results
from rejoin_conformance.adapters.results.summary import RunSummary, summarise
from rejoin_conformance.adapters.runner.known_failures import KnownFailure, KnownFailures
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.untrusted import shown_line

Conclusion: TypeAlias = Literal["conformant", "not conformant", "incomplete"]

_NAME: Final = 60


@frozen(kw_only=True)
class Column:
    """A run of the corpus against an implementation.

    label: the name of the run in the report, unique among the columns; safe to show.
    details: further properties of the run, as (name, text); safe to show.
    command: the adapter's command as one types it; safe to show.
    finished: whether the run reached its end.
    """

    label: str
    details: tuple[tuple[str, str], ...]
    command: str
    summary: RunSummary
    finished: bool

    @property
    def conclusion(self) -> Conclusion:
        """Return the result in one word or two. An incomplete run can fail, but cannot conform."""
        if self.summary.violated:
            return "not conformant"
        if not self.finished or not self.summary.exercised:
            return "incomplete"
        return "conformant"

    @property
    def why_incomplete(self) -> str:
        """Return one clause that says why the run is incomplete; empty if it is complete."""
        if not self.finished:
            return "the run was interrupted"
        return "" if self.summary.exercised else "no vector was run"

    @property
    def failed(self) -> int:
        """Return the number of unexpected failures and unexpected passes."""
        return len(self.summary.failures) + len(self.summary.unexpected_passes)

    @property
    def restarts(self) -> str:
        """Return the number of answers that needed another process in words; empty if none did."""
        number = len(self.summary.restarted)
        allowed = " (allowed)" if self.summary.allow_restarts else ""
        return f"{counted(number, 'restart')}{allowed}" if number else ""

    def counts(self) -> str:
        """Return every verdict that occurs with its number, and the restarts, on one line."""
        verdicts = self.summary.verdicts.items()
        every = ", ".join(f"{count:,} {name}" for name, count in verdicts if count) or "no verdict"
        return f"{every}; {self.restarts}" if self.restarts else every

    def groups(self) -> list[tuple[FailureGroup, KnownFailure | None]]:
        """Return the unexpected failures in groups in reading order, then the known ones by ID."""
        known = ((FailureGroup(record, ()), entry) for record, entry in self.summary.known)
        return [*((group, None) for group in grouped(self.summary.failures)), *known]


def columns_of(files: Sequence[tuple[Path, Results]]) -> tuple[Column, ...]:
    """Return a column for each result file, in their order."""
    columns = [_column(results) for _, results in files]
    often = Counter(column.label for column in columns)
    named = [
        f"{column.label} ({shown_line(path.stem, _NAME)})" if often[column.label] > 1 else None
        for column, (path, _) in zip(columns, files, strict=True)
    ]
    twice = Counter(named)
    return tuple(
        column
        if name is None
        else evolve(column, label=name if twice[name] == 1 else f"{name} #{place}")
        for place, (column, name) in enumerate(zip(columns, named, strict=True), start=1)
    )


def worst(columns: Iterable[Column]) -> Conclusion:
    """Return the worst conclusion of all columns; conformant if there are none."""
    found = {column.conclusion for column in columns}
    order: tuple[Conclusion, ...] = ("not conformant", "incomplete")
    return next((each for each in order if each in found), "conformant")


def _column(results: Results) -> Column:
    adapter = _object(results.configuration.get("adapter"))
    name = _text(adapter, "name") or "(no name)"
    known = _known_failures(results.configuration)
    return Column(
        label=shown_line(f"{name} {_text(adapter, 'version')}".strip(), _NAME),
        details=tuple((title, text) for title, text in _details(results, adapter) if text),
        command=shown_line(shlex.join(_listed(results.configuration.get("command"))), 300),
        summary=summarise(
            results.records.values(),
            known,
            allow_restarts=results.configuration.get("allow_restarts") is True,
        ),
        finished=results.footer is not None,
    )


def _details(results: Results, adapter: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    yield "language", shown_line(_text(adapter, "language"), _NAME)
    yield "suite", shown_line(_text(results.configuration, "suite"), _NAME)
    used = sorted({(each.system, each.reading) for each in results.records.values()})
    yield "readings", shown_line(", ".join(f"{system}: {name}" for system, name in used), 300)
    selection = _object(results.configuration.get("selection"))
    chosen = [f"{name} {' '.join(_listed(selection[name]))}" for name in sorted(selection)]
    yield "only", shown_line("; ".join(chosen), 300)
    if results.footer is not None:
        yield "digest", shown_line(results.footer.digest[:16])


def _known_failures(configuration: JsonObject) -> KnownFailures:
    """Return the known failures of the run; invalid entries are skipped."""
    listed = configuration.get("known_failures")
    entries = [_object(each) for each in listed] if isinstance(listed, list) else []
    return KnownFailures(
        tuple(
            KnownFailure(
                id=_text(each, "id"),
                reason=_text(each, "reason"),
                link=_text(each, "link"),
                reading=_text(each, "reading") or None,
            )
            for each in entries
        )
    )


def _object(value: Json) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Mapping[str, Any], field: str) -> str:
    text = value.get(field, "")
    return text if isinstance(text, str) else ""


def _listed(value: Json) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
