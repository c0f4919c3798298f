"""A failure of a run as a document, and where to begin among several."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from rejoin_conformance.adapters.results.failure_groups import FailureGroup, first_with_steps
from rejoin_conformance.adapters.results.failure_steps import lines_of, parting_lines
from rejoin_conformance.adapters.results.records import Record
from rejoin_conformance.adapters.results.summary import RunSummary
from rejoin_conformance.adapters.runner.cases import WRONG_REASON
from rejoin_conformance.adapters.runner.known_failures import KnownFailure
from rejoin_conformance.contract.asked_text import input_text
from rejoin_conformance.corpus.clauses import clause_named
from rejoin_conformance.kit.document import Block, Code, Fold, Items, Line, Span, Text
from rejoin_conformance.kit.text import counted, shown, shown_line

LINES: Final = 20
"""The number of lines of an input that are shown."""
_EXPLANATION: Final = 2000
_STDERR_LINES: Final = 5
_SUSPECTS: Final = 3
_NAMED: Final = 3
"""The number of other failures of a group whose names are shown."""


def begin_blocks(summary: RunSummary) -> Iterator[Block]:
    """Yield the failure to begin with, if there is a choice, and the clauses under suspicion."""
    if 0 < summary.exercised == summary.judged.unanswered:
        doctor = f"rejoin doctor --adapter {shlex.quote(shlex.join(summary.configuration.command))}"
        yield Text(("The adapter gave no valid reply. Examine it: ", Span(doctor, "code")))
    if summary.begin is None or len(summary.failures) == 1:
        return
    name = f"{summary.begin.id} [{summary.begin.reading}]"
    suspects = [f"{each.clause}: {each.text}" for each in summary.suspects[:_SUSPECTS]]
    yield Fold(f"Begin here: {name}", [Fold("Clauses under most suspicion:", [Items(suspects)])])
    shown_by = first_with_steps(summary.failures, summary.suspects)
    if shown_by is not None and shown_by.steps is not None and shown_by is not summary.begin:
        lines = [*parting_lines(shown_by.steps)]
        yield Fold(f"In {shown_by.id}, {shown_by.steps.title}", [Items(lines)])


def name_of(record: Record, known: KnownFailure | None = None) -> tuple[Span, str, Span]:
    """Return the line that names a failure: its verdict, its vector and its reading."""
    verdict = record.kind.upper()
    mark = Span(f"known {verdict}", "known") if known else Span(verdict, "fail")
    return mark, " ", Span(f"{record.id} [{record.reading}]", "code")


def failure_blocks(
    group: FailureGroup,
    command: str,
    clauses: Sequence[str],
    known: KnownFailure | None = None,
    more: Sequence[Block] = (),
    *,
    corpus: Path | None = None,
) -> Iterator[Block]:
    """Yield what the first failure of a group has to say.

    command: the adapter's command as one types it. clauses: those whose texts are told. more:
    blocks on its answer. corpus: where it stands, if not in the suite's corpus.
    """
    each = group.first
    yield Text((f"{each.level.upper()} ", Span(", ".join(each.clauses), "code")))
    yield from (Text(line) for name in clauses for line in _clause(each.system, name))
    if known is not None:
        yield Text(
            ("known: ", Span(known.reason, "code"), " ", Span(known.link, "code", known.link))
        )
    yield Code("\n".join(filter(None, (each.summary, shown(each.explanation, _EXPLANATION)))))
    if each.steps is not None:
        lines = [*lines_of(each.steps)]
        last = range(len(lines) - 2, len(lines)) if each.steps.parts else ()
        yield Code("\n".join(lines), frozenset(last))
    yield from more
    for title, text in (
        ("the first attempt, among other requests:", each.volatile.first_attempt),
        ("standard error ends:", each.volatile.stderr),
    ):
        said = shown(text, _EXPLANATION).strip()
        if said:
            yield Fold(title, [Code("\n".join(said.split("\n")[-_STDERR_LINES:]))])
    if group.others:
        others = counted(len(group.others), "other failure")
        names = ", ".join(each.id for each in group.others[:_NAMED])
        rest = ", ..." if len(group.others) > _NAMED else ""
        yield Text((f"{others} with the same explanation: ", Span(names, "code"), rest))
    yield Text(("run it alone: ", Span(alone(each, command, corpus), "code")))


def input_blocks(record: Record, *, whole: bool, known: bool) -> Iterator[Block]:
    """Yield the first lines of an input, if wanted, and the command that prints the vector.

    known: whether the command knows the vector: it has the project's corpus alone.
    """
    if whole:
        lines = input_text(record.asked).split("\n")
        more = [f"... and {counted(len(lines) - LINES, 'more line')}"] if lines[LINES:] else []
        yield Fold("input", [Code("\n".join(lines[:LINES] + more))])
    if known:
        yield Text(("see it: ", Span(f"rejoin vectors show {record.id}", "code")))


def alone(failure: Record, command: str, corpus: Path | None = None) -> str:
    """Return the command that runs only this vector.

    command: the adapter's command as one types it; an empty one is shown as CMD. corpus: where the
    vector stands, if not in the corpus of the suite.
    """
    where = [] if corpus is None else ["--corpus", str(corpus)]
    strict = ["--strict-codes"] if failure.fault == WRONG_REASON else []
    choice = shlex.join([*where, "--id", failure.id, "--reading", failure.reading, *strict])
    return shown_line(f"rejoin run --adapter {shlex.quote(command or 'CMD')} {choice}", 1000)


def _clause(system: str, name: str) -> Iterator[Line]:
    clause = clause_named(system, name)
    if clause is not None:
        yield Span(name, "code"), ": ", Span(clause.text, "prose")
