"""The summary of a run: counts by verdict and by clause, and the conclusion.

An implementation conforms to a profile of the spec if it passes the whole profile. Everything else
that fails nothing is partial.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from functools import cached_property
from operator import attrgetter
from typing import Final, Literal, TypeAlias

from attrs import define

from rejoin_conformance.adapters.results.configuration import Configuration, Wanted
from rejoin_conformance.adapters.results.failure_groups import in_reading_order
from rejoin_conformance.adapters.results.records import Record, count_verdicts
from rejoin_conformance.adapters.results.suspicion import Suspect, suspects
from rejoin_conformance.adapters.runner.cases import BREAKS
from rejoin_conformance.adapters.runner.known_failures import KnownFailure
from rejoin_conformance.kit.document import Kind
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.judged import Judged
from rejoin_conformance.kit.text import counted

Conclusion: TypeAlias = Literal[
    "conforms", "no unexpected failure", "partial", "incomplete", "not conformant"
]

MARKS: Final[Mapping[Conclusion, Kind]] = {
    "conforms": "pass",
    "no unexpected failure": "known",
    "partial": "known",
    "incomplete": "known",
    "not conformant": "fail",
}
"""Conclusion -> its mark in a document, the worst conclusion last."""


@define(frozen=True, kw_only=True, slots=False)
class RunSummary:
    """The records of a run in groups.

    finished: whether the run reached its end.
    failures: the unexpected failures in reading order. suspects: their clauses, the most suspected
        one first.
    known: the known failures that failed.
    unexpected_passes: the known failures that passed, so their entries are out of date.
    """

    configuration: Configuration
    finished: bool
    records: tuple[Record, ...]
    failures: tuple[Record, ...]
    suspects: tuple[Suspect, ...]
    known: tuple[tuple[Record, KnownFailure], ...]
    unexpected_passes: tuple[tuple[Record, KnownFailure], ...]

    @property
    def allow_restarts(self) -> bool:
        """Return whether answers that needed another process are accepted."""
        return self.configuration.allow_restarts

    @property
    def begin(self) -> Record | None:
        """Return the failure to read first."""
        return next(iter(self.failures), None)

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

    @property
    def left(self) -> int:
        """Return the number of cases without a verdict."""
        return max(0, self.configuration.corpus.cases - len(self.records))

    @cached_property
    def judged(self) -> Judged:
        """Return what the run judged."""
        restarts = 0 if self.allow_restarts else len(self.restarted)
        wanted = (each for each in self._profiles if each.name in self.configuration.conformance)
        return Judged(
            asked=self.exercised,
            unanswered=sum(self.verdicts[each] for each in BREAKS),
            left_out=self.left + (not self.finished) + sum(map(self.missing, wanted)),
            broken=len(self.failures) + len(self.unexpected_passes) + restarts,
        )

    @property
    def _profiles(self) -> tuple[Wanted, ...]:
        return self.configuration.corpus.profiles

    def missing(self, profile: Wanted) -> int:
        """Return the number of verdicts that the profile lacks.

        If all are passes, this is the number of operations that no vector of a reading tries.
        """
        of_profile = [each for each in self.records if each.operation in profile.operations]
        untried = min(map(len, self._untried(profile).values()), default=len(profile.operations))
        passed = sum(
            each.verdict == "pass" or each.missing in profile.operations[each.operation]
            for each in of_profile
        )
        return max(profile.cases, len(of_profile)) - passed or untried

    def _untried(self, profile: Wanted) -> Mapping[tuple[str, str], Set[str]]:
        """Return (system, reading) -> the operations of a profile that no vector tries in it."""
        tried: dict[tuple[str, str], set[str]] = {}
        for each in self.records:
            if each.operation in profile.operations:
                tried.setdefault((each.system, each.reading), set()).add(each.operation)
        return {reading: profile.operations.keys() - some for reading, some in tried.items()}

    @cached_property
    def conforms_to(self) -> tuple[str, ...]:
        """Return the profiles of which every vector passed."""
        whole = not self.judged.broken
        return tuple(each.name for each in self._profiles if whole and not self.missing(each))

    @cached_property
    def conclusion(self) -> Conclusion:
        """Return the conclusion. An incomplete run can fail, but cannot conform."""
        if self.judged.broken:
            return "not conformant"
        if self.judged.exit_code:
            return "incomplete"
        if self.conforms_to:
            return "conforms"
        return "no unexpected failure" if self.known else "partial"

    @property
    def why_incomplete(self) -> str:
        """Return one clause that says why the run is incomplete; empty if it is complete."""
        if not self.finished:
            return "the run was interrupted"
        if not self.exercised:
            return "no vector was run"
        lacking = (
            f"{each.name} lacks a pass in {self.missing(each):,} of "
            + counted(each.cases, "verdict")
            for each in self._profiles
            if each.name in self.configuration.conformance and self.missing(each)
        )
        return "; ".join(lacking)

    @cached_property
    def verdict(self) -> str:
        """Return the conclusion with what it rests on: the same words in every report."""
        return "".join(self._said())

    def _said(self) -> Iterator[str]:
        known = f"{len(self.known):,} known to fail" if self.known else ""
        match self.conclusion:
            case "conforms":
                yield f"conforms to {' and '.join(self.conforms_to)}"
                yield f", {known}" if known else ""
            case "no unexpected failure":
                yield f"no unexpected failure, {known}"
            case "partial":
                asked = [each for each in self.records if each.answers]
                operations = len({each.operation for each in asked})
                clauses = len({name for each in asked for name in each.clauses})
                corpus = self.configuration.corpus
                yield f"partial: {operations} of {counted(corpus.operations, 'operation')}, "
                yield f"{clauses} of {counted(corpus.clauses, 'clause')}"
            case "incomplete":
                yield f"incomplete: {self.why_incomplete}"
            case other:
                yield other
                passing = len(self.unexpected_passes)
                yield f", {counted(passing, 'known failure')} did not fail" if passing else ""
                yield f", {known}" if known else ""
        yield f" ({self.readings})" if self.exercised else ""

    @property
    def readings(self) -> str:
        """Return the readings that were asked, by system; to conform, those of whole profiles."""
        kept = [each for each in self._profiles if each.name in self.conforms_to]
        parts = {
            reading
            for each in kept
            if self.conclusion == "conforms"
            for reading, untried in self._untried(each).items()
            if untried
        }
        answered = {(each.system, each.reading) for each in self.records if each.answers}
        asked = sorted(answered - parts)
        systems = dict.fromkeys(system for system, _ in asked)
        names = {name: [reading for system, reading in asked if system == name] for name in systems}
        return "; ".join(f"{name} {', '.join(read)}" for name, read in names.items())

    def to_json(self) -> JsonObject:
        """Return the summary as data, for `--json`."""
        return {
            "conclusion": self.conclusion,
            "verdict": self.verdict,
            "conforms_to": [*self.conforms_to],
            "corpus": self.configuration.corpus.digest,
            "exercised": self.exercised,
            "not_run": self.left,
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
    records: Iterable[Record], configuration: Configuration, *, finished: bool = True
) -> RunSummary:
    """Return the summary of records, sorted by ID and reading."""
    ordered = tuple(sorted(records, key=attrgetter("key")))
    listed = [(each, configuration.known.of(*each.key)) for each in ordered]
    failures = [each for each, entry in listed if each.failed and entry is None]
    expected = [(each, entry) for each, entry in listed if entry is not None]
    suspected = suspects(ordered, failures)
    return RunSummary(
        configuration=configuration,
        finished=finished,
        records=ordered,
        failures=in_reading_order(failures, suspected),
        suspects=suspected,
        known=tuple(each for each in expected if each[0].failed),
        unexpected_passes=tuple(each for each in expected if each[0].verdict == "pass"),
    )


def _named(each: Record) -> JsonObject:
    return {"id": each.id, "reading": each.reading}


def _failure(each: Record) -> JsonObject:
    fault: JsonObject = {"fault": each.fault} if each.fault else {}
    return {**_named(each), "verdict": each.verdict, **fault, "explanation": each.explanation}
