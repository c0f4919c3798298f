"""What a system knows of the place where two answers to a question part."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from attrs import frozen

from rejoin_conformance.contract.explanation import Difference
from rejoin_conformance.kit.dag_drawing import Drawing
from rejoin_conformance.kit.json_types import JsonObject


@frozen(kw_only=True)
class Question:
    """A question of an operation, as far as it is drawn.

    outputs: the outputs to compare, or none. steps: the steps at which two implementations part,
        or none. Both can come from an adapter, so their values can be anything.
    """

    operation: str
    reading: str
    input: JsonObject
    outputs: tuple[JsonObject, ...] = ()
    steps: tuple[JsonObject, ...] = ()


Draw: TypeAlias = Callable[[Question], Iterator[Drawing]]
"""A question -> the drawings of its histories and version graphs, with the nodes marked at which
the outputs or the steps part. It can raise any exception if these come from an adapter."""

Leading: TypeAlias = Callable[[Difference, Sequence[JsonObject]], Sequence[int]]
"""(a wrong output, the reference's steps) -> the indices of the steps that lead to the place that
differs, ascending. It can raise any exception."""


@frozen(kw_only=True)
class Parting:
    """The drawings of a system's questions, and the steps that lead to a place of an output."""

    draw: Draw
    leading: Leading


def drawings_of(parting: Parting | None, question: Question) -> tuple[Drawing, ...]:
    """Return the drawings of a question; none if the system has none, or cannot draw this one."""
    if parting is None:
        return ()
    try:
        return tuple(parting.draw(question))
    except Exception:  # noqa: BLE001 - the values are untrusted, and a drawing is an extra
        return ()
