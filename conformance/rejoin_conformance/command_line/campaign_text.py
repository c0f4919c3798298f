"""The status of a campaign as a document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rejoin_conformance.campaigns.summary import Found, Summary
from rejoin_conformance.campaigns.timeline import SECOND
from rejoin_conformance.corpus.clauses import clauses_of
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.document import Block, Fold, Items, Text

_RUNNING: Final = 300
"""Seconds without a new block after which a campaign is reported as interrupted."""

_SHOWN: Final = 20


def status_blocks(status: Summary) -> Iterator[Block]:
    """Yield the progress, speed and findings of a campaign."""
    plan, done = status.plan, status.histories
    readings = ", ".join(plan.readings)
    yield Text(f"{status.system.title}: profile {plan.profile}, seed {plan.seed}, {readings}")
    if plan.adapter is not None:
        yield Text(f"adapter {plan.adapter}")
    share = 1000 * done // plan.histories
    percent = f"{share // 10}.{share % 10} %"
    yield Text(f"{done:,} of {plan.histories:,} histories ({percent}); {_state(status)}")
    yield from map(Text, _speed(status))
    if status.restarts:
        restarts = counted(status.restarts, "answer")
        yield Text(f"restarts: {restarts} needed another process; the first: "
                   + status.first_restart)  # fmt: skip
    found = status.found()
    failures = [each for each in found if each.claimed]
    findings = [each for each in found if not each.claimed]
    for title, listed in (("failures", failures), ("findings in laws not claimed", findings)):
        if not listed:
            yield Text(f"no {title.partition(' ')[0]}")
            continue
        classes = counted(len(listed), "class", "classes")
        more = [f"and {len(listed) - _SHOWN} more"] if len(listed) > _SHOWN else []
        heading = f"{title}: {sum(each.times for each in listed):,} in {classes}"
        yield Fold(heading, [Items([*map(_class, listed[:_SHOWN]), *more])])
    yield from map(Text, _covered(status))


def duration(seconds: int) -> str:
    """Return a time in its two largest units."""
    minutes, hours = seconds // 60, seconds // 3600
    if seconds < 60:
        return f"{seconds} s"
    if minutes < 60:
        return f"{minutes} min {seconds % 60} s"
    if hours < 48:
        return f"{hours} h {minutes % 60} min"
    return f"{hours // 24} d {hours % 24} h"


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


def _speed(status: Summary) -> Iterator[str]:
    timeline = status.timeline
    if not timeline.sizes:
        return
    core = timeline.core / max(1, status.histories) / 1000
    yield (
        f"{timeline.rate_now():,.0f} histories a second now, {timeline.rate():,.0f} on average "
        f"over {duration(timeline.active() // SECOND)}; {core:.2f} ms of core time for each history"
    )
    left = status.seconds_to_go()
    if not status.complete and left is not None:
        yield f"{duration(left)} left at the current speed"
    yield f"digest {status.digest}" + ("" if status.complete else " so far")


def _class(each: Found) -> str:
    clauses = f" ({', '.join(each.clauses)})" if each.clauses else ""
    law = f"{each.law} [{each.reading}] {each.kind}{clauses}"
    return f"{each.times:>10,}  {law}, first in {each.index}"


def _covered(status: Summary) -> Iterator[str]:
    known = {clause.id for clause in clauses_of(status.plan.system)}
    for reading in status.plan.readings:
        decided = status.clauses(reading)
        shapes = len(status.counts(reading, "coverage")) - len(decided)
        clauses = f"{len(known & set(decided))} of {len(known)} clauses decided a result"
        yield f"reading {reading}: {clauses}; {shapes} shapes and events reached"
