"""A campaign as one HTML page: see `rendering` for the properties of every page."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any, Final

from rejoin_conformance.campaigns.block import NO_CRASH, SUITE_LAWS
from rejoin_conformance.campaigns.summary import Found, Summary
from rejoin_conformance.contract.law import Law
from rejoin_conformance.corpus.clauses import clauses_of
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.untrusted import shown, shown_line
from rejoin_conformance.reports.campaign_examples import ShownExample
from rejoin_conformance.reports.campaign_plots import histograms, throughput
from rejoin_conformance.reports.campaign_profiles import Measured, profiles_compared
from rejoin_conformance.reports.dag_svg import dag_svg
from rejoin_conformance.reports.rendering import page

Examples = Mapping[tuple[str, str, str], ShownExample]

_TEXT: Final = 12_000


def campaign_page(status: Summary, examples: Examples, profiles: Measured | None = None) -> str:
    """Return the report of a campaign. profiles: the coverage of profiles, if it was measured."""
    readings = status.plan.readings
    return page(
        "campaign.html",
        f"Campaign: {status.system.title}",
        styles=("page.css", "campaign.css"),
        verdict=_verdict(status),
        facts=_facts(status),
        speed=throughput(status.timeline),
        violations=[_violation(status, each, examples.get(each.name)) for each in status.found()],
        laws_of_readings=[
            (reading, [_law(status, law, reading) for law in status.laws]) for reading in readings
        ],
        shapes=[(reading, histograms(status.counts(reading, "coverage"))) for reading in readings],
        clauses=_clauses(status),
        profiles=profiles_compared(profiles) if profiles is not None else "",
    )


def _facts(status: Summary) -> list[tuple[str, str]]:
    timeline = status.timeline
    core = timeline.core / max(1, status.histories) / 1000
    facts = [
        ("histories", f"{status.histories:,} of {status.plan.histories:,}"),
        ("profile", status.plan.profile),
        ("readings", ", ".join(status.plan.readings)),
        ("seed", str(status.plan.seed)),
        ("speed", f"{timeline.rate():,.0f} histories a second, {core:.2f} ms of core time each"),
        ("code", str(status.header.get("code"))),
        ("corpus", str(status.header.get("vectors"))[:16]),
        ("digest", status.digest if status.complete else f"{status.digest} so far"),
    ]
    if status.plan.adapter is not None:
        facts.insert(1, ("adapter", status.plan.adapter))
        facts.insert(2, ("restarts", _restarts(status)))
    return facts


def _restarts(status: Summary) -> str:
    """Return the number of answers that needed another process, and the first of them."""
    first = f"; the first: {shown_line(status.first_restart)}" if status.restarts else ""
    return f"{counted(status.restarts, 'answer')} needed another process{first}"


def _verdict(status: Summary) -> tuple[str, str, str]:
    """Return the kind, sign and words of a mark."""
    if status.failed():
        return "fail", "✗", "a claimed law is broken"
    if not status.complete:
        return "known", "!", "not finished"
    return "pass", "✓", "no claimed law is broken"


def _violation(status: Summary, found: Found, example: ShownExample | None) -> dict[str, Any]:
    return {
        "found": found,
        "often": _often(found.times, status.histories),
        "law": next((each for each in status.laws if each.name == found.law), None),
        "example": None if example is None else _example(status, found, example),
    }


def _often(times: int, histories: int) -> str:
    """Return how often a law was broken, also if some histories break it several times."""
    said = "once" if times == 1 else f"{times:,} times"
    share = histories // max(1, times)
    if share > 1:
        return f"{said}, about 1 in {share:,} histories"
    return f"{said} in {counted(histories, 'history', 'histories')}"


def _example(status: Summary, found: Found, example: ShownExample) -> dict[str, Any]:
    plan = status.plan
    events = "" if example.size is None else f" of {counted(example.size, 'event')}"
    if example.minimal:
        how = "no event can be removed"
    elif example.smaller:
        how = "shrunk, but perhaps not minimal"
    else:
        how = "not shrunk"
    command = (
        f"rejoin show {plan.system} --seed {plan.seed} --index {found.index} "
        f"--profile {plan.profile} --reading {found.reading}"
        + ("" if plan.adapter is None else f" --adapter {shlex.quote(plan.adapter)}")
    )
    return {
        "how": f"{events}, {how}",
        "detail": shown(example.detail, _TEXT),
        "drawings": [(drawing.title, dag_svg(drawing)) for drawing in example.drawings],
        "events": shown(example.events_text, _TEXT),
        "command": command,
    }


def _law(status: Summary, law: Law, reading: str) -> dict[str, Any]:
    checked = (
        status.histories if law is NO_CRASH else status.counts(reading, "checked").get(law.name, 0)
    )
    broken = status.violations(reading, law.name)
    claimed = law in SUITE_LAWS or reading in law.claimed_by
    mark = _law_mark(checked=checked, broken=broken, claimed=claimed)
    return {"law": law, "checked": checked, "broken": broken, "mark": mark}


def _law_mark(*, checked: int, broken: int, claimed: bool) -> tuple[str, str, str]:
    if broken:
        return ("fail", "✗", "broken") if claimed else ("known", "!", "finding")
    if not checked:
        return "none", "○", "premises never met"
    return ("pass", "✓", "holds") if claimed else ("none", "○", "not claimed")


def _clauses(status: Summary) -> dict[str, Any]:
    readings = status.plan.readings
    counts = {reading: status.clauses(reading) for reading in readings}
    rows = [
        (clause, [counts[reading].get(clause.id, 0) for reading in readings])
        for clause in clauses_of(status.plan.system)
    ]
    decided = sum(any(numbers) for _, numbers in rows)
    return {
        "readings": readings,
        "rows": rows,
        "summary": f"{decided} of {len(rows)} were decided by a history",
    }
