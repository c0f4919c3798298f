"""The summary of a campaign as text: laws, coverage, violations, digest."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from operator import attrgetter

from rejoin_conformance.campaigns.block import AGREES, CALLS, NO_CRASH, SUITE_LAWS
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.command_line.campaigns.untried import reach_text
from rejoin_conformance.contract.law import Law
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.counted import counted


def render(system: System, summary: Summary, place: str, overridden: Sequence[str] = ()) -> str:
    """Return a campaign's summary as text: laws, coverage, examples, digest.

    place: where the histories ran. overridden: the functions that the campaign's rule overrides.
    """
    plan = summary.plan
    lines = [
        f"{system.title}: {summary.histories:,} histories, profile {plan.profile}, seed {plan.seed}"
    ]
    for reading in plan.readings:
        checks = summary.counts(reading, "checked")
        lines += ["", f"reading {reading}", f"  {'law':<34}{'checked':>12}{'broken':>10}"]
        for law in (*(system.laws if plan.adapter is None else (AGREES,)), NO_CRASH):
            broken = summary.violations(reading, law.name)
            checked = checks.get(law.name, 0) if law is not NO_CRASH else summary.histories
            lines.append(
                f"  {law.name:<34}{checked:>12,}{broken:>10,}"
                f"  {_verdict(law, reading, checked=checked, broken=broken)}".rstrip()
            )
        lines += ["", "  covered"]
        lines += [f"    {line}" for line in _coverage_lines(summary.counts(reading, "coverage"))]
    if overridden:
        lines += ["", reach_text(summary.reached(overridden), "history", "histories")]
    lines += _example_lines(system, summary)
    if summary.restarts:
        restarts = counted(summary.restarts, "answer")
        lines += [
            "",
            f"restarts: {restarts} needed another process, because the adapter broke before;",
        ]
        lines.append(f"  the first is {summary.first_restart}")
    lines += ["", f"ran    {place}", f"digest {summary.digest}"]
    return "\n".join(lines)


def _verdict(law: Law, reading: str, *, checked: int, broken: int) -> str:
    claimed = law in SUITE_LAWS or reading in law.claimed_by
    if broken:
        return "FAILED" if claimed else f"finding: {_often(broken, checked)}{_unclaimed(law)}"
    if not checked:
        return "premises never met"
    return "" if claimed else "not claimed, never broken"


def _often(broken: int, checked: int) -> str:
    """Return how often a law broke: as a percentage if it is more often than 1 in 10."""
    if checked >= 10 * broken:
        return f"1 in {checked // broken:,}"
    return f"{100 * broken / max(broken, checked):.0f} %"


def _unclaimed(law: Law) -> str:
    """Return a remark if no reading claims the law, so that a rule is not blamed for it."""
    return "" if law.claimed_by else "; no reading claims this law"


def _coverage_lines(coverage: Mapping[str, int]) -> list[str]:
    """Return one line for each kind of coverage; of the clauses, only their number."""
    groups: dict[str, list[tuple[str, int]]] = {}
    for key, count in coverage.items():
        group, _, value = key.rpartition(":")
        groups.setdefault(group, []).append((value, count))
    lines: list[str] = []
    for group, values in sorted(groups.items()):
        if group == "clause":
            lines.append(f"clauses decided: {len(values)}")
        elif group not in CALLS:
            ordered = sorted(values, key=lambda pair: (len(pair[0]), pair[0]))
            lines.append(f"{group}: " + "  ".join(f"{value} {n:,}" for value, n in ordered))
    return lines


def _example_lines(system: System, summary: Summary) -> list[str]:
    """Return the broken laws. Differences of an adapter are printed with their vectors."""
    broken = [each for each in summary.found() if each.law != AGREES.name]
    if not broken:
        return []
    plan = summary.plan
    lines = ["", "violations, the first of each kind"]
    for each in sorted(broken, key=attrgetter("name")):
        last = each.detail.splitlines()[-1]
        lines.append(f"  {each.law} [{each.reading}] {each.kind}: {last}")
        lines.append(
            f"    rejoin replay {system.name} --seed {plan.seed} --index {each.index} "
            f"--profile {plan.profile} --reading {each.reading}"
            + ("" if plan.adapter is None else f" --adapter {shlex.quote(plan.adapter)}")
        )
    return lines
