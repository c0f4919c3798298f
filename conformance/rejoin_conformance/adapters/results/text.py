"""The summary of a run as text. Text from the adapter is escaped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rejoin_conformance.adapters.results.failures_text import begin_again, failures_text
from rejoin_conformance.adapters.results.summary import RunSummary
from rejoin_conformance.adapters.runner.verdict import FAILURES, VERDICTS
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.untrusted import shown_line


def render(summary: RunSummary, command: Sequence[str] = ()) -> str:
    """Return the summary: failures, then verdicts by clause, then all counts.

    command: the command of the adapter, as a list of words.
    """
    return "\n".join(
        (
            *failures_text(summary, command),
            *_surprises(summary),
            *_clauses(summary),
            *_not_declared(summary),
            *_restarts(summary),
            *begin_again(summary),
            _conclusion(summary),
        )
    )


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
    """Yield a row for each clause with a failure, and the number of the other clauses.

    The most suspected clauses come first, then those with known failures only.
    """
    failing = [
        clause
        for clause, counts in summary.clauses.items()
        if any(counts[verdict] for verdict in FAILURES)
    ]
    if failing:
        ranks = {each.clause: rank for rank, each in enumerate(summary.suspects)}
        rows = {
            clause: summary.clauses[clause]
            for clause in sorted(failing, key=lambda clause: ranks.get(clause, len(ranks)))
        }
        width = max(len(clause) for clause in rows)
        used = [name for name in VERDICTS if any(counts[name] for counts in rows.values())]
        yield f"{'clause':<{width}}" + "".join(f"  {name:>7}" for name in used)
        for clause, counts in rows.items():
            cells = (f"  {counts[name] or '.':>{max(7, len(name))}}" for name in used)
            yield f"{clause:<{width}}" + "".join(cells)
    passed = sum(counts["pass"] > 0 for counts in summary.clauses.values())
    sound = passed - sum(summary.clauses[clause]["pass"] > 0 for clause in failing)
    untouched = len(summary.clauses) - len(failing) - sound
    other = "other " if failing else ""
    if sound:
        yield f"{other}clauses whose vectors all pass: {sound}"
    if untouched:
        yield f"{other}clauses without a vector that was run: {untouched}"
    yield ""


def _not_declared(summary: RunSummary) -> Iterator[str]:
    """Yield the systems of which nothing is declared in one line, then each other operation."""
    missing: dict[str, dict[str, int]] = {}
    asked = {
        each.system for each in summary.records if each.verdict != "not-declared" or each.missing
    }
    for each in summary.records:
        if each.verdict == "not-declared":
            what = f"{each.operation} with {each.missing}" if each.missing else each.operation
            counts = missing.setdefault(each.system, {})
            counts[what] = counts.get(what, 0) + 1
    systems = [
        f"{system} ({counted(sum(counts.values()), 'vector')})"
        for system, counts in sorted(missing.items())
        if system not in asked
    ]
    if systems:
        yield f"not declared: all of {', '.join(systems)}"
    for system in sorted(missing.keys() & asked):
        for what, count in sorted(missing[system].items()):
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
