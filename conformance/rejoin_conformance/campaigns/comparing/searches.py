"""Searches after a comparison: for smallest histories, and for those toward a choice point.

A sample is taken toward a choice point that the histories of a comparison hardly reach. Every
profile of the system supplies as many candidates. The profiles of large histories, which take far
longer, supply candidates only if no other profile reaches the choice point. The sample keeps the
candidates to which the choice point could matter. It is not a random sample of any profile, so its
shares say nothing about how often such histories occur.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from typing import Any, Final

from attrs import evolve

from rejoin_conformance.campaigns.comparing.measure import (
    TOGETHER,
    Comparison,
    broken_laws,
    differing_aspects,
    measure,
    outcome_under,
    reached_by,
    under,
)
from rejoin_conformance.contract.differences import first_difference
from rejoin_conformance.contract.explanation import difference_text
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.errors import ExpectedError
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.tree import Tree, add
from rejoin_conformance.readings.in_force import A, B, Between, Variant
from rejoin_conformance.shrinking.reduce import NotInterestingError, Reduction, shrink_history

BUDGET: Final = 8000
"""The maximum number of histories to try in one search."""

OF_A_LAW: Final = 2000
"""The same, for a history that breaks a law."""

LARGEST_SET: Final = 3
"""The maximum size of a set of choice points to try, if no single one makes a difference."""

HARDLY: Final = 100
"""A choice point is hardly reached if it could matter in fewer than 1 of this many histories."""

BLOCKS: Final = 2
"""The number of blocks of candidates that each profile supplies."""


class UnsteadyRuleError(ExpectedError):
    """A history does not give the same results twice. index: the history."""

    def __init__(self, index: int) -> None:
        super().__init__(
            f"history {index} does not give the same results twice: a rule must depend on nothing "
            "but its arguments, so no chance, no time and no counter"
        )


def smallest_difference(
    comparison: Comparison, variant: str, index: int, aspect: str
) -> JsonObject:
    """Return the smallest history with a difference under one variant, and where it is.

    index: the history to start from. aspect: the aspect in which the outcomes must differ.
    """
    system, sides = system_named(comparison.system), comparison.between()
    together = variant == TOGETHER
    other = sides.b if variant in (B, TOGETHER) else sides.switched((variant,))
    alone = [sides.switched([point]) for point in sides.points] if together else []

    def interesting(history: Any) -> bool:
        if aspect not in _aspects(system, history, sides.a, other):
            return False
        return not any(_aspects(system, history, sides.a, each) for each in alone)

    shrunk, found = _shrunk(comparison, index, interesting, BUDGET)
    if together:
        found["points"] = _smallest_set(system, shrunk.value, sides, aspect)
    left, right = (
        under(each, system, shrunk.value, outcome_under).get(aspect) for each in (sides.a, other)
    )
    if (first := first_difference(left, right)) is None:
        raise UnsteadyRuleError(index)
    text = difference_text(first)
    return {
        **found,
        "tries": shrunk.tries,
        "aspect": aspect,
        "where": f"{aspect}{text.path.removeprefix('$')}",
        "a": text.expected,
        "b": text.observed,
        "story": under(sides.a, system, shrunk.value, _story),
    }


def smallest_breaking(
    comparison: Comparison, law: str, side: str, index: int, point: str | None = None
) -> JsonObject:
    """Return the smallest history that breaks a law on one side alone, and the observed values.

    side: `a` or `b`. index: the history to start from. point: the only choice point to switch.
    """
    system, sides = system_named(comparison.system), comparison.between()
    where: JsonObject = {}
    if point is not None:
        sides, where = sides.only(point), {"point": point, "profile": comparison.profile}
    breaking, holding = (sides.b, sides.a) if side == B else (sides.a, sides.b)

    def broken(history: Any, variant: Variant) -> str | None:
        return under(variant, system, history, broken_laws).get(law)

    def interesting(history: Any) -> bool:
        return broken(history, breaking) is not None and broken(history, holding) is None

    shrunk, found = _shrunk(comparison, index, interesting, OF_A_LAW)
    if (detail := broken(shrunk.value, breaking)) is None:
        raise UnsteadyRuleError(index)
    story = under(breaking, system, shrunk.value, _story)
    return {**found, **where, "law": law, "side": side, "detail": detail, "story": story}


def _shrunk(
    comparison: Comparison, index: int, interesting: Callable[[Any], bool], budget: int
) -> tuple[Reduction[Any], JsonObject]:
    """Return the smallest history found, and what a report says of it.

    Raises UnsteadyRuleError.
    """
    histories = system_named(comparison.system).histories
    try:
        shrunk = shrink_history(histories, comparison.history(index), interesting, budget=budget)
    except NotInterestingError:
        raise UnsteadyRuleError(index) from None
    data = histories.to_json(shrunk.value)
    return shrunk, {"index": index, "history": data, "minimal": shrunk.minimal}


def _aspects(system: System, history: Any, a: Variant, b: Variant) -> tuple[str, ...]:
    return differing_aspects(*(under(each, system, history, outcome_under) for each in (a, b)))


def _smallest_set(system: System, history: Any, sides: Between, aspect: str) -> Json:
    """Return the smallest set of choice points with the difference, or None if it is larger."""
    for size in range(2, LARGEST_SET + 1):
        for points in combinations(sides.points, size):
            if aspect in _aspects(system, history, sides.a, sides.switched(points)):
                return list(points)
    return None


def _story(system: System, history: Any, reading: str) -> str:
    """Return a history as text, as it is played."""
    try:
        return system.in_one_text(history, reading)
    except Exception as error:  # noqa: BLE001 - a rule can break any history
        return f"cannot be shown: {type(error).__name__}: {error}"


def sample_toward(comparison: Comparison, point: str, spread: Spread) -> Json:
    """Return the report of a sample toward a choice point. It does not depend on the place.

    `alone`: each law that one side alone breaks, with where its smallest history comes from.
    """
    histories = system_named(comparison.system).histories
    quick = [each for each in histories.profiles if each not in histories.large]
    found: Tree = {}
    for kind, profiles in (("", quick), ("large ", [*histories.large])):
        work, activity = partial(_of_block, comparison, point, profiles), f"{kind}toward {point}"
        pieces: list[Any] = spread.pieces(work, BLOCKS * len(profiles), activity)
        for piece in pieces:
            add(found, piece)
        if found["consulted"]:
            break
    return {
        **{name: found[name] for name in ("candidates", "consulted", "histories", "profiles")},
        "differ": found["differing"].get(B, {"histories": 0})["histories"],
        "broken": {name: dict(sorted(laws.items())) for name, laws in found["broken"].items()},
        "alone": [
            {"law": law, "side": side, "point": point, "profile": profile, "index": index}
            | {A: 0, B: 0, "candidates": found["candidates"]}
            | {each: histories["histories"] for each, histories in by_side.items()}
            for law, by_side in sorted(found["changed"].items())
            for side, counts in sorted(by_side.items())
            for _, index, profile in [counts["best"][0]["index"]]
        ],
    }


def _of_block(comparison: Comparison, point: str, profiles: Sequence[str], number: int) -> Json:
    """Return the sample of one block: the counts of the histories to which the choice could matter.

    `candidates`: the number of all histories. `consulted`: of those that consult the choice point.
    `profiles`: profile -> its candidates, and those of them that are counted.
    """
    profile, block = profiles[number // BLOCKS], number % BLOCKS
    histories = (block + 1) * Comparison.block_size
    comparison = evolve(comparison, profile=profile, histories=histories)
    system = system_named(comparison.system)
    sides = comparison.between().only(point)
    drawn = {index: comparison.history(index) for index in comparison.indices(block)}
    reached = {index: reached_by(system, sides, [each])[point] for index, each in drawn.items()}
    kept = {index: drawn[index] for index, each in reached.items() if each.could_matter}
    measured = measure(system, sides, kept, profile=[profile]) if kept else {"histories": 0}
    return {
        "candidates": len(drawn),
        "consulted": sum(each.counts["cases"] for each in reached.values()),
        "profiles": {profile: {"candidates": len(drawn), "histories": len(kept)}},
        "differing": {},
        "broken": {},
        "changed": {},
        **measured,
    }
