"""A comparison as text: the table of choice points, the laws, the smallest histories."""

from __future__ import annotations

from typing import Any, Final

from rejoin_conformance.campaigns.block import NO_CRASH
from rejoin_conformance.campaigns.comparing.measure import HIDDEN, TOGETHER
from rejoin_conformance.contract.system import System
from rejoin_conformance.readings.in_force import A, B

_INDENT: Final = "    "


def render(report: Any, system: System, *, stories: bool = True) -> str:
    """Return a report of `compare` as text. stories: whether to include smallest histories."""
    comparison = report["comparison"]
    drawn = f"profile {comparison['profile']}, seed {comparison['seed']}"
    lines = [
        f"{system.name}: {report['histories']:,} histories, {drawn}",
        f"a = {report['names'][A]}, b = {report['names'][B]}",
        "",
        *_table(report),
        "",
        *(line for each in report["points"] for line in reached_text(each, report["histories"])),
        "",
        *_laws(report, system),
        *_costs(report),
    ]
    if stories:
        lines += _stories(report)
    return "\n".join(lines)


def _table(report: Any) -> list[str]:
    """Return a line for all choice points together, one for each alone, one for several."""
    rows = [("all points", "", report["all"])]
    rows += [(each["point"], f"{each[A]} -> {each[B]}", each) for each in report["points"]]
    if len(report["points"]) > 1:
        rows += [
            (name, "", report[name]) for name in (TOGETHER, HIDDEN) if report[name]["histories"]
        ]
    width = max(len(name) for name, _, _ in rows)
    switch = max(len("a -> b"), *(len(text) for _, text, _ in rows))
    aspects = sorted({aspect for _, _, row in rows for aspect in row["aspects"]})
    head = f"{'choice point':<{width}}  {'a -> b':<{switch}}  {'differ':>8} {'per 100':>7}"
    head += "".join(f" {aspect:>8}" for aspect in aspects) + "  smallest"
    return [
        head,
        *(
            _row(name.ljust(width), text.ljust(switch), row, aspects, report["histories"])
            for name, text, row in rows
        ),
    ]


def _row(name: str, switch: str, row: Any, aspects: list[str], histories: int) -> str:
    count = row["histories"]
    text = f"{name}  {switch}  {count:>8,} {100 * count / histories:>7.2f}"
    text += "".join(f" {row['aspects'].get(aspect, 0):>8,}" for aspect in aspects)
    found = row["smallest"]
    return text.rstrip() if found is None else f"{text}  from history {found['index']}"


def reached_text(row: Any, histories: int) -> list[str]:
    """Return what the histories say about one choice point: its effect, or that they say little."""
    point, could, consulted = row["point"], row["could_matter"], row["consulted"]
    verb = "called" if row["overridden"] else "consulted"
    if not consulted:
        first = f"{point}: not tried: {verb} in 0 of {histories:,} histories"
        if row["overridden"]:
            first += "; calls by the checks of laws do not count"
    else:
        share = f"{could:,} of {histories:,} histories ({100 * could / histories:.2f} %)"
        first = f"{point}: {verb} in {consulted:,} histories; could matter in {share}"
        if row["hardly_reached"]:
            first += "; hardly reached"
        elif not row["histories"]:
            first += "; no result differs"
    return [first, *(_toward(row["toward"], histories) if "toward" in row else ())]


def _toward(sample: Any, histories: int) -> list[str]:
    """Return the result of a sample toward a choice point, with its bias."""
    found, profiles = sample["histories"], len(sample["profiles"])
    searched = f"  searched {sample['candidates']:,} histories of {profiles} profiles"
    if not found:
        nothing = f"the {histories:,} histories say nothing about its effect"
        return [f"{searched}: it could matter in none of them; {nothing}"]
    sources = ", ".join(
        f"{name} {each['histories']:,} of {each['candidates']:,}"
        for name, each in sample["profiles"].items()
        if each["histories"]
    )
    biased = "they were chosen for this choice, so the share does not say how often it matters"
    lines = [
        f"{searched}; it could matter in {found:,} of them ({sources})",
        f"  in these {found:,}, results differ in {sample['differ']:,}; {biased}",
    ]
    broken = {law for laws in sample["broken"].values() for law in laws}
    for law in sorted(broken):
        a, b = (sample["broken"].get(side, {}).get(law, 0) for side in (A, B))
        lines.append(f"    {law} is broken in a {a:,}, b {b:,}")
    return lines


def _laws(report: Any, system: System) -> list[str]:
    """Return for each broken law the number of histories that break it, by variant."""
    if not report["laws"]:
        return ["no law is broken under a, b, or any single choice point"]
    claimed = {law.name: law.claimed_by for law in system.laws}
    claimed[NO_CRASH.name] = ("every reading",)
    lines = ["histories that break a law"]
    for law, counts in report["laws"].items():
        by = ", ".join(claimed[law]) or "no reading"
        lines.append(f"  {law} (claimed by {by})")
        alone = [f"{name} {counts[name]:,}" for name in counts if name not in (A, B)]
        lines.append(f"    a {counts.get(A, 0):,}, b {counts.get(B, 0):,}")
        if alone:
            lines.append(f"    alone: {', '.join(alone)}")
    return lines


def _costs(report: Any) -> list[str]:
    """Return the costs of both sides, a line for each quantity, with the totals in brackets."""
    if not report["costs"]:
        return []
    lines = ["", f"{'what the histories cost':<25} {A:>26} {B:>26}"]
    for name in report["costs"][A]:
        shown = [_cost(report["costs"][side][name]) for side in (A, B)]
        lines.append(f"  {name:<23} {shown[0]:>26} {shown[1]:>26}")
    return lines


def _cost(cost: Any) -> str:
    return "-" if cost["share"] is None else f"{cost['share']} ({cost['total']:,} / {cost['of']:,})"


def _stories(report: Any) -> list[str]:
    lines: list[str] = []
    for row in [*report["points"], {"point": TOGETHER, **report[TOGETHER]}]:
        found = row["smallest"]
        if found is None:
            continue
        title = row["point"] if A not in row else f"{row['point']}: {row[A]} -> {row[B]}"
        if found.get("points"):
            title += f": {', '.join(found['points'])}"
        elif "points" in found:
            title += ": needs more than three choice points"
        size = "smallest history" if found["minimal"] else "smallest history found"
        lines += [
            "",
            title,
            f"  {size}, shrunk from history {found['index']}; its events under a:",
            "",
        ]
        lines += [f"{_INDENT}{line}".rstrip() for line in found["story"].splitlines()]
        lines += [
            "",
            f"  first difference: {found['where']}",
            f"    a  {_side(found[A])}",
            f"    b  {_side(found[B])}",
        ]
    return lines


def _side(shown: str | None) -> str:
    return "(nothing)" if shown is None else shown
