"""Shrink a history of any system: leave out events, make what is left simpler."""

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
    """A shrunk history. tries, minimal: as of the reduction that led to it."""

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
    """The history made minimal while it stays interesting.

    Only what the system reads as a history and writes back alike is taken for one. fatal: as
    `reduce_json` has it. Raises
    NotInterestingError where the history is not interesting as it is.
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
