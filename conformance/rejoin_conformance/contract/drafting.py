"""Recipes of large inputs and outputs, as drafts in Python and texts state them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final, cast

from rejoin_conformance.contract.notation import Example
from rejoin_conformance.kit.json_forms import MalformedError
from rejoin_conformance.kit.json_types import Json, JsonObject, NotStrictJsonError, strict_json
from rejoin_conformance.kit.phrases import END_OF_TEXT, NotationError, Scanner
from rejoin_conformance.kit.recipe import check_recipe, expand

PLACE: Final = r"<i(?:[+-]\d+)?(?::\d+)?>"
"""The pattern of the place of a number in a name that is repeated."""

EDGES: Final = tuple(
    size + beside for size in (8, 16, 32, 64, 128, 256, 1024, 4096) for beside in (-1, 0, 1)
)
"""The sizes of common buffers, each with the sizes one below and one above."""


RECIPE: Final = "recipe "
"""The beginning of a body that states a question and its answer as recipes in JSON."""


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


def in_hex(*texts: Json) -> JsonObject:
    """Return a recipe of the bytes of these texts and repeated texts."""
    return {"$hex": {"$join": [*texts]}}


_TIMES: Final = re.compile(r"<([^<>*]+)\*(\d{1,5})>")
_EACH: Final = re.compile(
    r"<((?:[^<>]|<[a-z][^<>]*>|< )*) for each ([a-z])((?: [0-9]{1,6}\.\.[0-9]{1,6})+)>"
)


def written_out(line: str, number: int) -> str:
    """Return a line of a text with everything that it repeats. number: that of the line.

    `<ab*500>` is `ab` 500 times. `<TEXT for each i 1..9 15..17>` is TEXT twelve times, with numbers
    for `<i>`, `<i-1>` and `<i:4>`; a comma at its end comes between the texts. Raises
    NotationError.
    """

    def each(match: re.Match[str]) -> str:
        text, name, ranges = match.groups()
        recipe: list[Json] = []
        for part in ranges.split():
            start, last = map(int, part.split(".."))
            recipe.append(repeated(last + 1 - start, text, start=start, letter=name))
        try:
            check_recipe(recipe)
        except MalformedError as error:
            raise NotationError(number, f"a repetition ({error})", match[0]) from None
        return " ".join(map(str, cast("list[Json]", expand(recipe)))).removesuffix(",")

    return _EACH.sub(each, _TIMES.sub(lambda match: match[1] * int(match[2]), line))


def read_repetition(text: Scanner, items: list[Json]) -> list[Json]:
    """Return the items, or a recipe of them if `for i 1..9 by 2` comes next.

    `for each i` writes them out.
    """
    if not text.would_take("for"):
        return items
    numbers, written_out = read_numbers(text)
    if written_out:
        return [each for number in numbers for each in numbered(items, number)]
    return [repeated(len(numbers), each, start=numbers[0], step=numbers.step) for each in items]


def read_numbers(text: Scanner) -> tuple[range, bool]:
    """Take `for i 1..9 by 2`; return its numbers, and whether it is `for each i`."""
    text.need("for")
    written_out = text.takes("each")
    text.need("i")
    ends = re.fullmatch(r"(\d{1,5})\.\.(\d{1,5})", text.next.text)
    if ends is None:
        text.fail("the first and the last number, such as `1..9`")
    text.take()
    first, last, step = int(ends[1]), int(ends[2]), 1
    if text.takes("by"):
        if not re.fullmatch(r"[1-9]\d{0,4}", text.next.text, re.ASCII):
            text.fail("a number from 1 to 99999")
        step = int(text.take())
    down = -1 if last < first else 1
    return range(first, last + down, down * step), written_out


def numbered(items: list[Json], number: int) -> list[Json]:
    """Return the items with a number in its places."""
    return cast("list[Json]", expand([repeated(1, each, start=number) for each in items]))


def in_order(value: Json) -> Json:
    """Return the value with the fields of each object in the order of their names.

    A recipe is kept as it is stated, so this order is its normal form.
    """
    if isinstance(value, list):
        return [in_order(each) for each in value]
    if not isinstance(value, dict):
        return value
    made = any(name.startswith("$") for name in value)
    return {name: in_order(value[name]) for name in (value if made else sorted(value))}


def read_recipe(system: str, lines: Sequence[str]) -> Example:
    """Return the question and the answer of a body that begins with `recipe OPERATION`.

    The input follows in JSON, and after `=` the output, if it has one. Raises NotationError.
    """
    asked, stated, answer = "\n".join(lines[1:]).partition("\n= ")
    read: list[JsonObject] = []
    for text, before in ((asked, 1), (answer, 2 + asked.count("\n")))[: 2 if stated else 1]:
        try:
            value = json.loads(text)
            strict_json(text)
        except ValueError as error:
            line = before + min(getattr(error, "lineno", 1), 1 + text.count("\n"))
            found = lines[line - 1] if line <= len(lines) else END_OF_TEXT
            expected = "an object in JSON, and `=` and another one"
            if isinstance(error, NotStrictJsonError):
                expected += f" ({error})"
            raise NotationError(line, expected, found) from None
        read.append(value)
    operation = lines[0].removeprefix(RECIPE).strip()
    return Example(
        operation=f"{system}/{operation}", input=read[0], output=read[1] if stated else None
    )
