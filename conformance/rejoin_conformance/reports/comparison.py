"""Two readings, or a reading and a changed rule, as a document.

A comparison has points, laws, costs and the smallest histories. Vectors change, with their clauses.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from rejoin_conformance.campaigns.block import NO_CRASH
from rejoin_conformance.campaigns.comparing.measure import CRASH, HIDDEN, TOGETHER
from rejoin_conformance.contract.system import System
from rejoin_conformance.corpus.clauses import clause_named
from rejoin_conformance.corpus.verify import MovedVectors
from rejoin_conformance.kit.document import Block, Code, Fold, Items, Span, Table, Text
from rejoin_conformance.kit.text import counted
from rejoin_conformance.readings.in_force import A, B
from rejoin_conformance.readings.targets import fast_counterparts

_LONGEST: Final = 1000
"""The number of characters of one difference that are shown."""


def moved_vectors(found: MovedVectors, *, page: bool = False) -> Iterator[Fold]:
    """Yield each vector that changes, with the difference. On a page, also what it shows."""
    for each in found.moved:
        vector = each.vector
        blocks: list[Block] = [Text(vector.summary)] if page else []
        blocks += [Code(each.observed[:_LONGEST])] if each.observed else []
        links = [x for name in vector.clauses for x in (", ", Span(name, "quiet", f"#{name}"))]
        name = ("CHANGED ", Span(vector.id, "code"), "  [", *links[1:], "]")
        yield Fold(name, blocks, anchor=vector.id)


def moved_clauses(found: MovedVectors, *, page: bool = False) -> Iterator[Fold]:
    """Yield the clauses of the vectors that change: those of the changed code, then the others.

    On a page, each has links to its vectors.
    """
    for whose, is_changed in (("clauses of the changed code", True), ("other clauses", False)):
        rows: list[Fold] = []
        for each in found.clauses:
            if each.is_changed is is_changed:
                clause = clause_named(found.asked[0].system, each.clause)
                says = () if clause is None else (" ", Span(clause.text, "says"))
                ids = [x.vector.id for x in found.moved if each.clause in x.vector.clauses]
                links = Items([Span(name, "code", f"#{name}") for name in ids])
                row = (f"{each.clause}  {each.moved} of {each.asked}", *says)
                rows.append(Fold(row, [links], anchor=each.clause))
        if found.moved and rows:
            title = f"{whose}, by the share of their vectors that change"
            yield Fold(title, rows if page else [Items([each.summary for each in rows])])


_MEANS: Final = {
    "differ": "the histories whose observable results under b are not those under a",
    "per 100": "the same of every 100 histories",
    "decided": "histories in which a step has another outcome, such as merged or ignored",
    "held": "histories in which a party has other data, members or files at some point",
    "stored": "histories in which others can fetch other data",
    CRASH: "histories that end with an unexpected exception on one side",
    "smallest": "the history from which the example below is shrunk",
}
"""Column of the table -> its meaning."""


def comparison_blocks(report: Any, system: System) -> Iterator[Block]:
    """Yield a report of `compare`, without the smallest histories."""
    comparison, histories = report["comparison"], report["histories"]
    drawn = f"profile {comparison['profile']}, seed {comparison['seed']}"
    yield Text(f"{system.name}: {histories:,} histories, {drawn}")
    yield Text(f"a = {report['names'][A]}, b = {report['names'][B]}")
    table = _table(report)
    yield table
    listed = [f"{name}: {_MEANS[str(name)]}" for name in table.columns if name in _MEANS]
    yield Fold("the quantities", [Items(listed)])
    yield from (reached_block(each, histories) for each in report["points"])
    yield from _laws(report, system)
    yield from (Text(" ".join(each)) for each in failing(report))
    if report["costs"]:
        costs = [report["costs"].get(side, {}) for side in (A, B)]
        none, names = {"share": None}, costs[0] or costs[1]
        rows = [(name, *(_cost(side.get(name, none)) for side in costs)) for name in names]
        yield Table(("what the histories cost", A, B), rows, numbers=frozenset({1, 2}))


def _table(report: Any) -> Table:
    """Return a row for all choice points together, one for each alone, one for several."""
    rows = [("all points", "", report["all"])]
    rows += [(each["point"], f"{each[A]} -> {each[B]}", each) for each in report["points"]]
    if len(report["points"]) > 1:
        rows += [
            (name, "", report[name]) for name in (TOGETHER, HIDDEN) if report[name]["histories"]
        ]
    aspects = sorted({aspect for _, _, row in rows for aspect in row["aspects"]})
    titles = ("choice point", "a -> b", "differ", "per 100", *aspects, "smallest")
    listed = []
    for name, switch, row in rows:
        share = f"{100 * row['histories'] / report['histories']:.2f}"
        counts = (f"{row['aspects'].get(aspect, 0):,}" for aspect in aspects)
        found = row["smallest"]
        smallest = "" if found is None else f"from history {found['index']}"
        listed.append((name, switch, f"{row['histories']:,}", share, *counts, smallest))
    return Table(titles, listed, numbers=frozenset(range(2, 4 + len(aspects))))


def reached_block(row: Any, histories: int) -> Block:
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
        if not could:
            first = f"{point}: {verb} in {consulted:,} histories; its answer never differed"
        elif row["hardly_reached"]:
            first += "; hardly reached"
        elif not row["histories"]:
            first += "; no result differs"
    if row["bypassing"]:
        fast = ", ".join(fast_counterparts(point))
        first += f"; in {row['bypassing']:,} histories, fast functions answer: {fast}"
    return Fold(first, [Items([*_toward(row["toward"])])]) if "toward" in row else Text(first)


def _toward(sample: Any) -> Iterator[str]:
    """Yield the result of a sample toward a choice point, with its bias."""
    found, profiles = sample["histories"], len(sample["profiles"])
    searched = f"searched {sample['candidates']:,} histories of {profiles} profiles"
    if not found:
        tried = sample["consulted"]
        yield f"{searched}: {tried:,} of them depend on it, and its answer differed in none"
        return
    sources = ", ".join(
        f"{name} {each['histories']:,} of {each['candidates']:,}"
        for name, each in sample["profiles"].items()
        if each["histories"]
    )
    yield f"{searched}; it could matter in {found:,} of them ({sources})"
    biased = "they were chosen for this choice, so the share does not say how often it matters"
    yield f"in these {found:,}, results differ in {sample['differ']:,}; {biased}"
    for law in sorted({law for laws in sample["broken"].values() for law in laws}):
        a, b = (sample["broken"].get(side, {}).get(law, 0) for side in (A, B))
        yield f"  {law} is broken in a {a:,}, b {b:,}"


def _laws(report: Any, system: System) -> Iterator[Block]:
    """Yield for each broken law the number of histories that break it, by variant."""
    if not report["laws"]:
        where = f"the {counted(report['histories'], 'history', 'histories')} compared"
        yield Text(f"no law is broken in {where}, under a, b, or any single choice point")
        return
    claimed = {law.name: law.claimed_by for law in system.laws}
    claimed[NO_CRASH.name] = ("every reading",)
    several = len(report["points"]) > 1
    rows = []
    for law, counts in report["laws"].items():
        each = [f"{counts.get(side, 0):,}" for side in (A, B)]
        if several:
            alone = (f"{name} {counts[name]:,}" for name in counts if name not in (A, B))
            each.append(", ".join(alone))
        rows.append((law, *each, ", ".join(claimed[law]) or "no reading"))
    titles = ("histories that break a law", A, B, *(["alone"] * several), "claimed by")
    yield Table(titles, rows, numbers=frozenset({1, 2}))
    if NO_CRASH.name in report["laws"]:
        yield Text(f"No other law is examined on a history that breaks {NO_CRASH.name}.")


def failing(report: Any) -> list[tuple[str, str]]:
    """Return each side on which every history fails, and how the first one fails."""
    return [
        (f"under {side}", f"every history fails: {why}") for side, why in report["fails"].items()
    ]


def _cost(cost: Any) -> str:
    return "-" if cost["share"] is None else f"{cost['share']} ({cost['total']:,} / {cost['of']:,})"


def stories(report: Any) -> Iterator[Block]:
    """Yield the smallest history of each difference."""
    for row in [*report["points"], {"point": TOGETHER, **report[TOGETHER]}]:
        found = row["smallest"]
        if found is None:
            continue
        title = row["point"] if A not in row else f"{row['point']}: {row[A]} -> {row[B]}"
        if found.get("points"):
            title += f": {', '.join(found['points'])}"
        elif "points" in found:
            title += ": needs more than three choice points"
        sides = [f"{side}  {found[side] or '(nothing)'}" for side in (A, B)]
        parts = Fold(f"first difference: {found['where']}", [Items(sides)])
        yield Fold(title, [_story(found, A), parts])


def _story(found: Any, side: str) -> Fold:
    """Return a history that was shrunk, as it runs on a side."""
    size = "smallest history" if found["minimal"] else "smallest history found"
    alone = "point" in found
    where = f" of profile {found['profile']}, with {found['point']} alone" if alone else ""
    origin = f"{size}, shrunk from history {found['index']}{where}; its events under {side}:"
    return Fold(origin, [Code(found["story"])])


def written_block(report: Any) -> Iterator[Block]:
    """Yield the commands that show more: the smallest histories step by step, another profile."""
    for name, title in (
        ("show", "these histories, step by step"),
        ("next", "the same comparison, in the profile that the change concerns most"),
    ):
        if name in report:
            yield Fold(title, [Items([Span(report[name], "code")])])


def law_stories(report: Any) -> Iterator[Block]:
    """Yield the smallest history of each law that breaks on one side alone, each history once."""
    by_story: dict[tuple[str, str], list[Any]] = {}
    for row in report["breaking"]:
        by_story.setdefault((row["side"], row["story"]), []).append(row)
    for (side, _), rows in by_story.items():
        first, *others = (
            f"{row['law']} breaks in this history under {side} alone: "
            f"{row['detail'].splitlines()[0]}"
            for row in rows
        )
        yield Fold(first, [*map(Text, others), _story(rows[0], side)])
