"""A system as the suite sees it: all that a fourth protocol would have to say of itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Any

from attrs import frozen

from rejoin_conformance.contract.choices import Readings
from rejoin_conformance.contract.history import Histories, Pictures
from rejoin_conformance.contract.law import Law
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.kit.json_types import JsonObject

if TYPE_CHECKING:  # the outcome of a history does not depend on these, so no campaign digests them
    from rejoin_conformance.contract.explanation import Explain
    from rejoin_conformance.contract.model import AnyModel
    from rejoin_conformance.contract.notation import Notation
    from rejoin_conformance.contract.spread import Spread
    from rejoin_conformance.contract.vector import Topic


@frozen(kw_only=True)
class Bound:
    """One integer bound of an exhaustive check, given as `--name` on the command line."""

    name: str
    summary: str
    default: int
    minimum: int
    maximum: int


@frozen(kw_only=True)
class ExhaustiveCheck:
    """A check of every history up to a bound.

    summary: one line of help, at most 60 characters. description: the rest of the help.
    run: (bounds, spread) -> the report as data. It does not depend on how the work is spread.
    render: returns the report as text for a person.
    """

    summary: str
    description: str
    bounds: tuple[Bound, ...]
    run: Callable[[Mapping[str, int], Spread], JsonObject]
    render: Callable[[JsonObject], str]


@frozen(kw_only=True)
class System:
    """One protocol: its operations, vectors, random histories, laws and exhaustive check.

    readings: the names of its readings, the default first.
    choices: the same as values, of which expressions make others; None where there is nothing to
        choose.
    topics: makes the drafts of the corpus that are written in Python, topic by topic.
    explain: tells a wrong output in the protocol's terms; without it, the path to the first
        difference is told.
    model: its formal model, checked by TLC and held to the code in both directions.
    notation: how its questions, answers and histories are written as text; None if it has none.
    kept: the files of its kept histories, of which the corpus has vectors besides.
    """

    name: str
    prefix: str
    title: str
    readings: tuple[str, ...]
    operations: tuple[Operation, ...]
    topics: Callable[[], tuple[Topic, ...]]
    laws: tuple[Law, ...]
    histories: Histories[Any]
    pictures: Pictures[Any]
    choices: Readings[Any] | None = None
    exhaustive: ExhaustiveCheck | None = None
    explain: Explain | None = None
    model: AnyModel | None = None
    notation: Notation | None = None
    kept: tuple[Path, ...] = ()

    @property
    def default_reading(self) -> str:
        """The reading that is meant where none is named."""
        return self.readings[0]

    def tell(self, history: Any, reading: str) -> str:
        """A history as lines for a person: its picture, what happens, and its text if it has one.

        The text parses back to the history (`Notation.parse_history`).
        """
        told = self.pictures.tell(history, reading)
        if self.notation is None:
            return told
        text = indent(self.notation.render_history(history), "  ")
        return f"{told}\n\nthe history as text\n{text}"

    def operation(self, name: str) -> Operation | None:
        """The operation of that full name, or None."""
        return next((each for each in self.operations if each.name == name), None)
