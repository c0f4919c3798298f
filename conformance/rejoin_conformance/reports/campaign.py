"""A campaign as a document: its status for a terminal, and the whole of it as a page."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from attrs import evolve

from rejoin_conformance.adapters.oracle import AS_ADAPTER
from rejoin_conformance.adapters.runner.cases import BREAKS
from rejoin_conformance.campaigns.block import (
    AGREES,
    CALLS,
    NO_CRASH,
    NOT_ASKED,
    ORACLE,
    SUITE_LAWS,
)
from rejoin_conformance.campaigns.plan import ANSWER_TIMEOUT, HISTORY_TIMEOUT, Bounds, Plan
from rejoin_conformance.campaigns.summary import Found, Summary
from rejoin_conformance.contract.law import Law
from rejoin_conformance.corpus.clauses import clauses_of
from rejoin_conformance.kit.document import (
    Bars,
    Block,
    Facts,
    Fold,
    Heading,
    Items,
    Kind,
    Line,
    Span,
    Table,
    Text,
    plain_text,
)
from rejoin_conformance.kit.text import counted, duration, most_counted
from rejoin_conformance.reports.document_html import document_html

_RUNNING: Final = 300
"""Seconds without a new block after which a campaign is reported as interrupted."""
_SHOWN: Final = 20
_COVERED: Final = "clause"
"""The group of coverage that has a table of its own."""

_LEFT_OUT: Final = "not-declared"
"""The group of calls that the adapter does not declare, of which the first names are shown."""

Examples = Mapping[tuple[str, str, str], Sequence[Block]]
"""(Reading, law, kind) -> its example."""

Minimal = Mapping[tuple[str, str, str], Path]
"""(Reading, law, kind) -> the file with the minimal vector of a difference of an adapter."""

NONE: Final[Minimal] = {}


def campaign_page(status: Summary, examples: Examples) -> str:
    """Return the page of a campaign. After the conclusion, it lists its contents."""
    title, blocks = f"Campaign: {status.system.title}", [*_page(status, examples)]
    titles: list[Line] = []
    for place, block in enumerate(blocks):
        if isinstance(block, Heading):
            blocks[place] = evolve(block, anchor=f"part-{place}")
            titles.append(Span(plain_text(block.line), "prose", f"#part-{place}"))
    return document_html(title, [blocks[0], Items(titles), *blocks[1:]])


def status_blocks(status: Summary, minimal: Minimal = NONE) -> Iterator[Block]:
    """Yield the progress, speed and results of a campaign."""
    yield from _facts(status)
    if status.histories:
        yield from reading_blocks(status)
        yield from broken_blocks(status, status.found(), minimal)


def reading_blocks(summary: Summary) -> Iterator[Block]:
    """Yield for each reading the laws and each kind of coverage.

    Of the clauses and of the calls of overridden functions, only a number or nothing is shown.
    """
    for reading in summary.plan.readings:
        yield Heading(f"reading {reading}")
        yield _law_table(summary, reading)
        blocks: list[Block] = []
        for group, values in _coverage(summary, reading).items():
            if group == _COVERED:
                blocks.append(Text(f"clauses decided: {len(values)}"))
            elif group == _LEFT_OUT:
                calls = {value.removeprefix(f"{summary.plan.system}/"): n for value, n in values}
                total = counted(sum(calls.values()), "call")
                blocks.append(Text(f"{group}: {total}: {most_counted(calls)}"))
            elif group not in CALLS:
                blocks.append(Bars(group, values))
        yield Fold("covered", blocks, is_open=True)


def broken_blocks(
    summary: Summary,
    found: Iterable[Found],
    minimal: Minimal = NONE,
    examples: Examples | None = None,
) -> Iterator[Block]:
    """Yield each broken law with its statement, and the first violation of each of its classes.

    examples: for a page, which also says how often each class occurs.
    """
    broken = sorted(found, key=lambda each: each.name)
    for law in summary.laws:
        folds: list[Block] = []
        for each in (each for each in broken if each.law == law.name):
            title: Line = f"[{each.reading}] {each.kind}: {_gist(each)}"
            example: Sequence[Block] = ()
            if examples is not None:
                mark = Span("failure", "fail") if each.claimed else Span("finding", "known")
                often = Span(_times(summary, each), "quiet")
                title = (mark, f" [{each.reading}] {each.kind} ", often)
                example = examples.get(each.name, ())
            commands = [Text(command) for command in _commands(summary.plan, each, minimal)]
            folds.append(Fold(title, [*example, *commands]))
        more = [Text(f"and {len(folds) - _SHOWN} more")] if len(folds) > _SHOWN else []
        if folds:
            yield Fold(f"{law.name} is broken: {law.statement}", [*folds[:_SHOWN], *more])


def _commands(plan: Plan, found: Found, minimal: Minimal) -> Iterator[str]:
    """Yield the commands that show a class of violations."""
    yield reproduce(plan, found.index, found.reading, found.law)
    if found.name in minimal:
        yield run_minimal(plan, minimal[found.name])


def _gist(found: Found) -> str:
    """Return one line on a violation: a whole difference, or the last line of anything else."""
    if found.law == AGREES.name:
        return " ".join(found.detail.split())
    return "".join(found.detail.splitlines()[-1:])


def run_minimal(plan: Plan, path: Path) -> str:
    """Return the command that runs a minimal vector."""
    command = f"rejoin run --adapter {shlex.quote(plan.adapter or '')}{_limits(plan)}"
    return f"{command} --corpus {shlex.quote(str(path))}"


def _limits(plan: Plan) -> str:
    """Return the options for limits that are not the usual ones, for `show` and `run`."""
    usual, given = Bounds().max_memory, plan.bounds.max_memory
    timeout = "" if plan.timeout == ANSWER_TIMEOUT else f" --timeout {plan.timeout}"
    return timeout + ("" if given == usual else f" --max-memory {given}")


def quarantine_blocks(summary: Summary) -> Iterator[Block]:
    """Yield how many histories are quarantined, and why, if any are."""
    if summary.quarantined:
        number = counted(len(summary.quarantined), "history", "histories")
        why = most_counted(Counter(str(each["reason"]) for each in summary.quarantined))
        again = "--retry-quarantined, with --directory, examines them again"
        yield Text(f"quarantined: {number}: {why}; {again}")


def not_asked_blocks(summary: Summary) -> Iterator[Block]:
    """Yield how many calls were not made because the adapter broke too often, if any were not."""
    if left := summary.total("coverage", NOT_ASKED):
        kinds = sorted({each.kind for each in summary.failures() if BREAKS & {*each.kind.split()}})
        listed = " and ".join(map(repr, kinds)) or "the kind of failure"
        broke = f"{counted(left, 'call')}, after the adapter broke in their blocks"
        more = f"correct the adapter, or list {listed} in --known-failures to ask them"
        yield Text(f"not asked: {broke}; {more}")


def restart_blocks(summary: Summary) -> Iterator[Block]:
    """Yield how many answers needed another process, if any did."""
    if summary.restarts:
        restarts = counted(summary.restarts, "answer")
        why = f"restarts: {restarts} needed another process, because the adapter broke before"
        yield Fold(why, [Text(f"the first is {summary.first_restart}")])


def _law_table(summary: Summary, reading: str) -> Table:
    """Return the laws under a reading, with how often each was checked and broken."""
    rows: list[tuple[Line, ...]] = []
    for law in summary.laws:
        broken, checked = summary.violations(reading, law.name), summary.histories
        if law is not NO_CRASH:
            checked = summary.counts(reading, "checked").get(law.name, 0)
        name = (law.name, Span(law.statement, "says"))
        verdict = _verdict_of(law, reading, checked, broken)
        rows.append((name, f"{checked:,}", f"{broken:,}", verdict))
    return Table(("law", "checked", "broken", ""), rows, numbers=frozenset({1, 2}))


def _coverage(summary: Summary, reading: str) -> dict[str, list[tuple[str, int]]]:
    """Return group -> its values with their counts: shapes, kinds of events, kinds of polls."""
    groups: dict[str, list[tuple[str, int]]] = {}
    for key, count in summary.counts(reading, "coverage").items():
        group, _, value = key.rpartition(":")
        groups.setdefault(group, []).append((value, count))
    return {
        group: sorted(groups[group], key=lambda pair: by_size(pair[0])) for group in sorted(groups)
    }


def reproduce(plan: Plan, index: int, reading: str, law: str = "") -> str:
    """Return the command that shows a history of a campaign.

    law: the law that it breaks. If the oracle was wrong, the command compares the oracle itself.
    """
    wrong = law == ORACLE.name
    command = AS_ADAPTER if wrong and plan.adapter is not None else plan.adapter
    adapter = " --laws-by oracle" if wrong and plan.adapter is None else ""
    adapter += "" if command is None else f" --adapter {shlex.quote(command)}"
    adapter += " --strict-codes" if plan.strict_codes else ""
    adapter += f" --codes {shlex.quote(plan.codes_path)}" if plan.codes_path else ""
    limit = plan.bounds.history_timeout
    adapter += "" if limit == HISTORY_TIMEOUT else f" --history-timeout {limit}"
    adapter += _limits(plan)
    return (
        f"rejoin show {plan.system} --seed {plan.seed} --index {index} "
        f"--profile {plan.profile} --reading {shlex.quote(plan.rule_path or reading)}{adapter}"
    )


def _facts(status: Summary) -> Iterator[Block]:
    """Yield the plan, progress, speed and restarts of a campaign."""
    plan, done = status.plan, status.histories
    readings = ", ".join(plan.readings)
    yield Text(f"{status.system.title}: profile {plan.profile}, seed {plan.seed}, {readings}")
    if plan.adapter is not None:
        yield Text(("adapter ", Span(plan.adapter, "code")))
    share = 1000 * done // plan.histories
    percent = f"{share // 10}.{share % 10} %"
    yield Text(f"{done:,} of {plan.histories:,} histories ({percent}); {_state(status)}")
    if done:
        rate, active = status.rate(), duration(int(status.active_seconds()))
        cpu = f"{status.cpu_micros / done / 1000:.2f} ms of CPU time for each history"
        yield Text(f"{rate:,.0f} histories a second over {active}; {cpu}")
        if not status.complete:
            yield Text(f"{duration(round((plan.histories - done) / rate))} left at this speed")
        yield Text(f"digest {status.digest}" + ("" if status.complete else " so far"))
        yield from quarantine_blocks(status)
    yield from not_asked_blocks(status)
    yield from restart_blocks(status)


def _state(status: Summary) -> str:
    """Return whether the campaign is complete, running or interrupted."""
    if status.complete:
        return "complete"
    since = status.seconds_since()
    if since is None:
        return "no block is finished yet"
    if since < _RUNNING:
        return f"latest block {duration(since)} ago"
    return f"interrupted {duration(since)} ago; to resume, run the original command again"


def _verdict_of(law: Law, reading: str, checked: int, broken: int) -> Line:
    claimed = law in SUITE_LAWS or reading in law.claimed_by
    if broken:
        unclaimed = "" if law.claimed_by else "; no reading claims this law"
        often = f"finding: {_often(broken, checked)}{unclaimed}"
        return Span("FAILED", "fail") if claimed else Span(often, "known")
    if not checked:
        return Span("premises never met", "none")
    return Span("", "pass") if claimed else Span("not claimed, never broken", "none")


def _often(broken: int, checked: int) -> str:
    """Return how often a law broke: as a percentage if it is more often than 1 in 10."""
    if broken > checked:  # one check can find several violations
        return f"{broken:,} in {counted(checked, 'check')}"
    if checked >= 10 * broken:
        return f"1 in {checked // broken:,}"
    return f"{100 * broken / checked:.0f} %"


def by_size(value: str) -> tuple[int, int, str]:
    """Return a sort key: numbers and ranges by their start, then words alphabetically."""
    number = re.match(r"\d+", value)
    return (0, int(number[0]), value) if number else (1, 0, value)


def _page(status: Summary, examples: Examples) -> Iterator[Block]:
    yield Text(_conclusion(status))
    yield from _facts(status)
    header = status.header
    yield Facts([("code", str(header.get("code"))), ("corpus", str(header.get("vectors")))])
    if not status.histories:
        return
    yield Heading("Violations")
    broken = [*broken_blocks(status, status.found(), examples=examples)]
    yield from broken or [Text("No law was broken.")]
    yield from reading_blocks(status)
    if status.plan.adapter is None:  # the oracle, which answers then, does not measure them
        yield Heading("Clauses")
        yield _clauses(status)


def _conclusion(status: Summary) -> Span:
    if status.failures():
        return Span("a claimed law is broken", "fail")
    if not status.complete:
        return Span("not finished", "known")
    findings = sum(each.times for each in status.found())
    if findings:
        said = f"no claimed law is broken; {counted(findings, 'finding')} in laws not claimed"
        return Span(said, "known")
    return Span("no claimed law is broken", "pass")


def _times(status: Summary, found: Found) -> str:
    """Return how often a class of violations occurs."""
    times = "once" if found.times == 1 else f"{found.times:,} times"
    if not found.histories:  # a campaign of an earlier version does not say it
        return times
    of, often = counted(status.histories, "history", "histories"), status.histories
    return f"{times} in {found.histories:,} of {of} ({_often(found.histories, often)})"


def _clauses(status: Summary) -> Table:
    """Return how many histories decided each clause, by reading."""
    readings = status.plan.readings
    cases = [status.counts(reading, "cases") for reading in readings]
    rows: list[Sequence[Line]] = []
    for clause in clauses_of(status.plan.system):
        says = Span(clause.text, "says")
        never: Kind = "none"
        numbers = [each.get(f"{_COVERED}:{clause.id}", 0) for each in cases]
        cells = [f"{number:,}" if number else Span("never", never) for number in numbers]
        rows.append([(Span(clause.id, "code"), " ", Span(clause.level, "quiet"), says), *cells])
    return Table(("clause", *readings), rows, numbers=frozenset(range(1, len(readings) + 1)))
