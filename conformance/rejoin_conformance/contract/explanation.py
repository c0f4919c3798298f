"""Explain the difference between two outputs.

A system can explain its own outputs in the terms of its protocol (`System.explain`). If it does
not, the explanation is the first line that differs in the system's notation. If the notation cannot
express the outputs, the explanation is the path of the first difference in the JSON.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from typing import Final, TypeAlias

from attrs import frozen

from rejoin_conformance.contract.notation import Notation, answer_text
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json

_SHOWN: Final = 160
_LEAD: Final = 40
"""The number of characters to show of a long text, and how many of them before the difference."""


@frozen(kw_only=True)
class Difference:
    """An output that is not the expected one, with its operation, reading and input.

    expected, observed: both outputs. The observed one comes from an adapter. It matches the
        operation's output schema, but nothing more: its hex can decode to anything.
    """

    operation: str
    reading: str
    input: JsonObject
    expected: JsonObject
    observed: JsonObject

    @property
    def system(self) -> str:
        """Return the name of the system that the operation belongs to."""
        return self.operation.partition("/")[0]


Explain: TypeAlias = Callable[[Difference], str | None]
"""A difference -> its explanation in the protocol's terms, or None to use the fallback."""


Labels: TypeAlias = tuple[str, str]
"""The names of the two sides."""

SIDES: Final[Labels] = ("expected", "observed")


@frozen
class FirstDifference:
    """The first place where two values differ. A side without this place is None.

    note: a remark in which {0} and {1} stand for the names of the sides.
    """

    path: str
    expected: str | None
    observed: str | None
    note: str = ""

    def render(self, labels: Labels = SIDES) -> str:
        """Return three lines: the place, the expected value and the observed value."""
        note = self.note.replace("{0}", labels[0]).replace("{1}", labels[1])
        where = f"at {self.path}" + (f", {note}" if note else "")
        width = max(map(len, labels))
        one, other = (label.ljust(width) for label in labels)
        return f"{where}\n  {one}  {_absent(self.expected)}\n  {other}  {_absent(self.observed)}"


def explain_difference(
    difference: Difference, explain: Explain | None, notation: Notation | None
) -> str:
    """Return an explanation of the difference: by the system, in its notation, or as JSON."""
    failed = ""
    try:
        text = None if explain is None else explain(difference)
    except Exception as error:  # noqa: BLE001 - the values are untrusted; use the fallback
        text, failed = None, f"\n(the explainer of {difference.system} failed: {error!r})"
    if text is not None:
        return text
    expected, observed = (
        answer_text(notation, difference.operation, difference.input, output)
        for output in (difference.expected, difference.observed)
    )
    first = first_different_line(expected, observed, "answer")
    return (first or explain_json(difference.expected, difference.observed)) + failed


def first_different_line(
    expected: str | None, observed: str | None, what: str, labels: Labels = SIDES
) -> str | None:
    """Return the first line in which two texts differ, with both sides.

    what: a word for the texts, such as `answer`. Returns None if they do not differ, or if one of
    them is None.
    """
    if expected is None or observed is None:
        return None
    left, right = expected.splitlines(), observed.splitlines()
    for number, (one, other) in enumerate(zip_longest(left, right), start=1):
        if one != other:
            line = f"line {number} of " if max(len(left), len(right)) > 1 else ""
            first = FirstDifference(f"{line}the {what}", _shortened(one), _shortened(other))
            return first.render(labels)
    return None


def _shortened(line: str | None) -> str | None:
    if line is None or len(line) <= _SHOWN:
        return line
    return f"{line[:_SHOWN]}..."


def explain_json(expected: Json, observed: Json, labels: Labels = SIDES) -> str:
    """Return the first difference of two values as three lines of text, or an empty text."""
    first = first_difference(expected, observed)
    return "" if first is None else first.render(labels)


def first_difference(expected: Json, observed: Json) -> FirstDifference | None:
    """Return the first place where two values differ: fields by name, items by index.

    Fields that both sides have come before fields of one side only, because their difference
    explains more.
    """
    path = "$"
    while canonical_json(expected) != canonical_json(observed):
        if isinstance(expected, dict) and isinstance(observed, dict):
            name = _first_name(expected, observed)
            path += f".{name}" if name.isidentifier() else f"[{canonical_json(name)}]"
            if name not in expected or name not in observed:
                return FirstDifference(
                    path,
                    _text(expected.get(name)) if name in expected else None,
                    _text(observed.get(name)) if name in observed else None,
                )
            expected, observed = expected[name], observed[name]
        elif isinstance(expected, list) and isinstance(observed, list):
            place = _first_place(expected, observed)
            path += f"[{place}]"
            if place == len(expected) or place == len(observed):
                note = f"{_items(expected)} {{0}}, {len(observed)} {{1}}"
                return FirstDifference(
                    path,
                    _text(expected[place]) if place < len(expected) else None,
                    _text(observed[place]) if place < len(observed) else None,
                    note,
                )
            expected, observed = expected[place], observed[place]
        elif isinstance(expected, str) and isinstance(observed, str):
            return _text_difference(path, expected, observed)
        else:
            return FirstDifference(path, _text(expected), _text(observed))
    return None


def _first_name(expected: JsonObject, observed: JsonObject) -> str:
    """Return the name of the first field that differs, shared fields first."""
    shared = sorted(set(expected) & set(observed))
    for name in shared:
        if canonical_json(expected[name]) != canonical_json(observed[name]):
            return name
    return min(set(expected) ^ set(observed))


def _first_place(expected: list[Json], observed: list[Json]) -> int:
    """Return the index of the first item that differs or that only one side has."""
    for place, (one, other) in enumerate(zip(expected, observed, strict=False)):
        if canonical_json(one) != canonical_json(other):
            return place
    return min(len(expected), len(observed))


def _text_difference(path: str, expected: str, observed: str) -> FirstDifference:
    place = next(
        (
            place
            for place, (one, other) in enumerate(zip(expected, observed, strict=False))
            if one != other
        ),
        min(len(expected), len(observed)),
    )
    if max(len(expected), len(observed)) <= _SHOWN:
        return FirstDifference(path, canonical_json(expected), canonical_json(observed))
    start = max(0, place - _LEAD)
    note = f"from character {place} on ({len(expected)} {{0}}, {len(observed)} {{1}})"
    return FirstDifference(path, _window(expected, start), _window(observed, start), note)


def _window(text: str, start: int) -> str:
    shown = canonical_json(text[start : start + _SHOWN])
    before = "..." if start else ""
    after = "..." if start + _SHOWN < len(text) else ""
    return f"{before}{shown}{after}"


def _text(value: Json) -> str:
    text = canonical_json(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."


def _items(values: list[Json]) -> str:
    return "1 item" if len(values) == 1 else f"{len(values)} items"


def _absent(side: str | None) -> str:
    return "(nothing)" if side is None else side
