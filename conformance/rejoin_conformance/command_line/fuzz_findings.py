"""The result of `rejoin fuzz`: what it found is shrunk, written as a corpus, and told."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from attrs import asdict, frozen

from rejoin_conformance.adapters.results.failure_steps import lines_of
from rejoin_conformance.adapters.runner.known_failures import KnownFailures
from rejoin_conformance.campaigns.block import AGREES, CALLS, SUITE_LAWS
from rejoin_conformance.campaigns.findings.adapter_findings import (
    MOST_SHRUNK,
    TRIES,
    AdapterFinding,
    clauses_decided,
    differences_of,
    explained,
    findings_of,
    write_vector,
)
from rejoin_conformance.campaigns.findings.finding_file import write_findings
from rejoin_conformance.campaigns.findings.law_findings import (
    LawFinding,
    failure_classes,
    shrink_class,
    shrink_findings,
)
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.command_line.progress import progress_bar
from rejoin_conformance.command_line.untried import reach_block, reach_json
from rejoin_conformance.contract.asked_text import input_text, marked_lines
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.document import Block, Code, Facts, Fold, Heading, Items, Text
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.readings.in_force import Side, side_in_force
from rejoin_conformance.readings.rule_file import Rule
from rejoin_conformance.reports.campaign import coverage, law_table, reproduce

if TYPE_CHECKING:  # mutants take long to import, and only findings need them
    from rejoin_conformance.campaigns.mutants.deciding import Decided

_LINES: Final = 20
_CLAUSES: Final = 6
"""The number of lines of an input, and of clauses, that are shown of a finding."""


@frozen
class WrittenDifference:
    """A difference of an adapter, the clauses that its input decides, and the file of its vector.

    decided: None if the finding could not be reproduced, or was not shrunk. path: None without
    clauses.
    """

    plan: Plan
    finding: AdapterFinding
    decided: Decided | None = None
    path: Path | None = None

    @property
    def explanation(self) -> str:
        """Return what the adapter did, or why that is not known."""
        if not self.finding.shrunk:
            return f"not shrunk: only the {MOST_SHRUNK} most frequent kinds are"
        if self.finding.outcome is None:
            return (
                "could not be reproduced: the adapter does not always give the same answers, or "
                "has changed since the history ran"
            )
        return self.finding.outcome.explanation

    def to_json(self) -> JsonObject:
        """Return the finding as data, for `--json`."""
        finding, decided = self.finding, self.decided
        return {
            **{
                name: getattr(finding.found, name) for name in ("kind", "reading", "index", "times")
            },
            "vector": None if self.path is None else str(self.path),
            "clauses": [] if decided is None else [*decided.clauses],
            "alike": [] if decided is None else [*decided.alike],
            "explanation": self.explanation,
        }

    def fold(self) -> Fold:
        """Return the finding with its smallest call and the commands that show it."""
        found, plan = self.finding.found, self.plan
        lines = [*self.explanation.splitlines(), *self._smallest()]
        lines.append(reproduce(plan, found.index, found.reading))
        if self.path is not None:
            adapter, path = shlex.quote(plan.adapter or ""), shlex.quote(str(self.path))
            lines += ["minimal vector:", f"rejoin run --adapter {adapter} --corpus {path}"]
        times = counted(found.times, "time")
        return Fold(f"{found.kind} [{found.reading}], {times}", [Items(lines)])

    def _smallest(self) -> Iterator[str]:
        """Yield the input, both answers, the steps and the clauses as lines of text."""
        outcome, steps = self.finding.outcome, self.finding.steps
        if outcome is None or self.decided is None:
            return
        asked = outcome.asked
        yield "input"
        yield from (f"  {line}" for line in input_text(asked).split("\n")[:_LINES])
        if outcome.fault == "wrong-output":
            yield from marked_lines(asked)
        if steps is not None:
            yield from lines_of(steps)
        clauses = self.decided.clauses
        more = f" and {len(clauses) - _CLAUSES} more" if len(clauses) > _CLAUSES else ""
        if clauses:
            yield f"decides {', '.join(clauses[:_CLAUSES])}{more}"
        yield explained(self.decided)


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
            "detail": finding.shrunk.detail,
            "minimal": finding.shrunk.minimal,
            "file": str(self.path),
        }

    def fold(self) -> Fold:
        """Return the finding with its number of events and its observed values."""
        finding, lineage = self.finding, self.finding.kept.lineage
        listed = finding.kept.history.get("events")
        events = counted(len(listed) if isinstance(listed, list) else 0, "event")
        least = "" if finding.shrunk.minimal else "; may not be minimal: --tries was reached"
        detail = (finding.shrunk.detail.splitlines() or [""])[0]
        title = f"{lineage.history} [{', '.join(lineage.readings)}]: {events}{least}"
        return Fold(title, [Items(["; ".join(lineage.kinds), detail])])


@frozen
class BrokenUnderRule:
    """The smallest history that breaks a law under a rule file, which promises no law.

    story: the history as text.
    """

    law: str
    index: int
    detail: str
    minimal: bool
    story: str

    def to_json(self) -> JsonObject:
        """Return the finding as data, for `--json`."""
        return asdict(self)

    def fold(self) -> Fold:
        """Return the finding with its history and its observed values."""
        least = "" if self.minimal else "; may not be minimal: --tries was reached"
        title = f"{self.law}: smallest history, shrunk from history {self.index}{least}"
        return Fold(title, [Code(self.story), Text((self.detail.splitlines() or [""])[0])])


Written = WrittenDifference | WrittenViolation | BrokenUnderRule


@frozen
class Ran:
    """A campaign that has run. place: where. overridden: the functions that its rule overrides."""

    summary: Summary
    place: str
    written: Sequence[Written]
    overridden: Sequence[str]
    known: KnownFailures

    def to_json(self) -> JsonObject:
        """Return the summary and the findings as data."""
        reached = self.summary.reached(self.overridden)
        return {
            **self.summary.to_json(),
            "found": [each.to_json() for each in self.written],
            "ran": self.place,
            **({"overridden": reach_json(reached)} if reached else {}),
        }

    def blocks(self) -> Iterator[Block]:
        """Yield laws, coverage, the first violation of each kind, the digest, and the findings."""
        summary, plan = self.summary, self.summary.plan
        histories = counted(summary.histories, "history", "histories")
        yield Text(f"{summary.system.title}: {histories}, profile {plan.profile}, seed {plan.seed}")
        for reading in plan.readings:
            yield Heading(f"reading {reading}")
            yield law_table(summary, reading)
            yield Fold("covered", [Items([*_covered(summary, reading)])])
        if self.overridden:
            yield reach_block(summary.reached(self.overridden), "history", "histories")
        broken = [each for each in summary.found() if each.law != AGREES.name]
        for law in summary.laws:  # each with its statement, once
            folds = [
                Fold(
                    f"[{each.reading}] {each.kind}: {each.detail.splitlines()[-1]}",
                    [Text(reproduce(plan, each.index, each.reading, law.name))],
                )
                for each in sorted(broken, key=lambda each: each.name)
                if each.law == law.name
            ]
            if folds:
                yield Fold(f"{law.name} is broken: {law.statement}", folds)
        if summary.restarts:
            restarts = counted(summary.restarts, "answer")
            why = f"restarts: {restarts} needed another process, because the adapter broke before"
            yield Fold(why, [Text(f"the first is {summary.first_restart}")])
        answers = [] if plan.adapter is None else [("answers", _answers(summary))]
        yield Facts([("ran", self.place), *answers, ("digest", summary.digest)])
        yield from _found(summary, self.written, self.known)


def _answers(summary: Summary) -> str:
    """Return who computed the expected answers."""
    oracle, reference = summary.answered("oracle"), summary.answered("reference")
    if not oracle:
        return f"{reference:,} by the reference"
    both = f"{oracle:,} by the oracle, {summary.answered('both'):,} of them checked"
    return f"{both}; {reference:,} by the reference" if reference else both


def _covered(summary: Summary, reading: str) -> Iterator[str]:
    """Yield one line for each kind of coverage; of the clauses, only their number."""
    for group, values in coverage(summary, reading).items():
        if group == "clause":
            yield f"clauses decided: {len(values)}"
        elif group not in CALLS:
            yield f"{group}: " + "  ".join(f"{value} {count:,}" for value, count in values)


def written_findings(plan: Plan, summary: Summary, options: Any) -> list[Written]:
    """Shrink the findings of a campaign, write them, and return them.

    options: those of `rejoin fuzz`. Known differences of an adapter are no findings.
    Under a rule file, one history is shrunk for each law, and nothing is written.
    """
    if plan.adapter is not None:
        return [*_differences(plan, summary, options)]
    if plan.rule is not None:
        return [*_under_rule(plan, summary, options)]
    return [*_violations(plan, summary, options)]


def _under_rule(plan: Plan, summary: Summary, options: Any) -> Iterator[BrokenUnderRule]:
    """Shrink one history for each law that breaks under a rule file.

    Shrinks nothing if a history ended its process: shrinking runs in this one.
    """
    if any(each.quarantined for each in summary.found()):
        return
    first = {each.law: each for each in reversed(failure_classes(summary))}
    classes = tuple(first[law] for law in sorted(first))
    if not classes or plan.rule is None:
        return
    side = Side(plan.readings[0], Rule(plan.readings[0], plan.rule))
    with (
        side_in_force(side, system_named(plan.system)) as (reading, changed),
        progress_bar(f"shrink {plan.system}", quiet=options.as_json, unit="classes") as progress,
    ):
        for number, wanted in enumerate(classes):
            say = partial(progress, number, len(classes))
            shrunk = shrink_class(plan, wanted, options.tries, say)
            if shrunk is not None:
                history = changed.histories.from_json(shrunk.history)
                story = changed.in_one_text(history, reading)
                detail, minimal = shrunk.detail, shrunk.minimal
                yield BrokenUnderRule(wanted.law, wanted.index, detail, minimal, story)


def _found(summary: Summary, written: Sequence[Written], known: KnownFailures) -> Iterator[Block]:
    """Yield the known differences, and the findings that were written."""
    lines = []
    for each in sorted(summary.found(), key=lambda each: each.name):
        entry = known.of_kind(each.kind, each.reading)
        if each.law == AGREES.name and entry is not None:
            times = counted(each.times, "time")
            lines.append(f"{each.kind} [{each.reading}], {times}: {entry.reason}")
    if lines:
        yield Fold(f"known differences: {len(lines)}", [Items(lines)])
    if written:
        last = written[-1]
        differences = isinstance(last, WrittenDifference)
        title = "kinds of difference" if differences else "shrunk findings"
        yield Heading(f"{title}: {len(written)}")
        yield from (each.fold() for each in written)
        if isinstance(last, WrittenViolation):
            yield Text(f"wrote {counted(last.vectors, 'vector')} to {last.path}")
            yield Items([f"rejoin show {last.path}"])


def _differences(plan: Plan, summary: Summary, options: Any) -> Iterator[WrittenDifference]:
    """Write one minimal vector for each kind of difference that is not known."""
    kinds = len(differences_of(summary))
    if not kinds:
        return
    if not options.as_json:
        what = counted(min(kinds, MOST_SHRUNK), "kind") + " of difference"
        tries = f"{min(options.tries, TRIES):,}"
        click.echo(f"shrinking {what}, with at most {tries} tries each", err=True)
    with progress_bar(f"shrink {plan.system}", quiet=options.as_json, unit="tries") as progress:
        for each in findings_of(plan, summary, progress, options.tries):
            if each.outcome is None:
                yield WrittenDifference(plan, each)
                continue
            decided = clauses_decided(plan, each)
            path = write_vector(plan, each, decided, options.found) if decided.clauses else None
            yield WrittenDifference(plan, each, decided, path)


def _violations(plan: Plan, summary: Summary, options: Any) -> Iterator[WrittenViolation]:
    """Write a minimal history for each class of violations and shape, with its vectors."""
    system = system_named(plan.system)
    claims = {law.name: law.claimed_by for law in system.laws}
    claims |= {law.name: plan.readings for law in SUITE_LAWS}
    classes = tuple(
        each
        for each in failure_classes(summary)
        if options.shrink or each.reading in claims.get(each.law, plan.readings)
    )
    if not classes:
        return
    with progress_bar(f"shrink {plan.system}", quiet=options.as_json, unit="classes") as progress:
        findings = shrink_findings(plan, classes, progress, options.tries)
    path, vectors = write_findings(options.found, system, findings)
    yield from (WrittenViolation(each, path, len(vectors)) for each in findings)
