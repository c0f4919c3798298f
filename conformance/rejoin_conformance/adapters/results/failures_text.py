"""The failures of a run as text: where to begin, and then each group of equal failures."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

from rejoin_conformance.adapters.results.failure_groups import (
    SHOWN,
    FailureGroup,
    first_with_steps,
    grouped,
)
from rejoin_conformance.adapters.results.failure_steps import lines_of, parting_lines
from rejoin_conformance.adapters.results.records import Record
from rejoin_conformance.adapters.results.summary import RunSummary
from rejoin_conformance.corpus.clauses import clause_named
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.untrusted import shown, shown_line

_STDERR_LINES: Final = 5
_SUSPECTS: Final = 3
_CLAUSES: Final = 2
"""The number of clauses of one failure whose texts are shown."""
_WIDTH: Final = 100


def failures_text(summary: RunSummary, command: Sequence[str]) -> Iterator[str]:
    """Yield lines: where to begin, and the first failures.

    command: the command of the adapter, as a list of words.
    """
    yield from _begin(summary)
    ranks = {each.clause: rank for rank, each in enumerate(summary.suspects)}
    told: set[str] = set()
    groups = grouped(summary.failures)
    for group in groups[:SHOWN]:
        clauses = sorted(group.first.clauses, key=lambda name: ranks.get(name, len(ranks)))
        yield from _failure(group, [name for name in clauses[:_CLAUSES] if name not in told])
        yield f"  run it alone: {alone(group.first, shlex.join(command))}"
        yield ""
        told.update(clauses[:_CLAUSES])
    left = sum(1 + len(group.others) for group in groups[SHOWN:])
    if left:
        yield f"... and {counted(left, 'more failure')}; --results FILE keeps all of them"
        yield ""


def begin_again(summary: RunSummary) -> Iterator[str]:
    """Yield where to begin once more, for the end of a long report."""
    if summary.begin is not None and len(summary.failures) > 1:
        yield f"Begin with {summary.suspects[0].clause}: {summary.begin.id}"


def alone(failure: Record, command: str) -> str:
    """Return the command that runs only this vector.

    command: the adapter's command as one types it; an empty one is shown as CMD.
    """
    choice = shlex.join(["--id", failure.id, "--reading", failure.reading])
    return shown_line(f"rejoin run --adapter {shlex.quote(command or 'CMD')} {choice}", 1000)


def _begin(summary: RunSummary) -> Iterator[str]:
    """Yield the failure to begin with, if there is a choice, and the clauses under suspicion."""
    if summary.begin is None or len(summary.failures) == 1:
        return
    yield f"Begin here: {summary.begin.id} [{summary.begin.reading}]"
    yield "Clauses under most suspicion:"
    for each in summary.suspects[:_SUSPECTS]:
        yield f"  {each.clause}: {each.failed} of its {counted(each.judged, 'vector')} fail"
    shown_by = first_with_steps(summary.failures, summary.suspects)
    if shown_by is not None and shown_by.steps is not None and shown_by is not summary.begin:
        yield f"In {shown_by.id}, {shown_by.steps.title}"
        yield from (f"  {line}" for line in parting_lines(shown_by.steps))
    yield ""


def _failure(group: FailureGroup, clauses: Sequence[str]) -> Iterator[str]:
    """Yield one failure of a group, with the texts of the clauses."""
    each = group.first
    yield f"{each.verdict.upper()} {each.id} [{each.reading}]"
    yield f"  {each.level.upper()} {', '.join(each.clauses)}"
    yield from (line for name in clauses for line in _clause(each.system, name))
    if each.summary:
        yield f"  {each.summary}"
    yield from (f"  {line}" for line in shown(each.explanation, 4000).split("\n"))
    if each.steps is not None:
        yield from (f"  {line}" for line in lines_of(each.steps))
    stderr = shown(each.volatile.stderr, 4000).strip()
    if stderr:
        yield "  standard error ends:"
        yield from (f"  | {line}" for line in stderr.split("\n")[-_STDERR_LINES:])
    if group.others:
        yield f"  {counted(len(group.others), 'other failure')} with the same explanation"


def _clause(system: str, name: str) -> Iterator[str]:
    clause = clause_named(system, name)
    if clause is not None:
        yield from textwrap.wrap(
            f"{name}: {clause.text}", _WIDTH, initial_indent="  > ", subsequent_indent="  > "
        )
