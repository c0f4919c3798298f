"""Shrink a history of any system: remove events, and simplify the remaining ones.

Two findings with the same law and shape are duplicates. The shape of a history is the history
without the values of its names and numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

from attrs import frozen

from rejoin_conformance.contract.history import Histories
from rejoin_conformance.kit.json_types import Json, JsonObject, digest_of
from rejoin_conformance.shrinking.places import with_leaves
from rejoin_conformance.shrinking.reduce import DEFAULT_BUDGET, reduce_json

KIND_FIELDS: Final = frozenset({"event", "kind", "change", "inject"})
"""Fields of a history whose strings are keywords of the system, not names."""

SEED_FIELDS: Final = frozenset({"seed", "probe"})
"""Fields of a history that hold the seed of later random choices."""


def shape_of(history: JsonObject) -> str:
    """Return the shape of a history, in the form of `Histories.to_json`, as 8 hex digits.

    It is the digest of the history without its seeds, after each name and number is replaced by the
    order of its first occurrence: the first name becomes 0, the next different one 1. Numbers are
    counted separately. Kinds of events, true, false and null stay.
    """
    met: dict[type, dict[Json, int]] = defaultdict(dict)

    def place(field: str | None, leaf: Json) -> Json:
        if leaf is None or isinstance(leaf, bool) or field in KIND_FIELDS:
            return leaf
        numbered = met[type(leaf)]
        return numbered.setdefault(leaf, len(numbered))

    plain: JsonObject = {name: each for name, each in history.items() if name not in SEED_FIELDS}
    return digest_of({"shape": with_leaves(plain, place)})[:8]


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
