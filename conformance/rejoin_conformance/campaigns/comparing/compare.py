"""Run a comparison: measure every block, shrink an example of each difference, and report."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Final

from attrs import evolve

from rejoin_conformance.campaigns.block import NO_CRASH
from rejoin_conformance.campaigns.comparing.measure import (
    HIDDEN,
    TOGETHER,
    Comparison,
    broken_laws,
    measure_block,
    under,
)
from rejoin_conformance.campaigns.comparing.searches import (
    HARDLY,
    sample_toward,
    smallest_breaking,
    smallest_difference,
)
from rejoin_conformance.campaigns.kept.store import version
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.contract.vector import KeptHistory, Lineage
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.tree import Tree, add
from rejoin_conformance.readings.in_force import A, B
from rejoin_conformance.readings.reach import Reach

_NO_LETTERS: Final = re.compile(r"[^a-z0-9]+")


def compare(
    comparison: Comparison, spread: Spread, *, shrink: bool = True, sample: bool = True
) -> JsonObject:
    """Return the report of a comparison as data. It does not depend on where the work runs.

    shrink: whether to search for the smallest history of each difference. sample: whether to search
    for histories to which a choice point could matter, if the comparison hardly reaches it.
    """
    measured: Tree = {}
    measure = partial(measure_block, comparison)
    blocks: list[Any] = spread.pieces(measure, comparison.blocks, "blocks of histories")
    for block in blocks:
        add(measured, block)
    report = _report(comparison, measured)
    rows: Any = report["points"]
    for row in rows:
        row["hardly_reached"] = HARDLY * row["could_matter"] < measured["histories"]
        if row["hardly_reached"] and sample:
            row["toward"] = sample_toward(comparison, row["point"], spread)
    elsewhere = {
        (each["law"], each["side"]): each
        for row in rows
        for each in (row["toward"]["alone"] if "toward" in row else ())
        if each["side"] not in measured["changed"].get(each["law"], ())
    }
    report["elsewhere"] = [*elsewhere.values()]
    searches = [*_searches(comparison, measured, elsewhere.values())] if shrink else []
    results: list[Any] = spread.pieces(
        lambda number: searches[number][1](), len(searches), "smallest histories"
    )
    found = {name: result for (name, _), result in zip(searches, results, strict=True) if name}
    for row in (*rows, report[TOGETHER]):
        row["smallest"] = found.get(row.get("point", TOGETHER))
    report["breaking"] = [result for result in results if "law" in result]
    report["fails"] = {
        side: _crash(comparison, side)
        for side in (A, B)
        if measured["broken"][side].get(NO_CRASH.name) == measured["histories"]
    }
    return report


def smallest_histories(comparison: Comparison, report: Any) -> Iterator[KeptHistory]:
    """Yield the smallest histories of a report, as files keep them."""
    points = [*report["points"], {"point": TOGETHER, **report[TOGETHER]}]
    found = [
        (row["point"], "", f"first difference: {row['smallest']['where']}", row["smallest"])
        for row in points
        if row["smallest"] is not None
    ]
    found += [
        (each["law"], each["law"], f"breaks under {each['side']} alone", each)
        for each in report["breaking"]
    ]
    for number, (name, law, shows, each) in enumerate(found, start=1):
        lineage = Lineage(
            profile=each.get("profile", comparison.profile),
            seed=comparison.seed,
            index=each["index"],
            code=version(),
            history=f"{_NO_LETTERS.sub('-', name.lower())}-{number}",
            law=law,
        )
        yield KeptHistory(shows=f"{name}: {shows}", lineage=lineage, history=each["history"])


def _crash(comparison: Comparison, side: str) -> str:
    """Return the exception of the first history of a side on which every history raises one."""
    system, variant = system_named(comparison.system), comparison.between().variants()[side]
    return under(variant, system, comparison.history(0), broken_laws)[NO_CRASH.name]


def _searches(
    comparison: Comparison, measured: Tree, elsewhere: Iterable[Any]
) -> Iterator[tuple[str, Callable[[], JsonObject]]]:
    """Yield the searches for smallest histories.

    Each choice point with a difference has one, by its name, and so have several together. Each law
    that one side alone breaks has one, without a name. elsewhere: those laws that one side alone
    breaks only in the samples toward a choice point.
    """
    points = comparison.between().points
    several = len(points) > 1
    for name in (*points, TOGETHER) if several else points:
        variant = name if several else B
        if variant in measured["differing"]:
            best = measured["differing"][variant]["best"][0]
            start = best["index"][-1], best["aspect"]
            yield name, partial(smallest_difference, comparison, variant, *start)
    for law, by_side in sorted(measured["changed"].items()):
        for side, counts in sorted(by_side.items()):
            start = counts["best"][0]["index"][-1]
            yield "", partial(smallest_breaking, comparison, law, side, start)
    for each in elsewhere:
        there, start = evolve(comparison, profile=each["profile"]), each["index"]
        yield "", partial(smallest_breaking, there, each["law"], each["side"], start, each["point"])


def _report(comparison: Comparison, measured: Tree) -> JsonObject:
    system = system_named(comparison.system)
    sides = comparison.between()
    points: list[Any] = []
    for point in sides.points:
        name = point if len(sides.points) > 1 else B
        a, b = sides.values(point, system)
        reach = Reach(Counter(measured["reached"].get(point)))
        points.append(
            {
                "point": point,
                A: a,
                B: b,
                "calls": reach.counts["called"],
                "consulted": reach.counts["cases"],
                "could_matter": reach.could_matter,
                "overridden": point in sides.overridden,
                "bypassing": reach.counts["bypassing"],
                **_row(measured, name),
            }
        )
    order = [law.name for law in system.laws] + [NO_CRASH.name]
    broken = {name: measured["broken"].get(name, {}) for name in sides.variants()}
    laws = {
        law: {name: laws[law] for name, laws in broken.items() if laws.get(law)}
        for law in order  # in one order, wherever the work ran
    }
    return {
        "comparison": comparison.to_json(),
        "histories": measured["histories"],
        "names": {A: comparison.a.name, B: comparison.b.name},
        "all": _row(measured, B),
        "points": points,
        TOGETHER: _row(measured, TOGETHER),
        HIDDEN: _row(measured, HIDDEN),
        "laws": {law: counts for law, counts in laws.items() if counts},
        "alone": {law: sorted(sides) for law, sides in sorted(measured["changed"].items())},
        "costs": {
            side: {
                name: {"total": cost["total"], "of": cost["of"], "share": _share(cost)}
                for name, cost in costs.items()
            }
            for side, costs in measured["costs"].items()
            if costs
        },
    }


def _share(cost: Tree) -> str | None:
    return f"{cost['parts'] / cost['of']:.2f}" if cost["of"] else None


def _row(measured: Tree, name: str) -> Tree:
    differing = measured["differing"].get(name, {"histories": 0, "aspects": {}})
    return {
        "histories": differing["histories"],
        "aspects": dict(sorted(differing["aspects"].items())),
        "smallest": None,
    }
