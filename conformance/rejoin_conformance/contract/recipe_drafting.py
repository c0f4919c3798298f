"""The functions with which authors write recipes of large inputs and outputs."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.kit.json_types import Json, JsonObject

EDGES: Final = tuple(
    size + beside for size in (8, 16, 32, 64, 128, 256, 1024, 4096) for beside in (-1, 0, 1)
)
"""The sizes of common buffers, each with the sizes one below and one above."""


def repeated(
    times: int, item: Json, *, start: int = 0, step: int = 1, letter: str = "i"
) -> JsonObject:
    """Return a recipe of items in which texts refer to numbers from `start` on, as in <i>."""
    recipe: JsonObject = {"$repeat": times, "$of": item}
    if start:
        recipe["$from"] = start
    if step != 1:
        recipe["$by"] = step
    if letter != "i":
        recipe["$as"] = letter
    return recipe


def joined(*texts: Json) -> JsonObject:
    """Return a recipe of one text that consists of these texts and repeated texts."""
    return {"$join": [*texts]}


def in_hex(*texts: Json) -> JsonObject:
    """Return a recipe of the bytes of these texts and repeated texts."""
    return {"$hex": texts[0] if len(texts) == 1 and isinstance(texts[0], str) else joined(*texts)}


def with_fields(*pairs: Json) -> JsonObject:
    """Return a recipe of an object with these pairs of a name and a value."""
    return {"$fields": [*pairs]}


def number(text: str = "<i>") -> JsonObject:
    """Return a recipe of an integer with these digits."""
    return {"$number": text}
