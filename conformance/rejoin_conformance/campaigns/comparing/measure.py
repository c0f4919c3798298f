"""Compare one block of histories. The result is a pure function of the plan and the number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from attrs import frozen

from rejoin_conformance.campaigns.block import NO_CRASH
from rejoin_conformance.campaigns.comparing.comparison import Comparison
from rejoin_conformance.campaigns.tables import DIFFERENCES, Row
from rejoin_conformance.contract.history import Cost
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.codec import plain
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json
from rejoin_conformance.kit.tree import Tree, add
from rejoin_conformance.readings.in_force import A, B, Between, Variant, in_force, now
from rejoin_conformance.readings.reach import Reach, one_case

TOGETHER: Final = "only together"
"""The key of histories whose results differ under b, although no single choice point does it."""

HIDDEN: Final = "cancelled out"
"""The key of histories whose results are equal under a and b, although a single choice point
changes them."""

CRASH: Final = "crash"
"""The aspect of an outcome that is an unexpected exception."""

TELLING: Final = (CRASH, "held", "decided")
"""The aspects that explain most, in this order, before all others."""


def measure_block(comparison: Comparison, block: int, *, rows: bool = False) -> Json:
    """Return the counts of the histories of a block. They add up (`kit.tree`).

    rows: whether they also have the rows of the table `differences`.
    """
    system = system_named(comparison.system)
    histories = {index: comparison.history(index) for index in comparison.indices(block)}
    differences: list[Any] = []
    measured = measure(system, comparison.between(), histories, differences.append)
    return {**measured, DIFFERENCES: differences} if rows else measured


def measure(
    system: System,
    sides: Between,
    histories: Mapping[int, Any],
    differs: Callable[[Row], object] = bool,
) -> Tree:
    """Return the counts of some histories: index -> history.

    `histories`: their number. `differing`: variant, `TOGETHER` or `HIDDEN` -> the histories that
    differ from side a in this way, see `_count`. `broken`: variant -> law -> the number of
    histories that break it. `changed`: law -> `a` or `b`, the only side that breaks it -> the
    histories that do, and do not crash on the other side. `reached`: choice point -> how often it
    was consulted, and how often it could have mattered. `costs`: `a` and `b` -> name of a quantity
    -> its cost. differs: called with the aspects of both sides of each history that differs under
    b.
    """
    lengths = {
        index: len(canonical_json(system.histories.to_json(history)))
        for index, history in histories.items()
    }
    variants = sides.variants()
    reached: dict[str, Reach] = {}
    measured: Tree = {"histories": len(histories), "differing": {}, "broken": {}, "costs": {}}
    basis: dict[int, JsonObject] = {}
    breaks: dict[str, dict[int, frozenset[str]]] = {}
    changed: dict[int, dict[str, tuple[str, ...]]] = {index: {} for index in histories}
    for name, variant in variants.items():
        seen = _examined(system, variant, histories, sides, name, reached)
        measured["broken"][name] = Counter(law for each in seen.values() for law in each.broken)
        if name in (A, B):
            breaks[name] = {index: each.broken for index, each in seen.items()}
            costs = _costs(system, variant, histories)
            measured["costs"][name] = {each: _cost(cost) for each, cost in costs.items()}
        if name == A:
            basis = {index: each.outcome for index, each in seen.items()}
            continue
        for index, each in seen.items():
            aspects = differing_aspects(basis[index], each.outcome)
            if aspects:
                changed[index][name] = aspects
            if aspects and name == B:
                both = ((A, basis[index]), (B, each.outcome))
                texts = {side: canonical_json(_only(aspects, one)) for side, one in both}
                differs({"index": index, "what": ", ".join(aspects), **texts})
    measured["changed"] = {}
    for index, aspects_by_name in changed.items():
        place = [lengths[index], index]
        for side, other in ((A, B), (B, A)):
            if NO_CRASH.name in breaks[other][index]:  # no other law was examined there
                continue
            for law in sorted(breaks[side][index] - breaks[other][index]):
                one = {"histories": 1, "best": [{"index": place}]}
                add(measured["changed"], {law: {side: one}})
        found = {name: _count(aspects, place) for name, aspects in aspects_by_name.items()}
        alone = [name for name in aspects_by_name if name != B]
        if B in aspects_by_name and not alone and len(variants) > 2:
            found[TOGETHER] = _count(aspects_by_name[B], place)
        if B not in aspects_by_name and alone:
            found[HIDDEN] = _count(aspects_by_name[alone[0]], place)
        add(measured["differing"], found)
    return {**measured, "reached": plain(reached)}


def reached_by(system: System, sides: Between, history: Any) -> Reach:
    """Return how one history reaches the only choice point between two sides."""
    reached: dict[str, Reach] = {}
    (point,) = sides.points
    with in_force(sides.watched, system) as (reading, _):
        changed, carried = now(system, history)
        with one_case(reached, [point]):
            outcome_under(changed, carried, reading)
    return reached[point]


def _only(aspects: tuple[str, ...], outcome: JsonObject) -> JsonObject:
    return {aspect: outcome[aspect] for aspect in aspects if aspect in outcome}


def _count(aspects: tuple[str, ...], place: list[int]) -> Tree:
    """Return the counts of one history that differs in some aspects of its outcome.

    place: the length of the history as JSON, and its index. `best`: the histories and aspects to
    show, the best first: the aspect that explains most, then the smallest history.
    """
    rank, aspect = min((_aspect_rank(aspect), aspect) for aspect in aspects)
    return {
        "histories": 1,
        "aspects": dict.fromkeys(aspects, 1),
        "best": [{"index": [rank, *place], "aspect": aspect}],
    }


def _cost(cost: Cost) -> Tree:
    """Return a cost. `parts` and `of` are the numerator and the denominator of its share."""
    return {"total": cost.total, "parts": cost.per * cost.total, "of": cost.of}


def _costs(system: System, variant: Variant, histories: Mapping[int, Any]) -> dict[str, Cost]:
    """Return what histories cost under one variant. A history that raises costs nothing."""
    total: dict[str, Cost] = {}
    if system.histories.costs is not None:
        with in_force(variant, system) as (reading, _):
            for history in histories.values():
                changed, carried = now(system, history)
                assert changed.histories.costs is not None
                with suppress(Exception):  # it is counted as a broken law
                    total = _sum(total, changed.histories.costs(carried, reading))
    return total


def _sum(left: Mapping[str, Cost], right: Mapping[str, Cost]) -> dict[str, Cost]:
    return {
        **left,
        **{name: cost + left[name] if name in left else cost for name, cost in right.items()},
    }


def _aspect_rank(aspect: str) -> int:
    return TELLING.index(aspect) if aspect in TELLING else len(TELLING)


@frozen
class _Seen:
    """One history under one variant: its outcome, and the laws that it breaks."""

    outcome: JsonObject
    broken: frozenset[str]


def _examined(
    system: System,
    variant: Variant,
    histories: Mapping[int, Any],
    sides: Between,
    name: str,
    reached: dict[str, Reach],
) -> dict[int, _Seen]:
    """Run histories under one variant. Only the outcomes count for `reached`, not the laws."""
    outcomes: dict[int, JsonObject] = {}
    watched, counted = (sides.watched, sides.points) if name == A else (variant, ())
    with in_force(watched, system) as (reading, _):
        for index, history in histories.items():
            changed, carried = now(system, history)
            with one_case(reached, counted):
                outcomes[index] = outcome_under(changed, carried, reading)
    with in_force(variant, system) as (reading, _):
        return {
            index: _Seen(outcomes[index], frozenset(broken_laws(*now(system, history), reading)))
            for index, history in histories.items()
        }


def broken_laws(system: System, history: Any, reading: str) -> dict[str, str]:
    """Return each law that a history breaks, with the first observed values that break it.

    An unexpected exception is a result.
    """
    try:
        examination = system.histories.examine(history, reading)
    except Exception as error:  # noqa: BLE001 - continue with the other histories
        return {NO_CRASH.name: f"{type(error).__name__}: {error}"}
    return {each.law: each.detail for each in reversed(examination.violations)}


def outcome_under(system: System, history: Any, reading: str) -> JsonObject:
    """Return a history's outcome. An unexpected exception is an outcome too."""
    try:
        return system.histories.outcome(history, reading)
    except Exception as error:  # noqa: BLE001 - see the docstring
        return {CRASH: f"{type(error).__name__}: {error}"}


def differing_aspects(left: JsonObject, right: JsonObject) -> tuple[str, ...]:
    """Return the aspects in which two outcomes differ, in the order of the first."""
    if CRASH in left or CRASH in right:
        return () if left == right else (CRASH,)
    return tuple(aspect for aspect in left if left[aspect] != right.get(aspect))
