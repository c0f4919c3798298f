"""The summary of a run as text. Text from the adapter is escaped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rejoin_conformance.adapters.results.records import Record
from rejoin_conformance.adapters.results.summary import RunSummary
from rejoin_conformance.adapters.runner.verdict import FAILURES, VERDICTS
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.untrusted import shown, shown_line

_FAILURES_SHOWN: Final = 20
_STDERR_LINES: Final = 5


def render(summary: RunSummary) -> str:
    """Return the summary: failures, then verdicts by clause, then all counts."""
    return "\n".join(
        (
            *_failures(summary),
            *_surprises(summary),
            *_clauses(summary),
            *_not_declared(summary),
            *_restarts(summary),
            _conclusion(summary),
        )
    )


def _failures(summary: RunSummary) -> Iterator[str]:
    for each in summary.failures[:_FAILURES_SHOWN]:
        yield from _failure(each)
        yield ""
    if len(summary.failures) > _FAILURES_SHOWN:
        more = len(summary.failures) - _FAILURES_SHOWN
        yield f"... and {counted(more, 'more failure')}; --results FILE keeps all of them"
        yield ""


def _failure(each: Record) -> Iterator[str]:
    yield f"{each.verdict.upper()} {each.id} [{each.reading}]"
    yield f"  {each.level.upper()} {', '.join(each.clauses)}"
    if each.summary:
        yield f"  {each.summary}"
    yield from (f"  {line}" for line in shown(each.explanation, 4000).split("\n"))
    stderr = shown(each.volatile.stderr, 4000).strip()
    if stderr:
        yield "  standard error ends:"
        yield from (f"  | {line}" for line in stderr.split("\n")[-_STDERR_LINES:])


def _surprises(summary: RunSummary) -> Iterator[str]:
    for each, entry in summary.unexpected_passes:
        yield f"UNEXPECTED PASS {each.id} [{each.reading}]"
        yield f"  remove it from the known failures ({shown_line(entry.reason)})"
        yield ""
    if summary.known:
        yield f"known failures: {len(summary.known)}"
        for each, entry in summary.known:
            why = shown_line(entry.reason)
            yield f"  {each.verdict} {each.id} [{each.reading}]: {why}"
        yield ""


def _clauses(summary: RunSummary) -> Iterator[str]:
    """Yield a row for each clause with a failure, and the number of the other clauses."""
    rows: dict[str, Mapping[str, int]] = {}
    sound = untouched = 0
    for clause, counts in summary.clauses.items():
        if any(counts[verdict] for verdict in FAILURES):
            rows[clause] = counts
        elif counts["pass"]:
            sound += 1
        else:
            untouched += 1
    if rows:
        width = max(len(clause) for clause in rows)
        used = [name for name in VERDICTS if any(counts[name] for counts in rows.values())]
        yield f"{'clause':<{width}}" + "".join(f"  {name:>7}" for name in used)
        for clause, counts in rows.items():
            cells = (f"  {counts[name] or '.':>{max(7, len(name))}}" for name in used)
            yield f"{clause:<{width}}" + "".join(cells)
    other = "other " if rows else ""
    if sound:
        yield f"{other}clauses whose vectors all pass: {sound}"
    if untouched:
        yield f"{other}clauses without a vector that was run: {untouched}"
    yield ""


def _not_declared(summary: RunSummary) -> Iterator[str]:
    missing: dict[str, int] = {}
    for each in summary.records:
        if each.verdict == "not-declared":
            what = f"{each.operation} with {each.missing}" if each.missing else each.operation
            missing[what] = missing.get(what, 0) + 1
    for what, count in sorted(missing.items()):
        yield f"not declared: {what} ({counted(count, 'vector')})"
    if missing:
        yield ""


def _restarts(summary: RunSummary) -> Iterator[str]:
    """Yield a note on vectors that were answered only in a second attempt."""
    if summary.restarted:
        first = summary.restarted[0]
        why = shown_line(first.volatile.first_attempt)
        answers = counted(len(summary.restarted), "answer")
        yield f"{answers} needed another process, because the adapter broke before;"
        yield f"  the first is {first.id} [{first.reading}]: {why}"
        if not summary.allow_restarts:
            yield "  To accept such answers, give --allow-restarts."
        yield ""


def _conclusion(summary: RunSummary) -> str:
    verdicts = ", ".join(
        f"{count:,} {verdict}" for verdict, count in summary.verdicts.items() if count
    )
    if summary.restarted:
        verdicts += f"; {counted(len(summary.restarted), 'restart')}"
    if not summary.exercised:
        return f"{verdicts or 'no verdict'}: no vector was run"
    return f"{verdicts}: {'conformant' if summary.conformant else 'NOT conformant'}"
