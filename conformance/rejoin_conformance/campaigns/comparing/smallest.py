"""Search for the smallest history that shows a difference."""

from __future__ import annotations

from itertools import combinations
from typing import Any, Final

from attrs import frozen

from rejoin_conformance.campaigns.comparing.comparison import Comparison
from rejoin_conformance.campaigns.comparing.measure import (
    TOGETHER,
    differing_aspects,
    outcome_under,
)
from rejoin_conformance.contract.differences import first_difference
from rejoin_conformance.contract.explanation import difference_text
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.readings.in_force import B, Between, Variant, in_force, now
from rejoin_conformance.shrinking.histories import shrink_history

BUDGET: Final = 8000
"""The maximum number of histories to try in one search."""

LARGEST_SET: Final = 3
"""The maximum size of a set of choice points to try, if no single one makes a difference."""


@frozen
class SmallestSearch:
    """A search for the smallest history with a difference under one variant.

    index: the history to start from. aspect: the aspect in which the outcomes must differ.
    """

    variant: str
    index: int
    aspect: str


def smallest(comparison: Comparison, searches: tuple[SmallestSearch, ...], number: int) -> Json:
    """Run one search. Return the history, and where its two outcomes first differ."""
    search = searches[number]
    system = system_named(comparison.system)
    sides = comparison.between()
    together = search.variant == TOGETHER
    points = sides.points if search.variant in (B, TOGETHER) else (search.variant,)
    variant = sides.b if search.variant in (B, TOGETHER) else sides.switched(points)

    def interesting(history: Any) -> bool:
        if search.aspect not in _aspects(system, history, sides.a, variant):
            return False
        return not (together and _any_alone(system, history, sides))

    start = system.histories.generate(comparison.profile, comparison.history_seed(search.index))
    shrunk = shrink_history(system.histories, start, interesting, budget=BUDGET)
    found: JsonObject = {
        "index": search.index,
        "history": system.histories.to_json(shrunk.history),
        "minimal": shrunk.minimal,
        "tries": shrunk.tries,
        **_story_and_differences(system, shrunk.history, sides.a, variant, search.aspect),
    }
    if together:
        found["points"] = _smallest_set(system, shrunk.history, sides, search.aspect)
    return found


def _aspects(system: System, history: Any, a: Variant, b: Variant) -> tuple[str, ...]:
    return differing_aspects(*_outcomes(system, history, a, b))


def _outcomes(
    system: System, history: Any, a: Variant, b: Variant
) -> tuple[JsonObject, JsonObject]:
    with in_force(a, system) as (reading, _):
        left = outcome_under(*now(system, history), reading)
    with in_force(b, system) as (reading, _):
        return left, outcome_under(*now(system, history), reading)


def _any_alone(system: System, history: Any, sides: Between) -> bool:
    return any(
        _aspects(system, history, sides.a, sides.switched([point])) for point in sides.points
    )


def _smallest_set(system: System, history: Any, sides: Between, aspect: str) -> Json:
    """Return the smallest set of choice points with the difference, or None if it is larger."""
    for size in range(2, LARGEST_SET + 1):
        for points in combinations(sides.points, size):
            if aspect in _aspects(system, history, sides.a, sides.switched(points)):
                return list(points)
    return None


def _story_and_differences(
    system: System, history: Any, a: Variant, b: Variant, aspect: str
) -> JsonObject:
    left, right = _outcomes(system, history, a, b)
    first = first_difference(left.get(aspect), right.get(aspect))
    assert first is not None, "the shrunk history has a difference"
    text = difference_text(first)
    with in_force(a, system) as (reading, _):
        changed, carried = now(system, history)
        try:
            story = changed.describe(carried, reading)
        except Exception as error:  # noqa: BLE001 - a rule can break any history
            story = f"cannot be shown under a: {type(error).__name__}: {error}"
    return {
        "aspect": aspect,
        "where": f"{aspect}{text.path.removeprefix('$')}",
        "a": text.expected,
        "b": text.observed,
        "story": story,
    }
