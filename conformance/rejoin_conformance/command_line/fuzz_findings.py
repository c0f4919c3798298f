"""The result of `rejoin fuzz`: what it found is shrunk, written as a corpus, and told."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import click
from attrs import evolve, frozen

from rejoin_conformance.adapters.results.failure_steps import lines_of
from rejoin_conformance.adapters.runner.cases import BREAKS
from rejoin_conformance.adapters.runner.known_failures import KnownFailures
from rejoin_conformance.campaigns.block import AGREES, ORACLE
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
from rejoin_conformance.campaigns.findings.law_findings import (
    LawFinding,
    failure_classes,
    shrink_findings,
    write_findings,
    write_smallest,
)
from rejoin_conformance.campaigns.laws_by import why_not
from rejoin_conformance.campaigns.mutants.deciding import Decided
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.summary import Found, Summary
from rejoin_conformance.command_line.show_played import told
from rejoin_conformance.command_line.untried import reach_block, reach_json
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.vector import KeptHistory
from rejoin_conformance.kit.document import Block, Code, Facts, Fold, Heading, Items, Text
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.text import counted
from rejoin_conformance.readings.in_force import Side, side_in_force
from rejoin_conformance.readings.rule_file import Rule
from rejoin_conformance.reports.campaign import (
    broken_blocks,
    not_asked_blocks,
    quarantine_blocks,
    reading_blocks,
    reproduce,
    restart_blocks,
    run_minimal,
)

_LINES: Final = 20
_CLAUSES: Final = 6
"""The number of lines of an input, and of clauses, that are shown of a finding."""


Finding: TypeAlias = tuple[JsonObject, Fold]
"""A finding as data, for `--json`, and as a part of a document."""


@frozen
class Written:
    """The findings of a campaign. title: what they are. end: what comes after them."""

    findings: Sequence[Finding] = ()
    title: str = "shrunk findings"
    end: Sequence[Block] = ()


@frozen
class Ran:
    """A campaign that has run.

    place: where. overridden: the functions that its rule overrides. directory: what keeps it.
    """

    summary: Summary
    place: str
    written: Written
    overridden: Sequence[str]
    known: KnownFailures
    directory: str | None

    def to_json(self) -> JsonObject:
        """Return the summary and the findings as data."""
        reached = self.summary.reached(self.overridden)
        return {
            **self.summary.to_json(),
            "found": [data for data, _ in self.written.findings],
            "ran": self.place,
            **({"overridden": reach_json(reached)} if reached else {}),
        }

    def blocks(self) -> Iterator[Block]:
        """Yield laws, coverage, the first violation of each kind, the digest, and the findings."""
        summary, plan = self.summary, self.summary.plan
        histories = counted(summary.histories, "history", "histories")
        yield Text(f"{summary.system.title}: {histories}, profile {plan.profile}, seed {plan.seed}")
        if self.overridden:
            yield reach_block(summary.reached(self.overridden), "history", "histories")
        yield from reading_blocks(summary)
        broken = [each for each in summary.found() if each.law != AGREES.name]
        yield from broken_blocks(summary, broken)
        yield from quarantine_blocks(summary)
        yield from not_asked_blocks(summary)
        yield from restart_blocks(summary)
        answers = [] if plan.adapter is None else [("answers", _answers(summary))]
        if plan.adapter is None and plan.bounds.laws_by == "oracle":
            answers = [("runs", _answers(summary))]
        facts = [("ran", self.place), *answers, ("digest", summary.digest)]
        if self.directory is not None:
            facts.append(("kept", f"rejoin report {shlex.quote(self.directory)}"))
        yield Facts(facts)
        yield from _found(summary, self.written, self.known)


def _answers(summary: Summary) -> str:
    """Return who computed the expected answers."""
    oracle, reference = summary.total("answered", "oracle"), summary.total("answered", "reference")
    if not oracle:
        by_laws = summary.plan.adapter is None
        why = why_not(summary.plan.system, summary.plan.readings[0]) if by_laws else ""
        return f"{reference:,} by the reference" + (f", because {why}" if why else "")
    both = f"{oracle:,} by the oracle, {summary.total('answered', 'both'):,} of them checked"
    return f"{both}; {reference:,} by the reference" if reference else both


def written_findings(plan: Plan, summary: Summary, options: Any) -> Written:
    """Shrink the findings of a campaign, write them, and return them.

    options: those of `rejoin fuzz`. Known differences of an adapter are no findings.
    Under a rule file, one history is shrunk for each law, without vectors.
    """
    if plan.adapter is not None:
        files = (options.found / plan.system).glob("*.json")
        before = {path: path.read_bytes() for path in sorted(files)}
        findings = [*_differences(plan, summary, options)]
        written = [data["vector"] for data, _ in findings]
        return Written(findings, "kinds of difference", [*_of_earlier_campaigns(before, written)])
    if plan.rule is not None:
        return _under_rule(plan, summary, options)
    return _violations(plan, summary, options)


def _of_earlier_campaigns(before: Mapping[Path, bytes], written: Sequence[Json]) -> Iterator[Block]:
    """Yield which findings of earlier campaigns were replaced, and which are still in the folder.

    before: path -> content of each file that was there. written: the paths of the new vectors.
    """
    replaced = [
        each for each in before if str(each) in written and each.read_bytes() != before[each]
    ]
    others = [each for each in before if str(each) not in written]
    for what, paths in (("were replaced", replaced), ("are still in the folder", others)):
        if paths:
            yield Fold(f"files of earlier campaigns that {what}:", [Items([*map(str, paths)])])


def _under_rule(plan: Plan, summary: Summary, options: Any) -> Written:
    """Write the smallest history for each law that breaks under a rule file.

    Shrinks nothing if a history ended its process: shrinking runs in this one.
    """
    first = {each.law: each for each in reversed(failure_classes(summary))}
    if not first or plan.rule is None or any(each.quarantined for each in summary.found()):
        return Written()
    side = Side(plan.readings[0], Rule(plan.readings[0], plan.rule), plan.rule_path)
    findings: list[Finding] = []
    smallest: list[KeptHistory] = []
    with side_in_force(side, system_named(plan.system)) as (reading, changed):
        for each in _shrunk(plan, [*first.values()], options):
            history = changed.histories.from_json(each.kept.history)
            story = changed.in_one_text(history, reading)
            law, index = each.kept.lineage.law, each.kept.lineage.index
            title = f"{law}: smallest history, shrunk from history {index}{_least(each)}"
            shown = Fold(title, [Code(story), Text(each.first_line)])
            data: JsonObject = {"law": law, "index": index, **_told(each), "story": story}
            findings.append((data, shown))
            own = evolve(each.kept.lineage, readings=())  # no reading has the name of a rule file
            smallest.append(evolve(each.kept, lineage=own))
    path = write_smallest(options.found, system_named(plan.system), "ruled", smallest)
    shows = f"rejoin show {shlex.quote(str(path))} --reading {side.argument}"
    return Written(findings, end=(Text("to see them step by step"), Items([shows])))


def _found(summary: Summary, written: Written, known: KnownFailures) -> Iterator[Block]:
    """Yield the known differences, and the findings that were written."""
    lines = []
    for each in sorted(summary.found(), key=lambda each: each.name):
        entry = known.of_kind(each.kind, each.reading)
        if each.law == AGREES.name and entry is not None:
            times = counted(each.times, "time")
            lines.append(f"{each.kind} [{each.reading}], {times}: {entry.reason}")
    if lines:
        yield Fold(f"known differences: {len(lines)}", [Items(lines)])
    if written.findings:
        yield Heading(f"{written.title}: {len(written.findings)}")
        yield from (fold for _, fold in written.findings)
    yield from written.end


def _differences(plan: Plan, summary: Summary, options: Any) -> Iterator[Finding]:
    """Write one minimal vector for each kind of difference that is not known."""
    kinds = len(differences_of(summary))
    if not kinds:
        return
    if not options.out.as_json:
        what = counted(min(kinds, MOST_SHRUNK), "kind") + " of difference"
        tries = counted(min(options.tries, TRIES), "try", "tries")
        click.echo(f"shrinking {what}, with at most {tries} each", err=True)
    with options.out.progress(f"shrink {plan.system}", unit="tries") as progress:
        for each in findings_of(plan, summary, progress, options.tries):
            yield _difference(plan, each, options.found)


def _difference(plan: Plan, finding: AdapterFinding, folder: Path) -> Finding:
    """Write the vector of a difference if its input decides clauses, and return the finding.

    It has the smallest call and the commands that show it, if it could be reproduced.
    """
    found, outcome = finding.found, finding.outcome
    explanation = finding.not_shrunk if outcome is None else outcome.explanation
    decided = Decided() if outcome is None else clauses_decided(plan, finding)
    path = write_vector(plan, finding, decided, folder) if decided.clauses else None
    lines = explanation.splitlines()
    if outcome is not None:
        steps = [] if finding.steps is None else lines_of(finding.steps)
        lines += [*told(outcome, _LINES), *steps]
        lines += [] if outcome.verdict in BREAKS or outcome.fault == "error" else _decided(decided)
    lines.append(reproduce(plan, found.index, found.reading))
    if path is not None:
        lines += ["minimal vector:", run_minimal(plan, path)]
    times = counted(found.times, "time")
    data: JsonObject = {
        **{name: getattr(found, name) for name in ("kind", "reading", "index", "times")},
        "vector": None if path is None else str(path),
        "clauses": [*decided.clauses],
        "alike": [*decided.alike],
        "explanation": explanation,
    }
    title = f"{found.kind} [{found.reading}], {times}"
    title += "" if finding.minimal else "; may not be minimal: the tries were used up"
    return data, Fold(title, [Items(lines)])


def _decided(decided: Decided) -> Iterator[str]:
    """Yield the clauses that an input decides as lines of text."""
    clauses = decided.clauses
    more = f" and {len(clauses) - _CLAUSES} more" if len(clauses) > _CLAUSES else ""
    if clauses:
        yield f"the input decides {', '.join(clauses[:_CLAUSES])}{more}"
    yield explained(decided)


def _violations(plan: Plan, summary: Summary, options: Any) -> Written:
    """Write a minimal history for each class of violations and shape, with its vectors."""
    system = system_named(plan.system)
    classes = tuple(
        each
        for each in failure_classes(summary)
        if each.law != ORACLE.name and (options.shrink or each.claimed)
    )
    if not classes:
        return Written()
    findings = _shrunk(plan, classes, options)
    path, vectors = write_findings(options.found, system, findings)
    wrote = Text(f"wrote {counted(len(vectors), 'vector')} to {path}")
    end = (wrote, Items([f"rejoin show {path}"]))
    return Written([_violation(each, path) for each in findings], end=end)


def _shrunk(plan: Plan, classes: Sequence[Found], options: Any) -> Sequence[LawFinding]:
    with options.out.progress(f"shrink {plan.system}", unit="classes") as progress:
        return shrink_findings(plan, classes, progress, options.tries)


def _violation(finding: LawFinding, path: Path) -> Finding:
    """Return a finding with its number of events and its observed values."""
    kept, lineage = finding.kept, finding.kept.lineage
    listed = kept.history.get("events")
    events = counted(len(listed) if isinstance(listed, list) else 0, "event")
    readings = ", ".join(lineage.readings)
    title = f"{lineage.history} [{readings}]: {events}{_least(finding)}"
    shown = Items(["; ".join(lineage.kinds), finding.first_line])
    return {**kept.to_json(), **_told(finding), "file": str(path)}, Fold(title, [shown])


def _told(finding: LawFinding) -> JsonObject:
    return {"detail": finding.detail, "minimal": finding.minimal}


def _least(finding: LawFinding) -> str:
    return "" if finding.minimal else "; may not be minimal: --tries was reached"
