"""The shape of a history: the history without the values of its names and numbers.

Two findings with the same law and shape are duplicates.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from rejoin_conformance.kit.json_types import Json, JsonObject, digest_of
from rejoin_conformance.shrinking.places import with_leaves

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
