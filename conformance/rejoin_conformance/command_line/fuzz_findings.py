"""The end of `rejoin fuzz`: shrink what was found, and write it as a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import click
from attrs import frozen

from rejoin_conformance.adapters.runner.known_failures import KnownFailures
from rejoin_conformance.campaigns.block import SUITE_LAWS
from rejoin_conformance.campaigns.findings.adapter_findings import (
    MOST_SHRUNK,
    TRIES,
    AdapterFinding,
    clauses_decided,
    differences_of,
    findings_of,
    write_vector,
)
from rejoin_conformance.campaigns.findings.law_findings import (
    FailureClass,
    LawFinding,
    failure_classes,
    shrink_findings,
)
from rejoin_conformance.campaigns.in_process import InProcess
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.command_line.progress import progress_bar
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.json_types import JsonObject

if TYPE_CHECKING:  # mutants take long to import, and only findings need them
    from rejoin_conformance.campaigns.mutants.deciding import Decided


class Options(Protocol):
    """The options of `rejoin fuzz` that say how to shrink."""

    @property
    def found(self) -> Path:
        """Return the folder for findings."""

    @property
    def shrink(self) -> bool:
        """Return whether violations of laws that are not claimed are shrunk, too."""

    @property
    def tries(self) -> int:
        """Return the maximum number of tries for each class of violations."""

    @property
    def as_json(self) -> bool:
        """Return whether the command prints JSON, and no progress."""


@frozen
class WrittenDifference:
    """A difference of an adapter, the clauses that its input decides, and the file of its vector.

    decided: None if the finding could not be reproduced, or was not shrunk. path: None without
    clauses.
    """

    finding: AdapterFinding
    decided: Decided | None
    path: Path | None

    @property
    def explanation(self) -> str:
        """Return what the adapter did, or why that is not known."""
        if not self.finding.shrunk:
            return f"not shrunk: only the {MOST_SHRUNK} most frequent kinds are"
        if self.finding.smallest is None:
            return "could not be reproduced: the adapter does not always give the same answers"
        return self.finding.smallest.outcome.explanation

    def to_json(self) -> JsonObject:
        """Return the finding as data, for `--json`."""
        return {
            "kind": self.finding.kind,
            "reading": self.finding.reading,
            "index": self.finding.index,
            "times": self.finding.times,
            "vector": None if self.path is None else str(self.path),
            "clauses": [] if self.decided is None else [*self.decided.clauses],
            "alike": [] if self.decided is None else [*self.decided.alike],
            "explanation": self.explanation,
        }


@frozen
class WrittenViolation:
    """A shrunk class of violations, and the file of its history and vectors.

    vectors: the number of vectors of the whole file.
    """

    finding: LawFinding
    path: Path
    vectors: int

    def to_json(self) -> JsonObject:
        """Return the finding as data, for `--json`."""
        finding = self.finding
        return {
            **finding.kept.to_json(),
            "detail": finding.detail,
            "minimal": finding.minimal,
            "file": str(self.path),
        }


Written = WrittenDifference | WrittenViolation


def written_findings(
    plan: Plan, summary: Summary, options: Options, known: KnownFailures
) -> list[Written]:
    """Shrink the findings of a campaign, write them, and return them.

    known: the differences of an adapter that are not findings. Under a rule file, nothing is
    shrunk.
    """
    if plan.adapter is not None:
        return [*_differences(plan, summary, options, known)]
    return [] if plan.rule is not None else [*_violations(plan, summary, options)]


def _differences(
    plan: Plan, summary: Summary, options: Options, known: KnownFailures
) -> list[WrittenDifference]:
    """Write one minimal vector for each kind of difference that is not known."""
    kinds = len(differences_of(summary, known))
    if not kinds:
        return []
    if not options.as_json:
        what = counted(min(kinds, MOST_SHRUNK), "kind") + " of difference"
        click.echo(f"shrinking {what}, with at most {TRIES:,} tries each", err=True)
    with progress_bar(f"shrink {plan.system}", quiet=options.as_json, unit="tries") as progress:
        found = findings_of(plan, summary, known, progress)
        return [_written(plan, each, options.found) for each in found]


def _written(plan: Plan, finding: AdapterFinding, folder: Path) -> WrittenDifference:
    if finding.smallest is None:
        return WrittenDifference(finding, None, None)
    decided = clauses_decided(plan, finding)
    path = write_vector(plan, finding, decided, folder) if decided.clauses else None
    return WrittenDifference(finding, decided, path)


def _violations(plan: Plan, summary: Summary, options: Options) -> list[WrittenViolation]:
    """Write a minimal history for each class of violations and shape, with its vectors."""
    system = system_named(plan.system)
    claims = {law.name: law.claimed_by for law in system.laws}
    claims |= {law.name: plan.readings for law in SUITE_LAWS}

    def wanted(each: FailureClass) -> bool:
        return options.shrink or each.reading in claims.get(each.law, plan.readings)

    classes = tuple(each for each in failure_classes(summary) if wanted(each))
    if not classes:
        return []
    from rejoin_conformance.campaigns.findings.finding_file import (  # noqa: PLC0415 - slow
        findings_files,
        write_files,
    )

    with progress_bar(f"shrink {plan.system}", quiet=options.as_json) as progress:
        findings = shrink_findings(
            summary, system, InProcess(progress), budget=options.tries, classes=classes
        )
    files, vectors = findings_files([(system, findings)])
    write_files(options.found, files)
    path = options.found / system.name / "found.json"
    return [WrittenViolation(each, path, len(vectors)) for each in findings]
