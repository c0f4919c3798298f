"""Shrink a history of any system: remove events, and simplify the remaining ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from attrs import frozen

from rejoin_conformance.contract.history import Histories
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.shrinking.reduce import DEFAULT_BUDGET, reduce_json

H = TypeVar("H")


@frozen
class Shrunk(Generic[H]):
    """A shrunk history. tries, minimal: as in `Reduction`."""

    history: H
    tries: int
    minimal: bool


def shrink_history(
    histories: Histories[H],
    history: H,
    interesting: Callable[[H], bool],
    *,
    budget: int = DEFAULT_BUDGET,
    fatal: type[Exception] | tuple[type[Exception], ...] = (),
) -> Shrunk[H]:
    """Return a minimal history that is still interesting.

    A value counts as a history only if the system reads it and writes back the same value.
    fatal: as in `reduce_json`. Raises NotInterestingError if the given history is not interesting.
    """

    def interesting_json(value: Json) -> bool:
        if not isinstance(value, dict):
            return False
        candidate: Any = histories.from_json(value)
        return histories.to_json(candidate) == value and interesting(candidate)

    start = histories.to_json(history)
    reduction = reduce_json(start, interesting_json, budget=budget, fatal=fatal)
    assert isinstance(reduction.value, dict)
    return Shrunk(histories.from_json(reduction.value), reduction.tries, reduction.minimal)
