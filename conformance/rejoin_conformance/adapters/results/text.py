"""The summary of a run as a document, and a failure of it for every kind of document."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from rejoin_conformance.adapters.results.failure_groups import (
    SHOWN,
    FailureGroup,
    first_with_steps,
    grouped,
)
from rejoin_conformance.adapters.results.failure_steps import lines_of, parting_lines
from rejoin_conformance.adapters.results.records import Record
from rejoin_conformance.adapters.results.summary import MARKS, RunSummary
from rejoin_conformance.adapters.results.undeclared import undeclared_blocks
from rejoin_conformance.adapters.runner.cases import FAILURES, VERDICTS, WRONG_REASON, with_feature
from rejoin_conformance.adapters.runner.known_failures import KnownFailure
from rejoin_conformance.contract.asked_text import input_text
from rejoin_conformance.corpus.clauses import clause_named
from rejoin_conformance.corpus.text_vectors import written_text
from rejoin_conformance.kit.document import Block, Code, Fold, Items, Line, Span, Table, Text
from rejoin_conformance.kit.text import counted, most_counted, shown, shown_line

LINES: Final = 20
"""The number of lines of an input that are shown, and of unexpected passes in short."""
_LINE: Final = 400
"""The number of characters of one line of an input that are shown."""
_EXPLANATION: Final = 2000
_STDERR_LINES: Final = 5
_SUSPECTS: Final = 3
_NAMED: Final = 3
"""The number of other failures of a group whose names are shown."""
_CLAUSES: Final = 2
"""The number of clauses of one failure whose texts are shown."""


def summary_blocks(
    summary: RunSummary, limit: int | None = SHOWN, path: Path | None = None
) -> Iterator[Block]:
    """Yield the verdict with the counts, where to begin, the failures, and the other counts.

    limit: how many groups of failures to tell; None to yield only the verdict, where to begin, and
    the counts, as every form does. path: the corpus that ran, if it is not the suite's.
    """
    yield Text(conclusion_line(summary))
    corpus = summary.configuration.corpus
    what = "one for each vector in each reading asked"
    yield Text(f"corpus: {counted(corpus.cases, 'verdict')}, {what}; digest {corpus.digest[:16]}")
    yield from _begin(summary)
    yield from undeclared_blocks(summary.records, summary.failures)
    passes = summary.unexpected_passes
    for each, entry in passes[:LINES]:
        why = f"remove it from the known failures ({shown_line(entry.reason)})"
        yield Fold(f"UNEXPECTED PASS {each.id} [{each.reading}]", [Text(why)])
    if len(passes) > LINES:
        yield Text(f"... and {len(passes) - LINES:,} more unexpected passes")
    if limit is not None:
        yield from _failures(summary, limit, path)
        lines = [
            f"{each.verdict} {each.id} [{each.reading}]: {shown_line(entry.reason)}"
            for each, entry in summary.known
        ]
        if lines:
            yield Fold(f"known failures: {len(lines)}", [Items(lines)])
        yield from _clauses(summary)
    yield from _not_declared(summary)
    yield from _restarts(summary)


def _failures(summary: RunSummary, limit: int, path: Path | None) -> Iterator[Block]:
    """Yield the first failures. The text of a clause is told once."""
    command = shlex.join(summary.configuration.command)
    ranks = {each.clause: rank for rank, each in enumerate(summary.suspects)}
    told: set[str] = set()
    groups = grouped(summary.failures)
    for group in groups[:limit]:
        first = sorted(group.first.clauses, key=lambda name: ranks.get(name, len(ranks)))
        new = [name for name in first[:_CLAUSES] if name not in told]
        shown = input_blocks(group.first, whole=group is groups[0], known=path is None)
        blocks = failure_blocks(group, command, new, more=[*shown], corpus=path)
        yield Fold(name_of(group.first), [*blocks])
        told.update(new)
    left = sum(1 + len(group.others) for group in groups[limit:])
    if left:
        kinds = counted(len(groups) - limit, "group") + " of like ones"
        more = (
            f"{counted(left, 'more failure')} in {kinds}; --limit {len(groups)} prints all groups"
        )
        yield Text(f"... and {more}, --output FILE keeps them")


def _clauses(summary: RunSummary) -> Iterator[Block]:
    """Yield a row for each clause with a failure, and the number of the other clauses.

    The most suspected clauses come first, then those with known failures only.
    """
    counts = summary.clauses
    failing = [name for name in counts if any(counts[name][verdict] for verdict in FAILURES)]
    if failing:
        ranks = {each.clause: rank for rank, each in enumerate(summary.suspects)}
        failing.sort(key=lambda name: ranks.get(name, len(ranks)))
        used = [verdict for verdict in VERDICTS if any(counts[name][verdict] for name in failing)]
        rows = [(name, *(str(counts[name][each] or ".") for each in used)) for name in failing]
        yield Table(("clause", *used), rows, numbers=frozenset(range(1, len(used) + 1)))
    passed = sum(each["pass"] > 0 for each in counts.values())
    sound = passed - sum(counts[name]["pass"] > 0 for name in failing)
    untouched = len(counts) - len(failing) - sound
    other = "other " if failing else ""
    if sound:
        yield Text(f"{other}clauses whose vectors all pass: {sound}")
    if untouched:
        yield Text(f"{other}clauses without a vector that was run: {untouched}")


def _not_declared(summary: RunSummary) -> Iterator[Block]:
    """Yield one line for each system: the vectors that need what the adapter does not declare."""
    missing: dict[str, Counter[str]] = {}
    asked: set[str] = set()
    for each in summary.records:
        name = each.operation.partition("/")[2] or each.operation
        if each.verdict == "not-declared":
            missing.setdefault(each.system, Counter())[with_feature(name, each.missing)] += 1
        if each.verdict != "not-declared" or each.missing:
            asked.add(each.system)
    for system, counts in sorted(missing.items()):
        vectors = counted(counts.total(), "vector")
        said = f"{vectors}: {most_counted(counts)}" if system in asked else f"all ({vectors})"
        yield Text(f"not declared: {system}: {said}")


def _restarts(summary: RunSummary) -> Iterator[Block]:
    """Yield a note on vectors that were answered only in a second attempt."""
    if summary.restarted:
        first = summary.restarted[0]
        answers = counted(len(summary.restarted), "answer")
        lines = [f"the first is {first.id} [{first.reading}]: {first.volatile.first_attempt}"]
        if not summary.allow_restarts:
            lines.append("To accept such answers, give --allow-restarts.")
        title = f"{answers} needed another process, because the adapter broke before"
        yield Fold(title, [Items(lines)])


def conclusion_line(summary: RunSummary) -> tuple[str, Span]:
    """Return every verdict that occurs with its number, the restarts, and the conclusion."""
    wrong = sum(each.fault == WRONG_REASON for each in summary.records)
    more = {"fail": f" ({wrong:,} for a wrong reason)"} if wrong else {}
    verdicts = ", ".join(
        f"{count:,} {name}{more.get(name, '')}" for name, count in summary.verdicts.items() if count
    )
    if summary.restarted:
        allowed = " (allowed)" if summary.allow_restarts else ""
        verdicts += f"; {counted(len(summary.restarted), 'restart')}{allowed}"
    return f"{verdicts or 'no verdict'}: ", Span(summary.verdict, MARKS[summary.conclusion])


def _begin(summary: RunSummary) -> Iterator[Block]:
    """Yield the failure to begin with, if there is a choice, and the clauses under suspicion."""
    if 0 < summary.exercised == summary.judged.unanswered:
        doctor = f"rejoin doctor --adapter {shlex.quote(shlex.join(summary.configuration.command))}"
        yield Text(("The adapter gave no valid reply. Examine it: ", Span(doctor, "code")))
        return
    if summary.begin is None or len(summary.failures) == 1:
        return
    suspects = [f"{each.clause}: {each.text}" for each in summary.suspects[:_SUSPECTS]]
    why: Block = Text("No failure is a wrong answer. This is the one with the smallest input.")
    if suspects:
        why = Fold("Clauses under most suspicion:", [Items(suspects)], is_open=True)
    yield Fold(f"Begin here: {summary.begin.id} [{summary.begin.reading}]", [why], is_open=True)
    shown_by = first_with_steps(summary.failures, summary.suspects)
    if shown_by is not None and shown_by.steps is not None and shown_by is not summary.begin:
        lines = [*parting_lines(shown_by.steps)]
        yield Fold(f"In {shown_by.id}, {shown_by.steps.title}", [Items(lines)], is_open=True)


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
        names = ", ".join(other.id for other in group.others[:_NAMED])
        rest = ", ..." if len(group.others) > _NAMED else ""
        many = counted(len(group.others), "other failure")
        yield Text((f"{many} like it: ", Span(names, "code"), rest))
    yield Text(("run it alone: ", Span(alone(each, command, corpus), "code")))


def input_blocks(record: Record, *, whole: bool, known: bool) -> Iterator[Block]:
    """Yield the first lines of an input, if wanted, and the command that prints the vector.

    known: whether the command knows the vector: it has the project's corpus alone.
    """
    if whole:
        lines = input_text(record.asked).split("\n")
        if known and (lines[LINES:] or len(lines[0]) > _LINE):
            lines = (written_text(record.id) or "\n".join(lines)).split("\n")
        more = [f"... and {counted(len(lines) - LINES, 'more line')}"] if lines[LINES:] else []
        yield Fold("input", [Code("\n".join([*(shown(x, _LINE) for x in lines[:LINES]), *more]))])
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
