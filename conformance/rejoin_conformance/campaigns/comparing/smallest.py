"""Search for the smallest history that shows a difference."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any, Final

from rejoin_conformance.campaigns.comparing.measure import (
    TOGETHER,
    Comparison,
    broken_laws,
    differing_aspects,
    outcome_under,
)
from rejoin_conformance.contract.differences import first_difference
from rejoin_conformance.contract.explanation import difference_text
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.errors import ExpectedError
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.readings.in_force import B, Between, Variant, in_force, now
from rejoin_conformance.shrinking.histories import Shrunk, shrink_history
from rejoin_conformance.shrinking.reduce import NotInterestingError

BUDGET: Final = 8000
"""The maximum number of histories to try in one search."""

OF_A_LAW: Final = 2000
"""The same, for a history that breaks a law."""

LARGEST_SET: Final = 3
"""The maximum size of a set of choice points to try, if no single one makes a difference."""


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

    def interesting(history: Any) -> bool:
        if aspect not in _aspects(system, history, sides.a, other):
            return False
        return not (together and _any_alone(system, history, sides))

    shrunk, found = _shrunk(comparison, index, interesting, BUDGET)
    if together:
        found["points"] = _smallest_set(system, shrunk.history, sides, aspect)
    told = _story_and_differences(system, shrunk.history, sides.a, other, aspect)
    if told is None:
        raise UnsteadyRuleError(index)
    return {**found, "tries": shrunk.tries, **told}


def smallest_breaking(comparison: Comparison, law: str, side: str, index: int) -> JsonObject:
    """Return the smallest history that breaks a law on one side alone, and the observed values.

    side: `a` or `b`. index: the history to start from.
    """
    system, sides = system_named(comparison.system), comparison.between()
    breaking, holding = (sides.b, sides.a) if side == B else (sides.a, sides.b)

    def broken(history: Any, variant: Variant) -> str | None:
        with in_force(variant, system) as (reading, _):
            return broken_laws(*now(system, history), reading).get(law)

    def interesting(history: Any) -> bool:
        return broken(history, breaking) is not None and broken(history, holding) is None

    shrunk, found = _shrunk(comparison, index, interesting, OF_A_LAW)
    if (detail := broken(shrunk.history, breaking)) is None:
        raise UnsteadyRuleError(index)
    story = _story(system, shrunk.history, breaking)
    return {**found, "law": law, "side": side, "detail": detail, "story": story}


def _shrunk(
    comparison: Comparison, index: int, interesting: Callable[[Any], bool], budget: int
) -> tuple[Shrunk[Any], JsonObject]:
    """Return the smallest history found, and what a report says of it.

    Raises UnsteadyRuleError.
    """
    histories = system_named(comparison.system).histories
    try:
        shrunk = shrink_history(histories, comparison.history(index), interesting, budget=budget)
    except NotInterestingError:
        raise UnsteadyRuleError(index) from None
    data = histories.to_json(shrunk.history)
    return shrunk, {"index": index, "history": data, "minimal": shrunk.minimal}


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
) -> JsonObject | None:
    left, right = _outcomes(system, history, a, b)
    first = first_difference(left.get(aspect), right.get(aspect))
    if first is None:
        return None
    text = difference_text(first)
    return {
        "aspect": aspect,
        "where": f"{aspect}{text.path.removeprefix('$')}",
        "a": text.expected,
        "b": text.observed,
        "story": _story(system, history, a),
    }


def _story(system: System, history: Any, variant: Variant) -> str:
    """Return a history as text, as one variant plays it."""
    with in_force(variant, system) as (reading, _):
        changed, carried = now(system, history)
        try:
            return changed.in_one_text(carried, reading)
        except Exception as error:  # noqa: BLE001 - a rule can break any history
            return f"cannot be shown: {type(error).__name__}: {error}"
