"""What is simpler than a JSON value: the steps that a reduction may take, the boldest first.

Every step makes `complexity` smaller, so a reduction comes to an end.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from string import ascii_letters, ascii_lowercase, ascii_uppercase
from typing import Final, TypeAlias

from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.shrinking.places import nearest_field, places, with_fields, with_leaves

Complexity: TypeAlias = tuple[int, int, int, int]

_DECIMAL: Final = re.compile(r"-?(0|[1-9][0-9]{0,39})")
_PLAIN_CHARACTERS: Final = "01ABab"


def complexity(value: Json) -> Complexity:
    """How complex a value is; of two values the one with the smaller tuple is simpler.

    How many values and fields there are in it; how many of them are not null; the sum of its
    integers without their signs, with a little more for a sign and for `true`; the sum of its
    strings' and field names' places in the order of shorter before longer, then by characters.
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
    """The opposite of a negative one; 0; then nearer and nearer, down to the next one."""
    if number < 0:
        yield -number
    step = abs(number)
    while step:
        yield number - step if number > 0 else number + step
        step //= 2


def simpler_strings(text: str) -> Iterator[str]:
    """Shorter ones, by leaving out pieces of halving length; then ones of plainer characters.

    A decimal number becomes simpler numbers. One letter is a name that is plain enough.
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


def sizes(length: int) -> Iterator[int]:
    """How many neighbours to leave out at a time: all, then each smaller power of two."""
    if length:
        yield length
        size = 1 << (length - 1).bit_length() >> 1
        while size:
            yield size
            size //= 2


def chunks(length: int) -> Iterator[tuple[int, int]]:
    """(start, end) of the pieces of every size, the last piece first.

    Pieces of two begin at even places, as the hex digits of a byte do.
    """
    for size in sizes(length):
        for start in reversed(range(0, length, size)):
            yield start, min(start + size, length)


def instead(value: Json) -> Iterator[Json]:
    """What may stand instead of a value: null, what stands inside it, a simpler scalar."""
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
    """The value with one scalar instead of another wherever that stands.

    So a name keeps its meaning when it becomes simpler. All strings in fields of one name become
    the first letters, in their order; one string becomes a free letter, or another string of such a
    field, which makes two things one. Strings are changed everywhere, in the names of fields too.
    An integer is changed everywhere, or everywhere in fields of one name.
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
    """Letters that stand nowhere, small ones for anything but one capital letter."""
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

    return with_fields(with_leaves(value, change), names)


def _order(text: str) -> tuple[int, str]:
    """Strings in this order are the shorter ones first, then by characters."""
    return len(text), text


def _place(text: str) -> int:
    """A number that is the larger, the later a string comes in that order."""
    return int.from_bytes(b"\x01" + text.encode("utf-32-be", "surrogatepass"), "big")
