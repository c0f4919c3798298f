"""The summary of a run: counts by verdict and by clause, and whether the adapter conforms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import attrgetter

from attrs import frozen

from rejoin_conformance.adapters.results.failure_groups import first_to_read, in_reading_order
from rejoin_conformance.adapters.results.records import Record, count_verdicts
from rejoin_conformance.adapters.results.suspicion import Suspect, suspects
from rejoin_conformance.adapters.runner.known_failures import KnownFailure, KnownFailures
from rejoin_conformance.kit.json_types import Json, JsonObject


@frozen(kw_only=True)
class RunSummary:
    """The records of a run in groups.

    failures: the unexpected failures in reading order, `begin` first. suspects: their clauses, the
        most suspected one first. begin: the failure to read first; None without failures.
    known: the known failures that failed.
    unexpected_passes: the known failures that passed, so their entries are out of date.
    restarted: the records whose answer needed another process. allow_restarts: whether the adapter
        can conform nevertheless.
    clauses: clause -> verdict -> number of records.
    """

    records: tuple[Record, ...]
    verdicts: Mapping[str, int]
    failures: tuple[Record, ...]
    suspects: tuple[Suspect, ...]
    begin: Record | None
    known: tuple[tuple[Record, KnownFailure], ...]
    unexpected_passes: tuple[tuple[Record, KnownFailure], ...]
    restarted: tuple[Record, ...]
    allow_restarts: bool
    clauses: Mapping[str, Mapping[str, int]]

    @property
    def exercised(self) -> int:
        """Return the number of cases that the adapter was asked."""
        return len(self.records) - self.verdicts["not-declared"]

    @property
    def conformant(self) -> bool:
        """Return whether at least one case was asked, and every verdict is as expected."""
        return self.exercised > 0 and not self.violated

    @property
    def violated(self) -> bool:
        """Return whether a verdict is not as expected, or an answer needed another process."""
        return bool(
            self.failures or self.unexpected_passes or (self.restarted and not self.allow_restarts)
        )

    def to_json(self) -> JsonObject:
        """Return the summary as data, for `--json`."""
        verdicts: JsonObject = dict(self.verdicts)
        clauses: JsonObject = {
            clause: {verdict: count for verdict, count in counts.items() if count}
            for clause, counts in self.clauses.items()
        }
        return {
            "conformant": self.conformant,
            "exercised": self.exercised,
            "restarts": len(self.restarted),
            "allow_restarts": self.allow_restarts,
            "verdicts": verdicts,
            "clauses": clauses,
            "begin": None
            if self.begin is None
            else {"id": self.begin.id, "reading": self.begin.reading},
            "suspects": [
                {"clause": each.clause, "failed": each.failed, "judged": each.judged}
                for each in self.suspects
            ],
            "failures": [_failure(each) for each in self.failures],
            "known_failures": [_failure(each) for each, _ in self.known],
            "unexpected_passes": [_failure(each) for each, _ in self.unexpected_passes],
        }


def summarise(
    records: Iterable[Record], known: KnownFailures, *, allow_restarts: bool = False
) -> RunSummary:
    """Return the summary of records, sorted by ID and reading."""
    ordered = tuple(sorted(records, key=attrgetter("key")))
    failures: list[Record] = []
    expected: list[tuple[Record, KnownFailure]] = []
    unexpected_passes: list[tuple[Record, KnownFailure]] = []
    for each in ordered:
        entry = known.of(each.id, each.reading)
        if each.failed:
            if entry is None:
                failures.append(each)
            else:
                expected.append((each, entry))
        elif each.verdict == "pass" and entry is not None:
            unexpected_passes.append((each, entry))
    by_clause: dict[str, list[Record]] = {}
    for each in ordered:
        for clause in each.clauses:
            by_clause.setdefault(clause, []).append(each)
    suspected = suspects(ordered, failures)
    listed = in_reading_order(failures, suspected)
    begin = first_to_read(listed, suspected)
    if begin is not None:
        listed = (begin, *(each for each in listed if each is not begin))
    return RunSummary(
        records=ordered,
        verdicts=count_verdicts(ordered),
        failures=listed,
        suspects=suspected,
        begin=begin,
        known=tuple(expected),
        unexpected_passes=tuple(unexpected_passes),
        restarted=tuple(each for each in ordered if each.volatile.restarted),
        allow_restarts=allow_restarts,
        clauses={clause: count_verdicts(by_clause[clause]) for clause in sorted(by_clause)},
    )


def _named(each: Record) -> JsonObject:
    return {"id": each.id, "reading": each.reading}


def _failure(each: Record) -> Json:
    return {
        **_named(each),
        "verdict": each.verdict,
        "explanation": each.explanation,
    }
