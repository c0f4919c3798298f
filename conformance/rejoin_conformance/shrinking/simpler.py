"""The values that are simpler than a JSON value: the steps of a reduction, the largest first.

Every step reduces `complexity`, so a reduction terminates.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from string import ascii_letters, ascii_lowercase, ascii_uppercase
from typing import Final, TypeAlias

from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.shrinking.places import nearest_field, places, with_leaves

Complexity: TypeAlias = tuple[int, int, int, int]

_DECIMAL: Final = re.compile(r"-?(0|[1-9][0-9]{0,39})")
_PLAIN_CHARACTERS: Final = "01ABab"


def complexity(value: Json) -> Complexity:
    """Return the complexity of a value. The value with the smaller tuple is simpler.

    The tuple holds the number of values and fields; the number of those that are not null; the sum
    of twice the absolute values of its integers (true is 1), plus 1 for each negative one; and the
    sum of the positions of its strings and field names in the order by length, then by characters.
    """
    nodes, present, numbers, texts = 0, 0, 0, 0
    for _, each in places(value):
        nodes += 1
        present += each is not None
        if isinstance(each, int):
            numbers += 2 * abs(each) + (each < 0)
        elif isinstance(each, str):
            texts += _place(each)
        elif isinstance(each, dict):
            texts += sum(map(_place, each))
    return nodes, present, numbers, texts


def simpler_integers(number: int) -> Iterator[int]:
    """Yield simpler integers: the opposite of a negative one, 0, then ever closer ones."""
    if number < 0:
        yield -number
    step = abs(number)
    while step:
        yield number - step if number > 0 else number + step
        step //= 2


def simpler_strings(text: str) -> Iterator[str]:
    """Yield simpler strings: without pieces of halving length, then with plainer characters.

    For a decimal number, first yield simpler numbers. A letter alone becomes the first of its case.
    """
    if _DECIMAL.fullmatch(text):
        yield from map(str, simpler_integers(int(text)))
    for start, end in chunks(len(text)):
        yield text[:start] + text[end:]
    if not (len(text) == 1 and text in ascii_letters):
        for place, character in enumerate(text):
            for plain in _PLAIN_CHARACTERS:
                if plain < character:
                    yield text[:place] + plain + text[place + 1 :]
    elif text not in "Aa":
        yield "A" if text.isupper() else "a"


def sizes(length: int) -> Iterator[int]:
    """Yield the numbers of neighbours to remove: all, then each smaller power of two."""
    if length:
        yield length
        size = 1 << (length - 1).bit_length() >> 1
        while size:
            yield size
            size //= 2


def chunks(length: int) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of the pieces of every size, the last piece first.

    Pieces of two begin at even indices, like the hex digits of a byte.
    """
    for size in sizes(length):
        for start in reversed(range(0, length, size)):
            yield start, min(start + size, length)


def instead(value: Json) -> Iterator[Json]:
    """Yield replacements of a value: null, the values inside it, and simpler scalars."""
    if value is not None:
        yield None
    if isinstance(value, list):
        yield from value
    elif isinstance(value, dict):
        yield from (value[name] for name in sorted(value))
    if isinstance(value, bool):
        if value:
            yield False
    elif isinstance(value, int):
        yield from simpler_integers(value)
    elif isinstance(value, str):
        yield from simpler_strings(value)


def simpler_names(value: Json) -> Iterator[Json]:
    """Yield the value with one scalar replaced everywhere, so that a name stays consistent.

    All strings in fields of one name become the first letters, in their order. Or one string
    becomes an unused letter, or another string of such a field, which merges two names. Strings are
    replaced everywhere, including in field names. An integer is replaced everywhere, or everywhere
    in fields of one name.
    """
    integers: dict[tuple[str | None, int], None] = {}
    strings: dict[str | None, set[str]] = {}
    for place, each in places(value):
        if isinstance(each, str):
            strings.setdefault(nearest_field(place), set()).add(each)
        elif isinstance(each, int) and not isinstance(each, bool):
            integers[None, each] = None
            integers[nearest_field(place), each] = None
    for alike in strings.values():
        lettered = zip(sorted(alike), ascii_lowercase, strict=False)
        changed = {old: new for old, new in lettered if old != new}
        if changed and all(_order(new) < _order(old) for old, new in changed.items()):
            yield _renamed(value, changed)
    everyone = frozenset[str]().union(*strings.values())
    for text in sorted(everyone, key=_order):
        alike = set[str]().union(*(each for each in strings.values() if text in each))
        for simpler in (*_free_letters(text, everyone), *sorted(alike, key=_order)):
            if _order(simpler) < _order(text):
                yield _renamed(value, {text: simpler})
    for field, number in integers:
        for smaller in simpler_integers(number):
            yield _with_integer(value, field, number, smaller)


def _free_letters(text: str, taken: Collection[str]) -> list[str]:
    """Return unused letters: upper case for a single upper-case letter, else lower case."""
    capital = len(text) == 1 and text in ascii_uppercase
    letters = ascii_uppercase if capital else ascii_lowercase
    return [letter for letter in letters[: len(taken) + 1] if letter not in taken]


def _with_integer(value: Json, field: str | None, old: int, new: int) -> Json:
    def change(around: str | None, leaf: Json) -> Json:
        same = leaf == old and isinstance(leaf, int) and not isinstance(leaf, bool)
        return new if same and field in {None, around} else leaf

    return with_leaves(value, change)


def _renamed(value: Json, names: dict[str, str]) -> Json:
    def change(_: str | None, leaf: Json) -> Json:
        return names.get(leaf, leaf) if isinstance(leaf, str) else leaf

    return with_leaves(value, change, names)


def _order(text: str) -> tuple[int, str]:
    """Return a sort key: shorter strings first, then by characters."""
    return len(text), text


def _place(text: str) -> int:
    """Return a number that increases with the position of a string in this order."""
    return int.from_bytes(b"\x01" + text.encode("utf-32-be", "surrogatepass"), "big")
