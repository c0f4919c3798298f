"""The summary of a run: counts by verdict and by clause, and whether the adapter conforms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from operator import attrgetter

from attrs import define

from rejoin_conformance.adapters.results.failure_groups import in_reading_order
from rejoin_conformance.adapters.results.records import Record, count_verdicts
from rejoin_conformance.adapters.results.suspicion import Suspect, suspects
from rejoin_conformance.adapters.runner.known_failures import KnownFailure, KnownFailures
from rejoin_conformance.adapters.runner.verdict import BREAKS
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.judged import Judged


@define(frozen=True, kw_only=True, slots=False)
class RunSummary:
    """The records of a run in groups.

    failures: the unexpected failures in reading order. suspects: their clauses, the most suspected
        one first.
    known: the known failures that failed.
    unexpected_passes: the known failures that passed, so their entries are out of date.
    allow_restarts: whether the adapter can conform if an answer needed another process.
    """

    records: tuple[Record, ...]
    failures: tuple[Record, ...]
    suspects: tuple[Suspect, ...]
    known: tuple[tuple[Record, KnownFailure], ...]
    unexpected_passes: tuple[tuple[Record, KnownFailure], ...]
    allow_restarts: bool

    @property
    def begin(self) -> Record | None:
        """Return the failure to read first; None if no clause is under suspicion."""
        return self.failures[0] if self.suspects else None

    @cached_property
    def restarted(self) -> tuple[Record, ...]:
        """Return the records whose answer needed another process."""
        return tuple(each for each in self.records if each.volatile.restarted)

    @cached_property
    def verdicts(self) -> Mapping[str, int]:
        """Return verdict -> the number of records."""
        return count_verdicts(self.records)

    @cached_property
    def clauses(self) -> Mapping[str, Mapping[str, int]]:
        """Return clause -> verdict -> the number of records."""
        listed: dict[str, list[Record]] = {}
        for each in self.records:
            for clause in each.clauses:
                listed.setdefault(clause, []).append(each)
        return {clause: count_verdicts(listed[clause]) for clause in sorted(listed)}

    @property
    def exercised(self) -> int:
        """Return the number of cases that the adapter was asked."""
        return len(self.records) - self.verdicts["not-declared"]

    def judged(self, left_out: int) -> Judged:
        """Return what the run judged. left_out: the number of cases without a verdict."""
        silent = sum(self.verdicts[each] for each in BREAKS)
        restarts = 0 if self.allow_restarts else len(self.restarted)
        return Judged(
            asked=self.exercised,
            unanswered=silent,
            left_out=left_out,
            broken=len(self.failures) + len(self.unexpected_passes) + restarts,
        )

    @property
    def conformant(self) -> bool:
        """Return whether at least one case was asked, and every verdict is as expected."""
        return self.exercised > 0 and not self.violated

    @property
    def violated(self) -> bool:
        """Return whether a verdict is not as expected, or an answer needed another process."""
        return self.judged(0).broken > 0

    def to_json(self) -> JsonObject:
        """Return the summary as data, for `--json`."""
        return {
            "conformant": self.conformant,
            "exercised": self.exercised,
            "restarts": len(self.restarted),
            "allow_restarts": self.allow_restarts,
            "verdicts": dict(self.verdicts),
            "clauses": {
                clause: {verdict: count for verdict, count in counts.items() if count}
                for clause, counts in self.clauses.items()
            },
            "begin": None if self.begin is None else _named(self.begin),
            "suspects": [
                {"clause": each.clause, "failed": each.failed, "judged": each.judged}
                for each in self.suspects
            ],
            "failures": [*map(_failure, self.failures)],
            "known_failures": [_failure(each) for each, _ in self.known],
            "unexpected_passes": [_failure(each) for each, _ in self.unexpected_passes],
        }


def summarise(
    records: Iterable[Record], known: KnownFailures, *, allow_restarts: bool = False
) -> RunSummary:
    """Return the summary of records, sorted by ID and reading."""
    ordered = tuple(sorted(records, key=attrgetter("key")))
    listed = [(each, known.of(*each.key)) for each in ordered]
    failures = [each for each, entry in listed if each.failed and entry is None]
    expected = [(each, entry) for each, entry in listed if entry is not None]
    suspected = suspects(ordered, failures)
    return RunSummary(
        records=ordered,
        failures=in_reading_order(failures, suspected),
        suspects=suspected,
        known=tuple(each for each in expected if each[0].failed),
        unexpected_passes=tuple(each for each in expected if each[0].verdict == "pass"),
        allow_restarts=allow_restarts,
    )


def _named(each: Record) -> JsonObject:
    return {"id": each.id, "reading": each.reading}


def _failure(each: Record) -> JsonObject:
    return {**_named(each), "verdict": each.verdict, "explanation": each.explanation}
