"""The systems and readings that `rejoin fuzz --adapter` asks, and the vectors that it writes."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from attrs import frozen

from rejoin_conformance.adapters.limits import Limits
from rejoin_conformance.adapters.protocol import Hello
from rejoin_conformance.adapters.results.failure_steps import lines_of
from rejoin_conformance.adapters.runner.cases import Selection, readings_of
from rejoin_conformance.adapters.runner.declared import DeclarationError, declared_by
from rejoin_conformance.adapters.runner.known_failures import (
    KnownFailures,
    KnownFailuresError,
    load_known_failures,
)
from rejoin_conformance.adapters.runner.run_plan import WrongUsageError, make_adapter
from rejoin_conformance.adapters.unusable import AdapterUnusableError
from rejoin_conformance.campaigns.block import AGREES
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
from rejoin_conformance.campaigns.mutants.entries import EntriesError
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.campaigns.watch import Watch
from rejoin_conformance.command_line.console import ADAPTER_UNUSABLE, WRONG_USAGE, stop
from rejoin_conformance.command_line.progress import progress_bar
from rejoin_conformance.contract.asked_text import input_text, marked_lines
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.kit.untrusted import shown_line

if TYPE_CHECKING:  # mutants take long to import, and only differences need them
    from rejoin_conformance.campaigns.mutants.deciding import Decided

_LINES: Final = 20
_CLAUSES: Final = 6
"""The number of lines of an input, and of clauses, that are shown of a finding."""


@frozen
class Written:
    """A finding, the clauses that its input decides, and the file of its vector.

    decided: None if the finding could not be reproduced, or was not shrunk. path: None without
    clauses.
    """

    finding: AdapterFinding
    decided: Decided | None
    path: Path | None

    def to_json(self) -> Json:
        """Return the finding as data, for `--json`."""
        return {
            "kind": self.finding.kind,
            "reading": self.finding.reading,
            "index": self.finding.index,
            "times": self.finding.times,
            "vector": None if self.path is None else str(self.path),
            "clauses": [] if self.decided is None else [*self.decided.clauses],
            "alike": [] if self.decided is None else [*self.decided.alike],
            "explanation": _explanation(self.finding),
        }


def greeting(command: str, timeout: int) -> Hello:
    """Return the adapter's hello. End the command if the adapter cannot be used."""
    try:
        return make_adapter(command, Limits(timeout=timeout)).greet()
    except WrongUsageError as error:
        stop(WRONG_USAGE, str(error))
    except AdapterUnusableError as error:
        stop(ADAPTER_UNUSABLE, str(error))


def readings_to_ask(system: System, hello: Hello, chosen: tuple[str, ...]) -> tuple[str, ...]:
    """Return the chosen readings, or the adapter's readings if none is chosen.

    Ends the command if the adapter declares a reading or leaves out a feature that is not known.
    """
    try:
        declared_by(hello, [system])
        return readings_of(system, Selection(readings=chosen), hello)
    except DeclarationError as error:
        stop(ADAPTER_UNUSABLE, str(error))


def systems_to_ask(
    named: Sequence[System],
    every: Sequence[System],
    hello: Hello,
    operations: tuple[str, ...] = (),
    leave_out: tuple[str, ...] = (),
) -> tuple[System, ...]:
    """Return the systems to ask: the named ones, or every system with an operation that the adapter
    declares. With `operations`, only those that have one of them.

    Ends the command if there is no such system, or the adapter has no operation of a named one, or
    if there is no operation or feature of a given name.
    """
    declared = set(hello.operations)
    of_use = [each for each in every if any(op.name in declared for op in each.operations)]
    for system in named:
        if system not in of_use:
            stop(WRONG_USAGE, f"{shown_line(hello.name)} declares no operation of {system.name}")
    if not of_use:
        stop(ADAPTER_UNUSABLE, f"{shown_line(hello.name)} declares no known operation")
    chosen = tuple(named or of_use)
    _refuse_unknown(chosen, operations, leave_out)
    return tuple(each for each in chosen if not operations or asked_operations(each, operations))


def asked_operations(system: System, patterns: tuple[str, ...]) -> tuple[str, ...]:
    """Return the operations of a system that some patterns choose, with or without its name."""
    return tuple(
        name
        for name in (operation.name for operation in system.operations)
        if any(
            fnmatchcase(name, each) or fnmatchcase(name.partition("/")[2], each)
            for each in patterns
        )
    )


