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

from rejoin_conformance.contract.differences import Difference, first_difference
from rejoin_conformance.contract.notation import Notation, answer_text
from rejoin_conformance.contract.operation import SIDES, Asked, Labels
from rejoin_conformance.kit.json_types import Json, canonical_json

_SHOWN: Final = 160
_LEAD: Final = 40
"""The number of characters to show of a long text, and how many of them before the difference."""

Explain: TypeAlias = Callable[[Asked], str | None]
"""A question with a wrong output -> why it is wrong, or None to use the fallback. The observed
output matches the schema, but nothing more: its hex can decode to anything."""


@frozen
class FirstDifference:
    """The first place where two values differ, as text. A side without this place is None.

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


def explain_difference(asked: Asked, explain: Explain | None, notation: Notation | None) -> str:
    """Return an explanation of a wrong output: by the system, in its notation, or as JSON."""
    failed = ""
    try:
        text = None if explain is None else explain(asked)
    except Exception as error:  # noqa: BLE001 - the values are untrusted; use the fallback
        text, failed = None, f"\n(the explainer of {asked.system} failed: {error!r})"
    if text is not None:
        return text
    outputs = asked.expected_output, asked.observed_output
    expected, observed = (
        answer_text(notation, asked.operation, asked.input, output) for output in outputs
    )
    first = first_different_line(expected, observed, "answer", asked.labels)
    return (first or explain_json(*outputs, asked.labels)) + failed


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
            sides = [None if each is None else _shortened(each) for each in (one, other)]
            return FirstDifference(f"{line}the {what}", sides[0], sides[1]).render(labels)
    return None


def explain_json(expected: Json, observed: Json, labels: Labels = SIDES) -> str:
    """Return the first difference of two values as three lines of text, or an empty text."""
    first = first_difference(expected, observed)
    return "" if first is None else difference_text(first).render(labels)


def difference_text(found: Difference) -> FirstDifference:
    """Return a difference as text. Long texts are shown from shortly before they differ."""
    one, other = found.expected, found.observed
    if isinstance(one, str) and isinstance(other, str):
        return _of_texts(found.json_path, one, other)
    note = ""
    if found.lengths is not None:
        left, right = found.lengths
        note = f"{{0}} {left} item{'' if left == 1 else 's'}, {{1}} {right}"
    return FirstDifference(
        found.json_path,
        None if found.kind == "unexpected" else _shortened(canonical_json(one)),
        None if found.kind == "missing" else _shortened(canonical_json(other)),
        note,
    )


def _of_texts(path: str, expected: str, observed: str) -> FirstDifference:
    if max(len(expected), len(observed)) <= _SHOWN:
        return FirstDifference(path, canonical_json(expected), canonical_json(observed))
    pairs = enumerate(zip_longest(expected, observed))
    place = next(place for place, (one, other) in pairs if one != other)
    start = max(0, place - _LEAD)
    note = f"from character {place} on ({{0}} {len(expected)}, {{1}} {len(observed)})"
    return FirstDifference(path, _window(expected, start), _window(observed, start), note)


def _window(text: str, start: int) -> str:
    shown = canonical_json(text[start : start + _SHOWN])
    before = "..." if start else ""
    after = "..." if start + _SHOWN < len(text) else ""
    return f"{before}{shown}{after}"


def _shortened(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _absent(side: str | None) -> str:
    return "(nothing)" if side is None else side
