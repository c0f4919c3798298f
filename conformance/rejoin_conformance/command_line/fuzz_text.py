"""The summary of a campaign as a document: laws, coverage, violations, findings, digest."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Final

from rejoin_conformance.adapters.results.failure_steps import lines_of
from rejoin_conformance.adapters.runner.known_failures import KnownFailures
from rejoin_conformance.campaigns.block import AGREES, CALLS, NO_CRASH, SUITE_LAWS
from rejoin_conformance.campaigns.findings.adapter_findings import explained
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.command_line.fuzz_findings import (
    Written,
    WrittenDifference,
    WrittenViolation,
)
from rejoin_conformance.command_line.untried import reach_block
from rejoin_conformance.contract.asked_text import input_text, marked_lines
from rejoin_conformance.contract.law import Law
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.document import Block, Facts, Fold, Heading, Items, Table, Text

_LINES: Final = 20
_CLAUSES: Final = 6
"""The number of lines of an input, and of clauses, that are shown of a finding."""


def summary_blocks(
    system: System, summary: Summary, place: str, overridden: Sequence[str] = ()
) -> Iterator[Block]:
    """Yield a campaign's summary: laws, coverage, examples, digest.

    place: where the histories ran. overridden: the functions that the campaign's rule overrides.
    """
    plan = summary.plan
    histories = counted(summary.histories, "history", "histories")
    yield Text(f"{system.title}: {histories}, profile {plan.profile}, seed {plan.seed}")
    for reading in plan.readings:
        laws = (*(system.laws if plan.adapter is None else (AGREES,)), NO_CRASH)
        rows = [_law(summary, law, reading) for law in laws]
        coverage = [*_coverage_lines(summary.counts(reading, "coverage"))]
        numbers = frozenset({1, 2})
        table = Table(("law", "checked", "broken", ""), rows, numbers=numbers)
        yield Heading(f"reading {reading}")
        yield table
        yield Fold("covered", [Items(coverage)])
    if overridden:
        yield reach_block(summary.reached(overridden), "history", "histories")
    yield from _violations(summary)
    if summary.restarts:
        restarts = counted(summary.restarts, "answer")
        yield Text(f"restarts: {restarts} needed another process, because the adapter broke before")
        yield Items([f"the first is {summary.first_restart}"])
    yield Facts([("ran", place), ("digest", summary.digest)])


def reproduce(plan: Plan, index: int, reading: str) -> str:
    """Return the command that shows a history of a campaign."""
    adapter = "" if plan.adapter is None else f" --adapter {shlex.quote(plan.adapter)}"
    return (
        f"rejoin show {plan.system} --seed {plan.seed} --index {index} "
        f"--profile {plan.profile} --reading {reading}{adapter}"
    )


def _law(summary: Summary, law: Law, reading: str) -> tuple[str, str, str, str]:
    broken = summary.violations(reading, law.name)
    checked = summary.histories
    if law is not NO_CRASH:
        checked = summary.counts(reading, "checked").get(law.name, 0)
    claimed = law in SUITE_LAWS or reading in law.claimed_by
    if broken:
        unclaimed = "" if law.claimed_by else "; no reading claims this law"
        verdict = "FAILED" if claimed else f"finding: {_often(broken, checked)}{unclaimed}"
    elif not checked:
        verdict = "premises never met"
    else:
        verdict = "" if claimed else "not claimed, never broken"
    return law.name, f"{checked:,}", f"{broken:,}", verdict


def _often(broken: int, checked: int) -> str:
    """Return how often a law broke: as a percentage if it is more often than 1 in 10."""
    if checked >= 10 * broken:
        return f"1 in {checked // broken:,}"
    return f"{100 * broken / max(broken, checked):.0f} %"


def _coverage_lines(coverage: Mapping[str, int]) -> Iterator[str]:
    """Yield one line for each kind of coverage; of the clauses, only their number."""
    groups: dict[str, list[tuple[str, int]]] = {}
    for key, count in coverage.items():
        group, _, value = key.rpartition(":")
        groups.setdefault(group, []).append((value, count))
    for group, values in sorted(groups.items()):
        if group == "clause":
            yield f"clauses decided: {len(values)}"
        elif group not in CALLS:
            ordered = sorted(values, key=lambda pair: (len(pair[0]), pair[0]))
            yield f"{group}: " + "  ".join(f"{value} {n:,}" for value, n in ordered)


def _violations(summary: Summary) -> Iterator[Block]:
    """Yield the broken laws. Differences of an adapter are printed with their vectors."""
    folds = []
    for each in sorted(summary.found(), key=attrgetter("name")):
        if each.law != AGREES.name:
            title = f"{each.law} [{each.reading}] {each.kind}: {each.detail.splitlines()[-1]}"
            command = reproduce(summary.plan, each.index, each.reading)
            folds.append(Fold(title, [Text(command)]))
    if folds:
        yield Fold("violations, the first of each kind", folds)


def found_blocks(
    plan: Plan, summary: Summary, written: Sequence[Written], known: KnownFailures
) -> Iterator[Block]:
    """Yield the known differences, and the findings that were written."""
    lines = []
    for each in sorted(summary.found(), key=attrgetter("name")):
        entry = known.of_kind(each.kind)
        if each.law == AGREES.name and entry is not None:
            times = counted(each.times, "time")
            lines.append(f"{each.kind} [{each.reading}], {times}: {entry.reason}")
    if lines:
        yield Fold(f"known differences: {len(lines)}", [Items(lines)])
    differences = [one for one in written if isinstance(one, WrittenDifference)]
    if differences:
        yield Heading(f"kinds of difference: {len(differences)}")
        yield from (_difference(plan, one) for one in differences)
    violations = [one for one in written if isinstance(one, WrittenViolation)]
    if violations:
        yield Heading(f"shrunk findings: {len(violations)}")
        yield from map(_violation, violations)
        path, vectors = violations[0].path, counted(violations[0].vectors, "vector")
        yield Text(f"wrote {vectors} to {path}")
        yield Items([f"rejoin show {path}"])


def _violation(written: WrittenViolation) -> Fold:
    finding = written.finding
    lineage, listed = finding.kept.lineage, finding.kept.history.get("events")
    events = counted(len(listed) if isinstance(listed, list) else 0, "event")
    least = "" if finding.minimal else "; may not be minimal: --tries was reached"
    detail = (finding.detail.splitlines() or [""])[0]
    title = f"{lineage.history} [{', '.join(lineage.readings)}]: {events}{least}"
    return Fold(title, [Items(["; ".join(lineage.kinds), detail])])


def _difference(plan: Plan, written: WrittenDifference) -> Fold:
    finding = written.finding
    assert plan.adapter is not None, "only an adapter differs"
    lines = [*written.explanation.splitlines(), *_shown(written)]
    lines.append(reproduce(plan, finding.index, finding.reading))
    if written.path is not None:
        adapter, path = shlex.quote(plan.adapter), shlex.quote(str(written.path))
        lines += ["minimal vector:", f"rejoin run --adapter {adapter} --corpus {path}"]
    title = f"{finding.kind} [{finding.reading}], {counted(finding.times, 'time')}"
    return Fold(title, [Items(lines)])


def _shown(written: WrittenDifference) -> Iterator[str]:
    """Yield the input, both answers, the steps and the clauses of a finding as lines of text."""
    smallest = written.finding.smallest
    if smallest is None or written.decided is None:
        return
    asked = smallest.outcome.asked
    yield "input"
    yield from (f"  {line}" for line in input_text(asked).split("\n")[:_LINES])
    if smallest.outcome.fault == "wrong-output":
        yield from marked_lines(asked)
    if smallest.steps is not None:
        yield from lines_of(smallest.steps)
    clauses = written.decided.clauses
    more = f" and {len(clauses) - _CLAUSES} more" if len(clauses) > _CLAUSES else ""
    if clauses:
        yield f"decides {', '.join(clauses[:_CLAUSES])}{more}"
    yield explained(written.decided)