def _refuse_unknown(
    systems: Sequence[System], operations: tuple[str, ...], leave_out: tuple[str, ...]
) -> None:
    """End the command if a pattern chooses no operation, or no operation has a feature."""
    for pattern in operations:
        if not any(asked_operations(system, (pattern,)) for system in systems):
            stop(WRONG_USAGE, f"--operation {pattern}: there is no such operation")
    known = {
        feature.name
        for system in systems
        for operation in system.operations
        for feature in operation.features
    }
    for name in leave_out:
        if name not in known:
            features = ", ".join(sorted(known))
            stop(WRONG_USAGE, f"--leave-out {name}: no such feature; choose one of {features}")


def known_differences(path: Path | None) -> KnownFailures:
    """Return the known failures in a file, or none. A file that cannot be read ends the command."""
    try:
        return KnownFailures() if path is None else load_known_failures(path)
    except KnownFailuresError as error:
        stop(WRONG_USAGE, str(error))


def watch_of(plan: Plan, known: KnownFailures, *, quiet: bool) -> Watch | None:
    """Return a watch that prints each new kind of difference on standard error, unless known.

    Returns None if the plan has no adapter. quiet: print nothing.
    """
    if plan.adapter is None or quiet:
        return None

    def found(reading: str, kind: str, explanation: str) -> None:
        if known.of_kind(kind) is None:
            lines = shown_line(" ".join(explanation.split("\n")), 300)
            click.echo(f"found: {kind} [{reading}]: {lines}", err=True)

    return Watch(found)


def differs(summary: Summary, known: KnownFailures) -> bool:
    """Return whether the adapter differs in a way that is not known."""
    return bool(differences_of(summary, known))


def written_vectors(
    plan: Plan, summary: Summary, folder: Path, known: KnownFailures, *, quiet: bool
) -> list[Written]:
    """Write one minimal vector for each kind of difference that is not known, and return them."""
    kinds = len(differences_of(summary, known))
    if not kinds:
        return []
    if not quiet:
        shrunk = min(kinds, MOST_SHRUNK)
        what = counted(shrunk, "kind") + " of difference"
        click.echo(f"shrinking {what}, with at most {TRIES:,} tries each", err=True)
    with progress_bar(f"shrink {plan.system}", quiet=quiet, unit="tries") as progress:
        return [
            _written(plan, each, folder) for each in findings_of(plan, summary, known, progress)
        ]


def _written(plan: Plan, finding: AdapterFinding, folder: Path) -> Written:
    if finding.smallest is None:
        return Written(finding, None, None)
    try:
        decided = clauses_decided(plan, finding)
    except EntriesError as error:
        stop(WRONG_USAGE, str(error))
    path = write_vector(plan, finding, decided, folder) if decided.clauses else None
    return Written(finding, decided, path)


def known_text(summary: Summary, known: KnownFailures) -> str:
    """Return the known differences that were found, as text; empty if there are none."""
    lines = []
    for each in sorted(summary.found(), key=attrgetter("name")):
        entry = known.of_kind(each.kind)
        if each.law == AGREES.name and entry is not None:
            times = counted(each.times, "time")
            lines.append(f"  {each.kind} [{each.reading}], {times}: {shown_line(entry.reason)}")
    return "\n".join(["", f"known differences: {len(lines)}", *lines]) if lines else ""


def text_of(plan: Plan, written: Sequence[Written]) -> str:
    """Return the findings as text."""
    if not written:
        return ""
    assert plan.adapter is not None, "only an adapter differs"
    lines = ["", f"kinds of difference: {len(written)}"]
    for each in written:
        finding = each.finding
        times = counted(finding.times, "time")
        lines += ["", f"  {finding.kind} [{finding.reading}], {times}"]
        lines += [f"    {line}" for line in _explanation(finding).splitlines()]
        lines += [f"    {line}" for line in _shown(each)]
        lines.append(
            f"    rejoin replay {plan.system} --seed {plan.seed} --index {finding.index} "
            f"--profile {plan.profile} --reading {finding.reading} "
            f"--adapter {shlex.quote(plan.adapter)}"
        )
        if each.path is not None:
            lines.append("    minimal vector:")
            lines.append(
                f"    rejoin replay {shlex.quote(str(each.path))} "
                f"--adapter {shlex.quote(plan.adapter)}"
            )
    return "\n".join(lines)


def _shown(written: Written) -> Iterator[str]:
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


def _explanation(finding: AdapterFinding) -> str:
    if not finding.shrunk:
        return f"not shrunk: only the {MOST_SHRUNK} most frequent kinds are"
    if finding.smallest is None:
        return "could not be reproduced: the adapter does not always give the same answers"
    return finding.smallest.outcome.explanation
