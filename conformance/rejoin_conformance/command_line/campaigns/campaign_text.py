"""The status of a campaign as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.campaigns.timeline import SECOND
from rejoin_conformance.corpus.clauses import clauses_of
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.untrusted import shown_line

_RUNNING: Final = 300
"""Seconds without a new block after which a campaign is reported as interrupted."""

_SHOWN: Final = 20


def render_status(status: Summary) -> str:
    """Return the status as text."""
    return "\n".join([*_head(status), *_speed(status), "", *_found(status), "", *_covered(status)])


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


def state_of(status: Summary) -> str:
    """Return whether the campaign is complete, running or interrupted."""
    if status.complete:
        return "complete"
    since = status.seconds_since()
    if since is None:
        return "no block is finished yet"
    if since < _RUNNING:
        return f"latest block {duration(since)} ago"
    return f"interrupted {duration(since)} ago; to resume, run the original command again"


def _head(status: Summary) -> Iterator[str]:
    plan, done = status.plan, status.histories
    readings = ", ".join(plan.readings)
    yield f"{status.system.title}: profile {plan.profile}, seed {plan.seed}, {readings}"
    if plan.adapter is not None:
        yield f"adapter {shown_line(plan.adapter)}"
    share = 1000 * done // plan.histories
    yield (
        f"{done:,} of {plan.histories:,} histories ({share // 10}.{share % 10} %); "
        f"{state_of(status)}"
    )


def _speed(status: Summary) -> Iterator[str]:
    timeline = status.timeline
    if not timeline.sizes:
        return
    core = timeline.core / max(1, status.histories) / 1000
    active = timeline.active() // SECOND
    yield (
        f"{timeline.rate_now():,.0f} histories a second now, {timeline.rate():,.0f} on average "
        f"over {duration(active)}; {core:.2f} ms of core time for each history"
    )
    if not status.complete and status.seconds_to_go() is not None:
        yield f"{duration(status.seconds_to_go() or 0)} left at the current speed"
    yield f"digest {status.digest}" + ("" if status.complete else " so far")


def _found(status: Summary) -> Iterator[str]:
    if status.restarts:
        restarts = counted(status.restarts, "answer")
        yield f"restarts: {restarts} needed another process; the first: " + shown_line(
            status.first_restart
        )
    found = status.found()
    failures = [each for each in found if each.claimed]
    findings = [each for each in found if not each.claimed]
    for title, listed in (("failures", failures), ("findings in laws not claimed", findings)):
        if not listed:
            yield f"no {title.partition(' ')[0]}"
            continue
        classes = counted(len(listed), "class", "classes")
        yield f"{title}: {sum(each.times for each in listed):,} in {classes}"
        for each in listed[:_SHOWN]:
            clauses = f" ({', '.join(each.clauses)})" if each.clauses else ""
            yield (
                f"  {each.times:>10,}  {each.law} [{each.reading}] "
                f"{shown_line(each.kind)}{clauses}, first in {each.index}"
            )
        if len(listed) > _SHOWN:
            yield f"  and {len(listed) - _SHOWN} more"


def _covered(status: Summary) -> Iterator[str]:
    known = {clause.id for clause in clauses_of(status.plan.system)}
    for reading in status.plan.readings:
        decided = status.clauses(reading)
        shapes = len(status.counts(reading, "coverage")) - len(decided)
        yield (
            f"reading {reading}: {len(known & set(decided))} of {len(known)} clauses decided a "
            f"result; {shapes} shapes and events reached"
        )
