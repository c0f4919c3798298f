"""One result file as one column of a report: the implementation and its results.

A result file may come from anywhere, and the adapter wrote most of it.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from attrs import evolve, frozen

from rejoin_conformance.adapters.results.failure_groups import FailureGroup, grouped
from rejoin_conformance.adapters.results.file import Results
from rejoin_conformance.adapters.results.summary import Conclusion, RunSummary, summarise
from rejoin_conformance.adapters.runner.known_failures import KnownFailure
from rejoin_conformance.kit.codec import plain
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.untrusted import shown_line

_NAME: Final = 60
_WORST_LAST: Final[tuple[Conclusion, ...]] = (
    "conforms",
    "no unexpected failure",
    "partial",
    "incomplete",
    "not conformant",
)


@frozen(kw_only=True)
class Column:
    """A run of the corpus against an implementation.

    label: the name of the run in the report, unique among the columns; safe to show.
    details: further properties of the run, as (name, text); safe to show.
    command: the adapter's command as one types it; safe to show.
    """

    label: str
    details: tuple[tuple[str, str], ...]
    command: str
    summary: RunSummary

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


def worst(columns: Iterable[Column]) -> Column:
    """Return the column with the worst conclusion."""
    return max(columns, key=lambda each: _WORST_LAST.index(each.summary.conclusion))


def _column(results: Results) -> Column:
    configuration = results.configuration
    hello = configuration.adapter
    return Column(
        label=shown_line(f"{hello.name} {hello.version}".strip(), _NAME),
        details=tuple((title, text) for title, text in _details(results) if text),
        command=shown_line(shlex.join(configuration.command), 300),
        summary=summarise(
            results.records.values(), configuration, finished=results.footer is not None
        ),
    )


def _details(results: Results) -> Iterable[tuple[str, str]]:
    configuration, footer = results.configuration, results.footer
    yield "language", shown_line(configuration.adapter.language, _NAME)
    yield "suite", shown_line(configuration.suite, _NAME)
    used = sorted({(each.system, each.reading) for each in results.records.values()})
    yield "readings", shown_line(", ".join(f"{system}: {name}" for system, name in used), 300)
    selection: dict[str, Any] = plain(configuration.selection)
    chosen = [f"{name} {' '.join(selection[name])}" for name in sorted(selection)]
    yield "only", shown_line("; ".join(chosen), 300)
    yield "corpus", shown_line(configuration.corpus.digest[:16])
    yield "digest", "" if footer is None else shown_line(footer.digest[:16])
