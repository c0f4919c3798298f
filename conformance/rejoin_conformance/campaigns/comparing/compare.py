"""Run a comparison: measure every block, shrink an example of each difference, and report."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
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
from rejoin_conformance.kit.json_types import Json, JsonObject
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
    changed = sorted(measured["changed"].items())
    searches = [*_searches(comparison, measured)] if shrink else []
    results: list[Any] = spread.pieces(
        lambda number: searches[number][1](), len(searches), "smallest histories"
    )
    named = [*zip((name for name, _ in searches), results, strict=True)]
    report = _report(comparison, measured, {name: found for name, found in named if name})
    alone: Any = {law: sorted(sides) for law, sides in changed}
    report["alone"] = alone
    report["breaking"] = [found for name, found in named if not name]
    report["fails"] = {
        side: _crash(comparison, side)
        for side in (A, B)
        if measured["broken"][side].get(NO_CRASH.name) == measured["histories"]
    }
    rows: Any = report["points"]
    for row in rows:
        row["hardly_reached"] = HARDLY * row["could_matter"] < measured["histories"]
        if row["hardly_reached"] and sample:
            row["toward"] = sample_toward(comparison, row["point"], spread)
    elsewhere = {
        (each["law"], each["side"]): each
        for row in rows
        for each in (row["toward"]["alone"] if "toward" in row else ())
        if each["side"] not in alone.get(each["law"], ())
    }
    listed = [*elsewhere.values()]
    if shrink:
        search = partial(_smallest_elsewhere, comparison, listed)
        listed = spread.pieces(search, len(listed), "smallest histories elsewhere")
    report["elsewhere"] = listed
    return report


def _smallest_elsewhere(comparison: Comparison, listed: Sequence[Any], number: int) -> JsonObject:
    """Return a law that breaks in a sample, with its smallest history."""
    each = listed[number]
    there = evolve(comparison, profile=each["profile"])
    start = each["law"], each["side"], each["index"], each["point"]
    return {**each, **smallest_breaking(there, *start)}


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
        for each in [*report["breaking"], *report["elsewhere"]]
        if "history" in each
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
    comparison: Comparison, measured: Tree
) -> Iterator[tuple[str, Callable[[], JsonObject]]]:
    """Yield the searches for smallest histories.

    Each choice point with a difference has one, by its name, and so have several together. Each law
    that one side alone breaks has one, without a name.
    """
    points = comparison.between().points
    for name in (*points, TOGETHER) if len(points) > 1 else (B,):
        if name in measured["differing"]:
            best = measured["differing"][name]["best"][0]
            start = best["index"][-1], best["aspect"]
            yield name, partial(smallest_difference, comparison, name, *start)
    for law, by_side in sorted(measured["changed"].items()):
        for side, counts in sorted(by_side.items()):
            start = counts["best"][0]["index"][-1]
            yield "", partial(smallest_breaking, comparison, law, side, start)


def _report(comparison: Comparison, measured: Tree, found: dict[str, Json]) -> JsonObject:
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
                **_row(measured, name, found),
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
        "all": _row(measured, B, {}),
        "points": points,
        TOGETHER: _row(measured, TOGETHER, found),
        HIDDEN: _row(measured, HIDDEN, {}),
        "laws": {law: counts for law, counts in laws.items() if counts},
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


def _row(measured: Tree, name: str, found: dict[str, Json]) -> JsonObject:
    differing = measured["differing"].get(name, {"histories": 0, "aspects": {}})
    return {
        "histories": differing["histories"],
        "aspects": dict(sorted(differing["aspects"].items())),
        "smallest": found.get(name),
    }
