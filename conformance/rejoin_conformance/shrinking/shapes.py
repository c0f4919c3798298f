"""The shape of a history: what is left of it when names and numbers lose their values.

Two findings of one law and one shape show the same thing twice.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from rejoin_conformance.kit.json_types import Json, JsonObject, digest_of
from rejoin_conformance.shrinking.places import with_leaves

KIND_FIELDS: Final = frozenset({"event", "kind", "change"})
"""Fields of a history whose strings are words of the system's, and no names."""

SEED_FIELDS: Final = frozenset({"seed", "probe"})
"""Fields of a history that hold the seed of choices made later."""


def shape_of(history: JsonObject) -> str:
    """The shape of a history as the system writes it: 8 hex digits.

    It is the digest of the history without its seeds, in which every name and number stands for
    itself no more, but for the place at which it is first met: the first name is 0, the next other
    one is 1, and numbers likewise. Kinds of events, true, false and null stay.
    """
    met: dict[type, dict[Json, int]] = defaultdict(dict)

    def place(field: str | None, leaf: Json) -> Json:
        if leaf is None or isinstance(leaf, bool) or field in KIND_FIELDS:
            return leaf
        numbered = met[type(leaf)]
        return numbered.setdefault(leaf, len(numbered))

    plain: JsonObject = {name: each for name, each in history.items() if name not in SEED_FIELDS}
    return digest_of({"shape": with_leaves(plain, place)})[:8]
